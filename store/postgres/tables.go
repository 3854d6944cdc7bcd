package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"daybook/store/engine"
)

// The rows of a table are numbered by a sequence that one of its columns owns.
const nounTables = `SELECT c.relname,
		EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal),
		COALESCE((SELECT a.attname FROM pg_attribute a WHERE ` + ownsSequence + `), ''),
		COALESCE((SELECT pg_get_serial_sequence(quote_ident(c.relname), a.attname) FROM pg_attribute a
			WHERE ` + ownsSequence + `), '')
	FROM pg_class c
	WHERE c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS regnamespace)
		AND c.relname NOT IN ('schema_migrations', 'server_leases', ` + engine.Derived + `)
	ORDER BY c.relname`

const ownsSequence = `a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL`

const (
	tableColumns = `SELECT CAST(a.attname AS TEXT) FROM pg_attribute a
		WHERE a.attrelid = CAST(quote_ident(?) AS regclass) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`
	tableKey = `SELECT CAST(a.attname AS TEXT) FROM pg_index i
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
		WHERE i.indrelid = CAST(quote_ident(?) AS regclass) AND i.indisprimary
		ORDER BY array_position(CAST(i.indkey AS int2[]), a.attnum)`
	tableParents = `SELECT DISTINCT CAST(p.relname AS TEXT) FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
		WHERE f.conrelid = CAST(quote_ident(?) AS regclass) AND f.contype = 'f' ORDER BY 1`
	// The comment of a column that only this engine has: "that of bookings by booking_id".
	tableOwner = `SELECT substring(d FROM '^that of (\w+) by \w+$'), substring(d FROM '^that of \w+ by (\w+)$')
		FROM pg_attribute a, col_description(a.attrelid, a.attnum) d
		WHERE a.attrelid = CAST(quote_ident(?) AS regclass) AND a.attname = 'workspace_id' AND d LIKE 'that of % by %'`
)

// Tables implements engine.Engine.
func (db *DB) Tables(ctx context.Context) ([]engine.Table, error) {
	q := engine.NewQuerier(ctx, db.readers)
	var tables []engine.Table
	err := q.Each(nounTables, nil, func(scan func(...any) error) error {
		var t engine.Table
		var triggers bool
		var column, sequence string
		err := scan(&t.Name, &triggers, &column, &sequence)
		if sequence != "" {
			t.Counter = counter(column, sequence)
		}
		if triggers {
			alter := "ALTER TABLE " + pgx.Identifier{t.Name}.Sanitize()
			t.Pause, t.Resume = alter+" DISABLE TRIGGER USER", alter+" ENABLE TRIGGER USER"
		}
		tables = append(tables, t)
		return err
	})
	for i := 0; i < len(tables) && err == nil; i++ {
		t := &tables[i]
		err = errors.Join(q.All(&t.Columns, tableColumns, t.Name), q.All(&t.Key, tableKey, t.Name),
			q.All(&t.Parents, tableParents, t.Name))
		if t.Counter != nil {
			t.Key = []string{t.Counter.Column}
		}
		var o engine.Owner
		switch found := q.Scan(tableOwner, []any{t.Name}, &o.Table, &o.By); {
		case found == nil:
			t.Owner = &o
			t.Parents = append(t.Parents, o.Table)
		case !errors.Is(found, sql.ErrNoRows):
			err = errors.Join(err, found)
		}
	}
	if err != nil {
		return nil, db.explain(err)
	}
	return engine.InOrder(tables)
}

// counter returns the counter of a sequence, whose name is quoted if necessary.
func counter(column, sequence string) *engine.Counter {
	text := "'" + strings.ReplaceAll(sequence, "'", "''") + "'"
	return &engine.Counter{
		Column: column,
		Last: func(q *engine.Querier) (last int64, err error) {
			err = q.Scan("SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM "+sequence, nil, &last)
			return last, err
		},
		Set: func(t *engine.Transaction, last int64) error {
			return t.Scan("SELECT setval("+text+", CAST(? AS BIGINT) + 1, FALSE)", []any{last}, new(int64))
		},
	}
}
