package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// To make a database costs the server some 300 ms of processor time and to drop it another 50, more than most tests do
// with it. So a database that a test is done with is emptied, in some 20 ms, and is the next test's. It is dropped
// instead if a test changed more than rows, if it holds enough for the server to plan otherwise than in a new one, or if
// somebody is still connected to it. On a server that isn't this process's own it is always dropped: nothing else would
// remove it there when the process ends.

// maker makes the databases of one server.
type maker struct {
	server string // its URL
	mu     sync.Mutex
	conn   *pgx.Conn           // nil until it is needed, and after the server was stopped
	free   map[string][]string // names of databases that are like new, by their template
	fresh  map[string]*content // what a new database is like, by its template
	beside sync.Map            // name of a database → *pgx.Conn, which empties it
}

// content is what a database was like when it was new.
type content struct {
	shape     string            // see shapeQuery
	rows      map[string][]byte // of the tables that aren't empty, as COPY writes them
	sequences string            // statements that set them
}

var (
	makers sync.Map // URL of a server → *maker
	number atomic.Int64
)

func makerOn(server string) *maker {
	m, _ := makers.LoadOrStore(server,
		&maker{server: server, free: map[string][]string{}, fresh: map[string]*content{}})
	return m.(*maker)
}

// take returns the name of a database that is a copy of the template.
func (m *maker) take(ctx context.Context, template string) (name string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if free := m.free[template]; len(free) > 0 {
		name, m.free[template] = free[len(free)-1], free[:len(free)-1]
		return name, nil
	}
	name = fmt.Sprintf("t%d_%d", os.Getpid(), number.Add(1))
	if err := m.execute(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		return "", err
	}
	if template != noTemplate && m.fresh[template] == nil {
		m.fresh[template], err = m.read(ctx, name)
	}
	return name, err
}

// give takes a database back that take returned.
func (m *maker) give(ctx context.Context, name, template string) error {
	m.mu.Lock()
	fresh := m.fresh[template]
	if m.server == foreign() {
		fresh = nil
	}
	m.mu.Unlock()
	empty := fresh != nil && m.empty(ctx, name, fresh) == nil
	m.mu.Lock()
	defer m.mu.Unlock()
	if empty {
		m.free[template] = append(m.free[template], name)
		return nil
	}
	if conn, ok := m.beside.LoadAndDelete(name); ok {
		conn.(*pgx.Conn).Close(ctx)
	}
	return m.execute(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

// execute runs a statement on the server; m.mu is held.
func (m *maker) execute(ctx context.Context, query string) (err error) {
	for range 2 {
		if m.conn == nil {
			if m.conn, err = pgx.Connect(ctx, m.server); err != nil {
				return err
			}
		}
		if _, err = m.conn.Exec(ctx, query); err == nil || !m.conn.IsClosed() {
			return err
		}
		m.conn = nil // the server was stopped, and may be there again
	}
	return err
}

// shapeQuery is what a database has besides the rows of its tables. Whatever changes the schema adds rows to the
// server's catalogs, takes some away, or writes a new version of one.
var shapeQuery = func() string {
	parts := []string{
		"(SELECT concat(sum(reltuples), ' ', sum(relpages)) FROM pg_class)", // ANALYZE
		"(SELECT concat(datacl, ' ', datconnlimit, ' ', datallowconn) FROM pg_database WHERE datname = current_database())",
		"(SELECT count(*) FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE datname = current_database())",
		"(SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database())",
		// The server plans for a table of up to ten pages as for one of ten, unless it was analyzed.
		"(SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace " +
			"AND pg_relation_size(oid) > 10 * 8192)",
	}
	for _, catalog := range strings.Fields("pg_class pg_attribute pg_attrdef pg_constraint pg_index pg_trigger pg_proc " +
		"pg_type pg_namespace pg_policy pg_rewrite pg_extension pg_statistic pg_statistic_ext pg_sequence pg_default_acl " +
		"pg_event_trigger pg_publication pg_inherits pg_largeobject_metadata") {
		parts = append(parts, "(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM "+catalog+")")
	}
	return "SELECT concat_ws(',', " + strings.Join(parts, ", ") + ")"
}()

func (m *maker) connect(ctx context.Context, name string) (*pgx.Conn, error) {
	u, err := URL(m.server, name)
	if err != nil {
		return nil, err
	}
	return pgx.Connect(ctx, u)
}

// read returns what a new database is like.
func (m *maker) read(ctx context.Context, name string) (*content, error) {
	conn, err := m.connect(ctx, name)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	c := &content{rows: map[string][]byte{}}
	if err := conn.QueryRow(ctx, shapeQuery).Scan(&c.shape); err != nil {
		return nil, err
	}
	err = conn.QueryRow(ctx, `SELECT coalesce(string_agg(format('PERFORM setval(%L, %s, %L);', format('%I.%I', schemaname, sequencename),
		coalesce(last_value, start_value), last_value IS NOT NULL), ' '), '') FROM pg_sequences`).Scan(&c.sequences)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'")
	if err != nil {
		return nil, err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		rows, err := rowsOf(ctx, conn, table)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			c.rows[table] = rows
		}
	}
	return c, nil
}

// rowsOf returns a table's rows as COPY writes them.
func rowsOf(ctx context.Context, conn *pgx.Conn, table string) ([]byte, error) {
	var text bytes.Buffer
	_, err := conn.PgConn().CopyTo(ctx, &text, "COPY "+table+" TO STDOUT")
	return text.Bytes(), err
}

// besides returns the connection that empties a database. It is kept: the server takes longer to look up a hundred tables
// for the first time than to empty them.
func (m *maker) besides(ctx context.Context, name string) (*pgx.Conn, error) {
	if conn, ok := m.beside.Load(name); ok {
		return conn.(*pgx.Conn), nil
	}
	conn, err := m.connect(ctx, name)
	if err == nil {
		m.beside.Store(name, conn)
	}
	return conn, err
}

var errUsed = errors.New("the database is in use, or was changed")

// empty makes a database again what it was when it was new, unless it can't.
func (m *maker) empty(ctx context.Context, name string, fresh *content) error {
	conn, err := m.besides(ctx, name)
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(time.Second); ; time.Sleep(5 * time.Millisecond) { // closed connections end in a moment
		var others int
		err := conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "+
			"AND pid <> pg_backend_pid()").Scan(&others)
		if err != nil {
			return err
		}
		if others == 0 {
			break
		}
		if time.Now().After(deadline) {
			return errUsed
		}
	}
	var shape string
	if err := conn.QueryRow(ctx, shapeQuery).Scan(&shape); err != nil {
		return err
	}
	if shape != fresh.shape {
		return errUsed
	}
	// What is still there is left: rows that are deleted and written again take more room each time.
	changed := map[string][]byte{}
	for table, rows := range fresh.rows {
		now, err := rowsOf(ctx, conn, table)
		if err != nil {
			return err
		}
		if !bytes.Equal(now, rows) {
			changed[table] = rows
		}
	}
	var kept []string
	for table := range fresh.rows {
		if _, is := changed[table]; !is {
			kept = append(kept, "'"+table+"'")
		}
	}
	// Without triggers, so that tables are emptied in any order.
	_, err = conn.Exec(ctx, `SET session_replication_role = replica; DO $do$
		DECLARE
			name TEXT;
		BEGIN
			FOR name IN SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
					AND pg_relation_size(oid) > 0 AND quote_ident(relname) <> ALL (ARRAY[`+strings.Join(kept, ", ")+`]::text[]) LOOP
				EXECUTE 'DELETE FROM ' || name;
			END LOOP;
			`+fresh.sequences+`
		END $do$`)
	if err != nil {
		return err
	}
	for table, rows := range changed {
		if _, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(rows), "COPY "+table+" FROM STDIN"); err != nil {
			return err
		}
	}
	return nil
}
