"""What all panels share, and the simplest ones: text and a card of values.

A panel is a SELECT on one mart or one table of `quality`, without a join.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, TypeVar

from grafana_foundation_sdk.builders import stat, text
from grafana_foundation_sdk.builders.common import ReduceDataOptions, VizTextDisplayOptions
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.runtime import UnknownDataquery
from grafana_foundation_sdk.cog.variants import Dataquery
from grafana_foundation_sdk.models import common, dashboard, units
from grafana_foundation_sdk.models.text import TextMode

from dashboards.colours import GREY
from dashboards.columns import Look
from dashboards.marts import Query, Variable

TABLE, TIME_SERIES = 1, 0
"""The formats in which the data source returns rows."""
Settings = list[dashboard.DynamicConfigValue]
SdkBuilder = Any  # the SDK's builders of panels share no type
AnyPanel = TypeVar("AnyPanel", bound=SdkBuilder)


class _Target(UnknownDataquery, Builder[Dataquery]):
    """A query of the DuckDB data source, for which the SDK has no builder."""

    def build(self) -> Dataquery:
        return self


@dataclass(frozen=True)
class Panel(ABC):
    title: str
    description: str
    query: Query
    _: KW_ONLY
    empty: str
    """Shown if there are no rows."""
    format: ClassVar[int] = TABLE
    is_measured: bool = True
    """False for standards, formulas and predictions: no link to measurements."""

    @abstractmethod
    def built(self) -> SdkBuilder: ...

    def _sql(self) -> str:
        return self.query.sql

    def described(self, panel: AnyPanel, *, reason_in: str = "") -> AnyPanel:
        """The panel with query, title and description; `reason_in` names the column that shows
        `empty` where Grafana would show an empty table."""
        sql = _or_reason(self._sql(), reason_in, self.empty) if reason_in else self._sql()
        target = {
            "refId": "A",
            "datasource": self.query.datasource,
            "editorMode": "code",
            "rawQuery": True,
            "format": self.format,
            "rawSql": sql,
        }
        panel.with_target(_Target(target)).datasource(self.query.datasource)
        panel.no_value(self.empty).title(self.title).description(self.description)
        return panel


def _or_reason(sql: str, column: str, empty: str) -> str:
    """The query, or if it has no rows, one row with the reason in this column."""
    quoted = "'" + empty.replace("'", "''") + "'"
    return (
        f"with shown as ({sql}) from shown union all by name "
        f"select {quoted} as {column} where not exists (from shown)"
    )


def setting(name: str, value: object) -> dashboard.DynamicConfigValue:
    return dashboard.DynamicConfigValue(id_val=name, value=value)


def fixed_colour(colour: str) -> dashboard.DynamicConfigValue:
    return setting("color", {"mode": "fixed", "fixedColor": colour})


GREY_OTHERWISE = fixed_colour(GREY)


def by_value(result: str, values: Mapping[str, str]) -> dashboard.DynamicConfigValue:
    """A "color" or a "text" for each value in a column."""
    options = {
        value: {result: shown, "index": index}
        for index, (value, shown) in enumerate(values.items())
    }
    return setting("mappings", [{"type": "value", "options": options}])


def by_pattern(result: str, patterns: Mapping[str, str]) -> dashboard.DynamicConfigValue:
    """A "color" or a "text" for each text of a column, by the first pattern that it matches."""
    found = [
        {"pattern": f"/{pattern}/", "result": {result: shown, "index": index}}
        for index, (pattern, shown) in enumerate(patterns.items())
    ]
    return setting("mappings", [{"type": "regex", "options": one} for one in found])


def shown_as(look: Look) -> Settings:
    """Heading and unit of a column."""
    known = [setting("displayName", look.heading)]
    # with a unit, even none, Grafana takes a text such as '31.55' for a number, and rounds it
    if look.unit != units.NoUnit:
        known.append(setting("unit", look.unit))
    return known


def question(words: str) -> SdkBuilder:
    """The question that a board answers, at its top."""
    return text.Panel().mode(TextMode.MARKDOWN).content(words).transparent(True)


@dataclass(frozen=True, kw_only=True)
class Sentences(Panel):
    """The value of a hidden variable as Markdown: Grafana's tables have no large type."""

    variable: Variable

    def built(self) -> SdkBuilder:
        content = f"${{{self.variable.name}:html}}"
        panel = text.Panel().mode(TextMode.MARKDOWN).content(content)
        return panel.title(self.title).description(self.description)


@dataclass(frozen=True, kw_only=True)
class Card(Panel):
    """One row, each of its columns a value with its name.

    `patterns` colour the values of a column that match them.
    """

    patterns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    value_size: int = 18

    def _sql(self) -> str:
        # Grafana matches only texts with a pattern
        texts = ", ".join(f'"{name}"::varchar as "{name}"' for name in self.patterns)
        return f"select * replace ({texts}) from ({self.query.sql})" if texts else self.query.sql

    def built(self) -> SdkBuilder:
        panel = self.described(stat.Panel())
        for name, look in self.query.looks.items():
            shades = [by_pattern("color", self.patterns[name])] if name in self.patterns else []
            panel = panel.override_by_name(name, [*shown_as(look), fixed_colour("text"), *shades])
        return (
            panel.graph_mode(common.BigValueGraphMode.NONE)
            .color_mode(common.BigValueColorMode.VALUE)
            .text_mode(common.BigValueTextMode.VALUE_AND_NAME)
            .text(VizTextDisplayOptions().title_size(12).value_size(self.value_size))
            .justify_mode(common.BigValueJustifyMode.AUTO)
            .wide_layout(False)
            .reduce_options(ReduceDataOptions().calcs(["lastNotNull"]).fields("/.*/"))
        )
