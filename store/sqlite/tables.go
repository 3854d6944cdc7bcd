package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"daybook/store/engine"
)

const nounTables = `SELECT t.name, instr(upper(s.sql), 'AUTOINCREMENT') > 0
	FROM pragma_table_list t JOIN sqlite_schema s ON s.type = 'table' AND s.name = t.name
	WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
		AND t.name NOT IN ('schema_migrations', ` + engine.Derived + `)
		AND t.name NOT LIKE '\_litestream\_%' ESCAPE '\' -- the replicator's
	ORDER BY t.name`

// Tables implements engine.Engine.
func (db *DB) Tables(ctx context.Context) ([]engine.Table, error) {
	q := engine.NewQuerier(ctx, db.readers)
	var tables []engine.Table
	err := q.Each(nounTables, nil, func(scan func(...any) error) error {
		var t engine.Table
		var counts bool
		err := scan(&t.Name, &counts)
		if counts {
			t.Counter = counter(t.Name)
		}
		tables = append(tables, t)
		return err
	})
	for i := 0; i < len(tables) && err == nil; i++ {
		t := &tables[i]
		err = errors.Join(
			q.All(&t.Columns, `SELECT name FROM pragma_table_info(?) ORDER BY cid`, t.Name),
			q.All(&t.Key, `SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, t.Name),
			q.All(&t.Parents, `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?) ORDER BY 1`, t.Name))
		if t.Counter != nil {
			t.Counter.Column = t.Key[0]
		}
	}
	if err != nil {
		return nil, err
	}
	return engine.InOrder(tables)
}

// counter returns the counter of a table with AUTOINCREMENT.
func counter(table string) *engine.Counter {
	return &engine.Counter{
		Last: func(q *engine.Querier) (last int64, err error) {
			err = q.Scan(`SELECT seq FROM sqlite_sequence WHERE name = ?`, []any{table}, &last)
			if errors.Is(err, sql.ErrNoRows) { // the table never had a row
				err = nil
			}
			return last, err
		},
		Set: func(t *engine.Transaction, last int64) error {
			if _, err := t.Exec(`DELETE FROM sqlite_sequence WHERE name = ?`, table); err != nil {
				return err
			}
			_, err := t.Exec(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, table, last)
			return err
		},
	}
}
