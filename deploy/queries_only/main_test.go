package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
)

// answer is the error of a query that a user sends, "" where there is none.
func answer(t *testing.T, text string) string {
	t.Helper()
	parser, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	settings := backend.DataSourceInstanceSettings{JSONData: []byte(`{"path":""}`)}
	instance, err := instances(parser)(context.Background(), settings)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := json.Marshal(map[string]any{"rawSql": text, "format": 1})
	now := time.Now()
	response, err := instance.(backend.QueryDataHandler).QueryData(context.Background(), &backend.QueryDataRequest{
		PluginContext: backend.PluginContext{DataSourceInstanceSettings: &settings},
		Queries:       []backend.DataQuery{{RefID: "A", JSON: body, TimeRange: backend.TimeRange{From: now, To: now}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if problem := response.Responses["A"].Error; problem != nil {
		return problem.Error()
	}
	return ""
}

func TestQueriesAreAnswered(t *testing.T) {
	for _, text := range []string{
		"select 1 as one",
		"with numbers as (from range(3)) from numbers",
		"with shown as (pivot (select 1 as a, 2 as b) on a in (1, 2) using max(b)) from shown",
		"select current_timestamp as at where $__timeFilter(current_timestamp) or true",
		"describe (select 1 as one)",
	} {
		if problem := answer(t, text); problem != "" {
			t.Errorf("%s: %s", text, problem)
		}
	}
}

func TestAllElseIsRefused(t *testing.T) {
	for _, text := range []string{
		"attach ':memory:' as other (read_only false)",
		"create or replace temp macro max(x) as 42",
		"create temp table mine (x int)",
		"begin",
		"use memory",
		"set threads = 1",
		"select 1; create temp table mine (x int)",
		"call enable_logging()",
		"from enable_logging()",
		"from query('from enable_logging()')",
		"select (select 1 from (from Enable_Logging()))",
		"",
	} {
		if problem := answer(t, text); !strings.Contains(problem, "refused") {
			t.Errorf("%s: not refused: %q", text, problem)
		}
	}
}

func TestWhatCannotBeReadIsToldByDuckDB(t *testing.T) {
	if problem := answer(t, "selec 1"); !strings.Contains(problem, "syntax error") {
		t.Errorf("told otherwise: %q", problem)
	}
}
