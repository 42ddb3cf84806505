"""Publication: two small marts in a catalog of their own, with readers beside."""

import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import trino

from headroom.publish import ChecksFailed
from headroom.trino import publish, releases
from headroom.trino.load import run
from headroom.trino.quality import make_history, set_stage
from headroom.warehouse import WarehouseError
from tests.trino.server import another

MARTS = ["marts.one", "marts.two"]
READERS = 3
FLIPS = 30


def publication_rules(cluster: trino.dbapi.Connection) -> Iterator[bool]:
    """Whether each rule holds, in their order: one goes on from where the one before ended."""
    run(cluster, "create schema if not exists marts")
    for rule, holds in _RULES.items():
        try:
            holds(cluster)
        except AssertionError:
            traceback.print_exc()
            print(f"publication: {rule}: DOES NOT HOLD", flush=True)
            yield False
        else:
            print(f"publication: {rule}: holds", flush=True)
            yield True


def _night(cluster: trino.dbapi.Connection, number: int, more: str = "") -> None:
    """Marts that say which night they are of."""
    for mart in MARTS:
        rows = f"select {number} as night, place{more} from unnest(sequence(1, 100)) as t (place)"
        run(cluster, f"create or replace table {mart} as {rows}")


def _release(cluster: trino.dbapi.Connection, name: str, marts: list[str] = MARTS) -> None:
    releases.prepare(cluster)
    releases.copy(cluster, name, marts)
    releases.point(cluster, name)


def _seen(cluster: trino.dbapi.Connection) -> list[list[int]]:
    """The nights that a reader of both marts sees."""
    return run(
        cluster,
        "select distinct one.night, two.night from published.one "
        "full join published.two on one.place = two.place",
    )


def _nothing_to_go_back_to(cluster: trino.dbapi.Connection) -> None:
    with pytest.raises(WarehouseError, match="nothing is published yet"):
        publish.rollback(cluster)


def _readers_see_one_release(cluster: trino.dbapi.Connection) -> None:
    for number in (1, 2):
        _night(cluster, number)
        _release(cluster, f"night{number}")
    is_over = threading.Event()

    def read(_: int) -> list[list[list[int]]]:
        own = another(cluster, cluster.catalog)
        found = []
        while not is_over.is_set():
            found.append(_seen(own))
        return found

    with ThreadPoolExecutor(READERS) as pool:
        readers = pool.map(read, range(READERS))
        try:
            for flip in range(FLIPS):
                releases.point(cluster, f"night{flip % 2 + 1}")
        finally:
            is_over.set()
        found = [seen for of_reader in readers for seen in of_reader]
    print(f"{len(found)} reads beside {FLIPS} flips")
    assert len(found) > FLIPS
    assert sorted({str(seen) for seen in found}) == ["[[1, 1]]", "[[2, 2]]"]


def _what_breaks_off_is_never_seen(cluster: trino.dbapi.Connection) -> None:
    _night(cluster, 3)
    with pytest.raises(KeyError):  # after the first mart
        releases.copy(cluster, "night3", ["marts.one", "marts.absent"])
    assert "night3" not in releases.releases(cluster)
    assert _seen(cluster) == [[2, 2]]
    assert _rows(cluster, "one", "night3") == 100
    _release(cluster, "night4")
    releases.prune(cluster)
    assert _seen(cluster) == [[3, 3]]
    assert _rows(cluster, "one", "night3") == 0
    assert _rows(cluster, "one", "night2") == 100


def _rows(cluster: trino.dbapi.Connection, mart: str, release: str) -> int:
    tables = [name for name in releases.columns_of(cluster, "releases") if name.startswith(mart)]
    counts = [
        run(cluster, f"select count(*) from releases.{table} where release = '{release}'")
        for table in tables
    ]
    return sum(int(count) for ((count,),) in counts)


def _columns_change(cluster: trino.dbapi.Connection) -> None:
    _night(cluster, 5, ", 'SAS' as port")
    _release(cluster, "night5")
    more = "cast(row(1, map(array['a'], array[2.5])) as row(a bigint, b map(varchar, double)))"
    _night(cluster, 6, f", 12 as port, {more} as more")
    _release(cluster, "night6", ["marts.one"])
    one = "select * from published.one where place = 1"
    assert run(cluster, one)[0][:3] == [6, 1, 12]
    assert list(releases.columns_of(cluster, "published")) == ["one"]
    assert publish.rollback(cluster) == "night5"
    assert run(cluster, one) == [[5, 1, "SAS"]]
    assert _seen(cluster) == [[5, 5]]
    assert publish.rollback(cluster) == "night4"
    assert run(cluster, one) == [[3, 1]]
    assert publish.rollback(cluster, "night6") == "night6"
    assert run(cluster, one)[0][:3] == [6, 1, 12]


def _old_releases_go(cluster: trino.dbapi.Connection) -> None:
    publish.rollback(cluster, "night2")
    releases.prune(cluster, keep=2)
    assert releases.releases(cluster) == ["night2", "night5", "night6"]
    assert _seen(cluster) == [[2, 2]]
    assert [_rows(cluster, "one", f"night{number}") for number in range(1, 7)] == [
        0, 100, 0, 0, 100, 100,
    ]  # fmt: skip
    with pytest.raises(WarehouseError, match="no release before night2; there are: night2, night5"):
        publish.rollback(cluster)
    with pytest.raises(WarehouseError, match="no release night4"):
        publish.rollback(cluster, "night4")
    publish.rollback(cluster, "night6")
    releases.prune(cluster, keep=2)
    releases.prune(cluster, keep=1)
    tables = releases.columns_of(cluster, "releases").keys()
    assert len(tables) == 3  # one, of night6, and what says so
    assert run(cluster, "select max(night) from published.one") == [[6]]


def _what_is_not_fit_is_held_back(cluster: trino.dbapi.Connection) -> None:
    make_history(cluster)
    set_stage(cluster, "building")
    with pytest.raises(WarehouseError, match="build"):
        publish.publish(cluster, [])
    set_stage(cluster, "built")
    with pytest.raises(WarehouseError, match="check"):
        publish.publish(cluster, [])
    set_stage(cluster, "checked")
    run(
        cluster,
        "insert into quality.check_results (check_id, severity, is_passed, is_latest) "
        "values ('marts.one.has_rows', 'critical', false, true)",
    )
    with pytest.raises(ChecksFailed, match=r"marts\.one\.has_rows"):
        publish.publish(cluster, [])
    assert releases.current(cluster) == "night6"


_RULES: dict[str, Callable[[trino.dbapi.Connection], None]] = {
    "there is no way back from nothing": _nothing_to_go_back_to,
    "readers of two marts see one release": _readers_see_one_release,
    "what breaks off is never seen, and is removed": _what_breaks_off_is_never_seen,
    "marts and columns may come and go": _columns_change,
    "the newest releases are kept, and the current one": _old_releases_go,
    "what is not built, checked or fit is held back": _what_is_not_fit_is_held_back,
}
