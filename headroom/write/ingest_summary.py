"""Prints the outcome of an ingest: counts, copies, files without results, reasons of quarantine."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import click

from ingest.records.recorder import Outcome, count_by_status

_IF_ANY = ("copy", "no result", "ignored")
_MOST_REASONS = 20
_MOST_KINDS = 8


def outcomes(found: list[Outcome], *, is_verbose: bool = False) -> None:
    """Print the counts and what was not loaded."""
    click.echo(counts(found))
    refusals(found, is_verbose=is_verbose)


def rehearsal(found: list[Outcome]) -> None:
    """Print what would happen to each source, and the counts."""
    for outcome in found:
        of = f": copy of {outcome.copy_of}" if outcome.copy_of else ""
        for line in [str(error) for error in outcome.errors] or [outcome.path + of]:
            click.echo(f"{outcome.status:<11}  {line}")
    click.echo(f"dry run, nothing is written: {counts(found)}")


def counts(found: list[Outcome]) -> str:
    """The number of sources of each status."""
    by_status = count_by_status(found)
    shown = [status for status in by_status if by_status[status] or status not in _IF_ANY]
    text = ", ".join(status_text(status, by_status[status]) for status in shown)
    rows = sum(outcome.row_count for outcome in found)
    return f"{text} ({rows} rows)" if rows else text


def status_text(status: str, count: int) -> str:
    words = {"no result": "without results", "copy": "copy" if count == 1 else "copies"}
    return f"{count} {words.get(status, status)}"


def refusals(found: list[Outcome], *, is_verbose: bool = False) -> None:
    """Print copies, new kinds of files without results, and each reason with an example."""
    _copies([one for one in found if one.copy_of], is_verbose=is_verbose)
    if kinds := kinds_of(found):
        click.echo(f"no results: {_listed(kinds)}; see quality.files_without_results")
    groups = places_by_reason(found)
    if not groups:
        return
    parser_width = max(len(parser) for parser, _ in [*groups, ("parser", "")])
    click.echo(f"{'parser':<{parser_width}}  quarantined because")
    for (parser, reason), places in [*groups.items()][: None if is_verbose else _MOST_REASONS]:
        more = f" (and {len(places) - 1} more)" if places[1:] and not is_verbose else ""
        for place in places if is_verbose else places[:1]:
            click.echo(f"{parser:<{parser_width}}  {place}: {reason}{more}")
    if len(groups) > _MOST_REASONS and not is_verbose:
        hidden = len(groups) - _MOST_REASONS
        click.echo(f"and {hidden} more reasons: see quality.quarantined_files")


def kinds_of(found: Iterable[Outcome]) -> dict[str, int]:
    """Count new files without results by kind, the most frequent first."""
    return dict(Counter(outcome.kind for outcome in found if outcome.kind).most_common())


def _listed(kinds: dict[str, int]) -> str:
    shown = [f"{count} {kind}" for kind, count in [*kinds.items()][:_MOST_KINDS]]
    rest = [*kinds.values()][_MOST_KINDS:]
    return ", ".join(shown + [f"{sum(rest)} of {len(rest)} more kinds"] * bool(rest))


def _copies(found: list[Outcome], *, is_verbose: bool) -> None:
    more = f" (and {len(found) - 1} more)" if found[1:] and not is_verbose else ""
    for one in found if is_verbose else found[:1]:
        click.echo(f"{one.path}: copy of {one.copy_of}{more}")


def places_by_reason(found: Iterable[Outcome]) -> dict[tuple[str, str], list[str]]:
    """Files and lines by parser and reason, the most frequent first."""
    groups = defaultdict[tuple[str, str], list[str]](list)
    for outcome in found:
        for error in outcome.errors:
            groups[outcome.parser or "none", error.reason].append(error.place)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))
