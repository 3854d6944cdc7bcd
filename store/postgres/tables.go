package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"daybook/store/engine"
)

// The rows of a table are numbered by an identity column, or by a sequence named after the table with _numbers
// appended, which numbers the first column of its key.
const nounTables = `SELECT c.relname,
		EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal),
		COALESCE((SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attidentity <> ''), ''),
		COALESCE((SELECT pg_get_serial_sequence(quote_ident(c.relname), a.attname)
			FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attidentity <> ''),
			(SELECT quote_ident(s.relname) FROM pg_class s
			WHERE s.relnamespace = c.relnamespace AND s.relkind = 'S' AND s.relname = c.relname || '_numbers'), '')
	FROM pg_class c
	WHERE c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS regnamespace)
		AND c.relname NOT IN ('schema_migrations', 'server_leases')
	ORDER BY c.relname`

const (
	tableColumns = `SELECT CAST(a.attname AS TEXT) FROM pg_attribute a
		WHERE a.attrelid = CAST(quote_ident(?) AS regclass) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`
	tableKey = `SELECT CAST(a.attname AS TEXT) FROM pg_index i
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
		WHERE i.indrelid = CAST(quote_ident(?) AS regclass) AND i.indisprimary
		ORDER BY array_position(CAST(i.indkey AS int2[]), a.attnum)`
	tableParents = `SELECT DISTINCT CAST(p.relname AS TEXT) FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
		WHERE f.conrelid = CAST(quote_ident(?) AS regclass) AND f.contype = 'f' ORDER BY 1`
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
		if t.Counter != nil && t.Counter.Column == "" {
			t.Counter.Column = t.Key[0]
		}
	}
	if err != nil {
		return nil, db.explain(err)
	}
	return engine.InOrder(tables)
}

// counter is the counter of a sequence, whose name is quoted if necessary.
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
