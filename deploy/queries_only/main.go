// MotherDuck's DuckDB data source for people who may only query: it refuses everything but queries,
// and finds the newest release by itself.
//
// Grafana lets everybody who sees a board send any SQL to its data source. A file that is opened
// read-only keeps its tables, but somebody could still define a macro or attach a database in memory
// that answers the queries of others. ../grafana.Dockerfile builds this inside the plugin's source.
package main

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/datasource"
	"github.com/grafana/grafana-plugin-sdk-go/backend/instancemgmt"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/data/sqlutil"
	"github.com/motherduckdb/grafana-duckdb-datasource/pkg/models"
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
		config, err := models.LoadPluginSettings(settings)
		if err != nil {
			return nil, err
		}
		link, _, _ := strings.Cut(config.Path, "?")
		newest := &newestRelease{parser: parser, settings: settings, link: link}
		return newest, newest.open(ctx)
	}
}

// newestRelease is the data source of a file that is a link to the newest release. The plugin keeps
// a file open: without this, somebody with the password of Grafana's administrator would have to
// reload the data source after each publication.
type newestRelease struct {
	lock       sync.RWMutex
	parser     *sql.DB
	settings   backend.DataSourceInstanceSettings
	link       string
	release    string
	driver     *queriesOnly
	datasource *plugin.SQLDataSourceWrapper
}

func (n *newestRelease) open(ctx context.Context) error {
	release, _ := filepath.EvalSymlinks(n.link)
	n.driver = &queriesOnly{DuckDBDriver: &plugin.DuckDBDriver{}, parser: n.parser}
	n.datasource = plugin.NewDatasource(n.driver)
	_, err := n.datasource.NewDatasource(ctx, n.settings)
	if err == nil {
		n.release = release
	}
	return err
}

// renew opens a release that was published since; it waits for running queries.
func (n *newestRelease) renew(ctx context.Context) error {
	release, err := filepath.EvalSymlinks(n.link)
	n.lock.RLock()
	isNewest := err != nil || release == n.release
	n.lock.RUnlock()
	if isNewest {
		return nil
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	if release == n.release {
		return nil
	}
	n.driver.close()
	n.release = ""
	return n.open(ctx)
}

// QueryData asks again if DuckDB failed: after an internal error DuckDB refuses all queries of a
// process on the file until the file is opened again.
func (n *newestRelease) QueryData(ctx context.Context, request *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	response, driver, err := n.answer(ctx, request)
	if err == nil && hasFailed(response) {
		n.drop(driver)
		response, _, err = n.answer(ctx, request)
	}
	return response, err
}

func (n *newestRelease) answer(ctx context.Context, request *backend.QueryDataRequest) (*backend.QueryDataResponse, *queriesOnly, error) {
	if err := n.renew(ctx); err != nil {
		return nil, nil, err
	}
	n.lock.RLock()
	defer n.lock.RUnlock()
	response, err := n.datasource.QueryData(ctx, request)
	return response, n.driver, err
}

// drop makes the next query open the file again, unless another query has already done so.
func (n *newestRelease) drop(failed *queriesOnly) {
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.driver == failed {
		n.release = ""
	}
}

func hasFailed(response *backend.QueryDataResponse) bool {
	for _, answer := range response.Responses {
		if answer.Error == nil {
			continue
		}
		problem := answer.Error.Error()
		if strings.Contains(problem, "database has been invalidated") || strings.Contains(problem, "INTERNAL Error") {
			return true
		}
	}
	return false
}

func (n *newestRelease) CheckHealth(ctx context.Context, request *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	if err := n.renew(ctx); err != nil {
		return nil, err
	}
	n.lock.RLock()
	defer n.lock.RUnlock()
	return n.datasource.CheckHealth(ctx, request)
}

// Dispose is called by Grafana when the settings have changed.
func (n *newestRelease) Dispose() {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.driver.close()
}

// queriesOnly is the plugin's driver; `parser`, a database in memory, parses the queries.
type queriesOnly struct {
	*plugin.DuckDBDriver
	parser *sql.DB
	opened []*sql.DB
}

// Connect remembers the databases that it opens: neither the plugin nor sqlds closes them.
func (d *queriesOnly) Connect(ctx context.Context, settings backend.DataSourceInstanceSettings, message json.RawMessage) (*sql.DB, error) {
	opened, err := d.DuckDBDriver.Connect(ctx, settings, message)
	if err == nil {
		d.opened = append(d.opened, opened)
	}
	return opened, err
}

func (d *queriesOnly) close() {
	for _, database := range d.opened {
		database.Close()
	}
	d.opened = nil
}

// MutateQuery is called by sqlds before each query, and replaces a refused query by an error.
// It checks the text that will run: with macros replaced, as sqlds replaces them afterwards.
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
