// The DuckDB data source of MotherDuck for people who may only ask: it refuses what is not a query.
//
// Grafana lets everybody who sees a board send any SQL to its data source. A file that is opened
// read-only keeps its tables, but somebody could still define a macro or attach a database in memory
// that others would be answered from. Built inside the plugin's own source by ../grafana.Dockerfile.
package main

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"os"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/datasource"
	"github.com/grafana/grafana-plugin-sdk-go/backend/instancemgmt"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/data/sqlutil"
	"github.com/motherduckdb/grafana-duckdb-datasource/pkg/plugin"
)

const refusal = `select error('refused: only a single query that reads is answered here (SELECT, FROM, WITH, VALUES, DESCRIBE, SHOW)')`

//go:embed is_query.sql
var isQuery string

func main() {
	parser, err := sql.Open("duckdb", "")
	if err == nil {
		err = datasource.Manage("motherduck-duckdb-datasource", instances(parser), datasource.ManageOpts{})
	}
	if err != nil {
		log.DefaultLogger.Error(err.Error())
		os.Exit(1)
	}
}

func instances(parser *sql.DB) datasource.InstanceFactoryFunc {
	return func(ctx context.Context, settings backend.DataSourceInstanceSettings) (instancemgmt.Instance, error) {
		return plugin.NewDatasource(newDriver(parser)).NewDatasource(ctx, settings)
	}
}

// queriesOnly is the plugin's driver; a database of its own, in memory, reads the texts.
type queriesOnly struct {
	*plugin.DuckDBDriver
	parser *sql.DB
}

func newDriver(parser *sql.DB) *queriesOnly {
	return &queriesOnly{&plugin.DuckDBDriver{}, parser}
}

// MutateQuery is asked by sqlds before each query, and puts an error in the place of what is refused.
// It looks at the text that will run: with its macros replaced, as sqlds does after it.
func (d *queriesOnly) MutateQuery(ctx context.Context, request backend.DataQuery) (context.Context, backend.DataQuery) {
	if !d.allows(ctx, request) {
		request.JSON, _ = json.Marshal(map[string]string{"rawSql": refusal})
	}
	return ctx, request
}

func (d *queriesOnly) allows(ctx context.Context, request backend.DataQuery) bool {
	query, err := sqlutil.GetQuery(request)
	if err != nil {
		return false
	}
	text, err := sqlutil.Interpolate(query, d.Macros())
	if err != nil {
		return false
	}
	var allowed bool
	err = d.parser.QueryRowContext(ctx, isQuery, text).Scan(&allowed)
	return err == nil && allowed
}
