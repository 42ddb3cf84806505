package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
)

// source is the data source of a file, "" for one in memory.
func source(t *testing.T, path string) backend.QueryDataHandler {
	t.Helper()
	parser, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	config, _ := json.Marshal(map[string]string{"path": path})
	instance, err := instances(parser)(context.Background(), backend.DataSourceInstanceSettings{JSONData: config})
	if err != nil {
		t.Fatal(err)
	}
	return instance.(backend.QueryDataHandler)
}

// ask sends a user's query and returns the answer.
func ask(t *testing.T, source backend.QueryDataHandler, text string) backend.DataResponse {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"rawSql": text, "format": 1})
	now := time.Now()
	settings := backend.DataSourceInstanceSettings{JSONData: []byte(`{}`)}
	response, err := source.QueryData(context.Background(), &backend.QueryDataRequest{
		PluginContext: backend.PluginContext{DataSourceInstanceSettings: &settings},
		Queries:       []backend.DataQuery{{RefID: "A", JSON: body, TimeRange: backend.TimeRange{From: now, To: now}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return response.Responses["A"]
}

// answer returns the error of a query, "" if there is none.
func answer(t *testing.T, text string) string {
	t.Helper()
	if problem := ask(t, source(t, ""), text).Error; problem != nil {
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

func TestOtherStatementsAreRefused(t *testing.T) {
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

func TestSyntaxErrorIsDuckDBsOwn(t *testing.T) {
	if problem := answer(t, "selec 1"); !strings.Contains(problem, "syntax error") {
		t.Errorf("told otherwise: %q", problem)
	}
}

// publish writes a release whose table number has the number, and points the link to it.
func publish(t *testing.T, folder string, number int) {
	t.Helper()
	release := filepath.Join(folder, fmt.Sprintf("release-%d.duckdb", number))
	database, err := sql.Open("duckdb", release)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := database.Exec(fmt.Sprintf("create table number as select %d as number", number)); err != nil {
		t.Fatal(err)
	}
	database.Close()
	fresh := filepath.Join(folder, "fresh")
	if err := os.Symlink(release, fresh); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, filepath.Join(folder, "link.duckdb")); err != nil {
		t.Fatal(err)
	}
}

func openFiles(t *testing.T, part string) int {
	t.Helper()
	count := 0
	found, _ := filepath.Glob("/proc/self/fd/*")
	for _, file := range found {
		if target, _ := os.Readlink(file); strings.Contains(target, part) {
			count++
		}
	}
	return count
}

func TestNewestReleaseIsQueriedAndOlderOnesAreClosed(t *testing.T) {
	folder := t.TempDir()
	publish(t, folder, 0)
	published := source(t, filepath.Join(folder, "link.duckdb")+"?access_mode=READ_ONLY")
	for number := range 4 {
		publish(t, folder, number+1)
		var asking sync.WaitGroup
		for range 8 {
			asking.Add(1)
			go func() {
				defer asking.Done()
				answer := ask(t, published, "select number::varchar as number from number")
				if answer.Error != nil {
					t.Error(answer.Error)
					return
				}
				shown, _ := answer.Frames[0].Fields[0].ConcreteAt(0)
				if shown != fmt.Sprint(number+1) {
					t.Errorf("release %d is answered from as %v", number+1, shown)
				}
			}()
		}
		asking.Wait()
	}
	if count := openFiles(t, "release-4.duckdb"); count == 0 {
		t.Error("the newest release is not open")
	}
	for number := range 4 {
		if openFiles(t, fmt.Sprintf("release-%d.duckdb", number)) > 0 {
			t.Errorf("release %d is still open", number)
		}
	}
}

func TestUnreadableReleaseIsRetried(t *testing.T) {
	folder := t.TempDir()
	publish(t, folder, 0)
	published := source(t, filepath.Join(folder, "link.duckdb")+"?access_mode=READ_ONLY")
	if err := os.Remove(filepath.Join(folder, "link.duckdb")); err != nil {
		t.Fatal(err)
	}
	if problem := ask(t, published, "select 1 as one").Error; problem != nil {
		t.Errorf("a link that is missing for a moment: %v", problem)
	}
	publish(t, folder, 1)
	if problem := ask(t, published, "select number from number").Error; problem != nil {
		t.Error(problem)
	}
}

// DuckDB 1.5 fails at random on an aggregate over all rows (its issues 22846 and 25713).
func TestDuckDBErrorAffectsNoOtherQuery(t *testing.T) {
	folder := t.TempDir()
	publish(t, folder, 0)
	published := source(t, filepath.Join(folder, "link.duckdb")+"?access_mode=READ_ONLY")
	const fragile = `with low as (select number from number where number >= 5),
		known as (from low union all select number from number where not exists (from low))
		select number, count(*) over () as total from known order by number desc limit 5`
	var asking sync.WaitGroup
	for range 8 {
		asking.Add(1)
		go func() {
			defer asking.Done()
			for range 1000 {
				if problem := ask(t, published, fragile).Error; problem != nil {
					t.Logf("asked twice and failed: %v", problem)
				}
			}
		}()
	}
	asking.Wait()
	if problem := ask(t, published, "select number from number").Error; problem != nil {
		t.Error(problem)
	}
}
