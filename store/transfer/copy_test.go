package transfer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"daybook/app/upkeep"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// A salon moves to the other engine and back: every table is the same, and what people hold goes on working.
func TestThereAndBack(t *testing.T) {
	there, here, back := other(t), enginetest.Place(t), enginetest.Place(t)
	s, o := newSalon(t, here), &offers{}
	with(t, here, func(db engine.Engine) { o.fill(t, s.rooms(db)) })
	first := move(t, here, there)
	second := move(t, there, back)
	if !slices.Equal(first, second) {
		t.Errorf("there: %v\nback: %v", first, second)
	}
	rows := map[string]int64{}
	for _, sum := range first {
		rows[sum.Table] = sum.Rows
	}
	if rows["bookings"] < 100 || rows["events"] < 100 || rows["api_keys"] != 2 || rows["webhook_endpoints"] != 1 ||
		rows["resources"] != 5 || rows["booking_spans"] == 0 || rows["hold_spans"] == 0 {
		t.Errorf("a copy of %v", rows)
	}
	for _, place := range []string{here, there} {
		with(t, place, func(db engine.Engine) {
			err := s.rooms(db).Upkeep.CheckMoved(t.Context())
			if !errors.Is(err, upkeep.ErrMoved) {
				t.Errorf("after it has moved: %v", err)
			}
		})
	}
	with(t, there, func(db engine.Engine) {
		var left int
		q := engine.NewQuerier(t.Context(), db.Readers())
		if err := q.Scan(`SELECT COUNT(*) FROM events WHERE number IS NULL`, nil, &left); err != nil || left > 0 {
			t.Errorf("%d events without a number, %v", left, err)
		}
		s.works(t, db)
		s.staysSealed(t, db)
		o.work(t, s.rooms(db))
	})
	with(t, back, func(db engine.Engine) {
		if err := s.rooms(db).Upkeep.CheckMoved(t.Context()); err != nil {
			t.Error(err)
		}
		s.works(t, db)
		o.work(t, s.rooms(db))
	})
}

// tablesOf are all tables of a database but those of the engine and those that are made from others, and all its
// sequences.
func tablesOf(t *testing.T, place string) (tables []string, sequences int) {
	t.Helper()
	query := `SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
		AND name NOT IN ('schema_migrations', ` + engine.Derived + `)`
	if strings.HasPrefix(place, "postgres") {
		query = `SELECT relname, CASE relkind WHEN 'S' THEN 1 ELSE 0 END FROM pg_class
			WHERE relkind IN ('r', 'p', 'S') AND relnamespace = CAST('public' AS regnamespace)
			AND relname NOT LIKE 'server_leases%' AND relname NOT IN ('schema_migrations', ` + engine.Derived + `)`
	}
	with(t, place, func(db engine.Engine) {
		err := engine.NewQuerier(t.Context(), db.Readers()).Each(query, nil, func(scan func(...any) error) error {
			var name string
			var sequence int
			err := scan(&name, &sequence)
			if sequences += sequence; sequence == 0 {
				tables = append(tables, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	slices.Sort(tables)
	return tables, sequences
}

// Every table of the schema is copied, with every column, and every sequence goes on: none can be forgotten.
func TestEveryTableIsCopied(t *testing.T) {
	from, to := enginetest.PlaceOnSQLite(t), other(t)
	with(t, from, func(db engine.Engine) { fillEveryTable(t, db) })
	var copiedTables []string
	for _, sum := range move(t, from, to) {
		copiedTables = append(copiedTables, sum.Table)
		if sum.Rows == 0 {
			t.Errorf("no row of %s was copied", sum.Table)
		}
	}
	slices.Sort(copiedTables)
	for _, place := range []string{from, to} {
		tables, sequences := tablesOf(t, place)
		if !slices.Equal(copiedTables, tables) || len(tables) < 30 {
			t.Errorf("copied are %v, of %v", copiedTables, tables)
		}
		with(t, place, func(db engine.Engine) {
			all, err := db.Tables(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			counters := 0
			for _, table := range all {
				if table.Counter != nil {
					counters++
				}
			}
			if counters == 0 || sequences > 0 && counters != sequences {
				t.Errorf("%d counters, and %d sequences", counters, sequences)
			}
		})
	}
}

// fillEveryTable puts a row into each table that has none. Rows refer to each other by the number 1.
func fillEveryTable(t *testing.T, db engine.Engine) {
	t.Helper()
	all, err := db.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range all {
		var kinds []string
		q := engine.NewQuerier(t.Context(), db.Readers())
		if err := q.All(&kinds, `SELECT type FROM pragma_table_info(?) ORDER BY cid`, table.Name); err != nil {
			t.Fatal(err)
		}
		values := make([]any, len(kinds))
		for i, column := range table.Columns {
			values[i] = map[string]any{"INTEGER": 1, "TEXT": "it's ✂", "BLOB": []byte{0, 255, '\''}}[kinds[i]]
			if column == "end_ms" || column == "busy_end_ms" {
				values[i] = 2
			}
			if column == "response" || column == "body" {
				values[i] = []byte{} // is not NULL
			}
			if column == "notes" || column == "reason" {
				values[i] = ""
			}
		}
		execute(t, db, "INSERT INTO "+table.Name+" ("+strings.Join(table.Columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(values)-1)+
			") ON CONFLICT DO NOTHING", values...)
	}
}

// A number that was given to a row that is gone is not given again by the copy.
func TestNumbersGoOn(t *testing.T) {
	here, there, back := enginetest.Place(t), other(t), enginetest.Place(t)
	const add = `INSERT INTO key_uses (server, key_id, at_ms, n) VALUES (1, 1, 1, 1)`
	with(t, here, func(db engine.Engine) {
		for range 5 {
			execute(t, db, add)
		}
		execute(t, db, `DELETE FROM key_uses`)
		execute(t, db, `INSERT INTO uid_domains (id, domain) VALUES (7, 'salon.example')`)
	})
	for i, place := range []string{here, there, back} {
		if i > 0 {
			move(t, []string{here, there, back}[i-1], place)
		}
		with(t, place, func(db engine.Engine) {
			execute(t, db, add)
			var id int64
			q := engine.NewQuerier(t.Context(), db.Readers())
			if err := q.Scan(`SELECT MAX(id) FROM key_uses`, nil, &id); err != nil || id != int64(6+i) {
				t.Errorf("in %s the next number is %d, %v", place, id, err)
			}
			execute(t, db, `DELETE FROM key_uses`)
			if i == 0 { // the number was given from outside, and the identity does not know of it
				return
			}
			execute(t, db, `INSERT INTO uid_domains (domain) VALUES (?)`, place)
			if err := q.Scan(`SELECT MAX(id) FROM uid_domains`, nil, &id); err != nil || id != int64(7+i) {
				t.Errorf("in %s the next number of uid_domains is %d, %v", place, id, err)
			}
		})
	}
}

// What PostgreSQL has not numbered yet is numbered before it is copied: SQLite would never do it.
func TestCopyIsNumbered(t *testing.T) {
	here, there := enginetest.PlaceOnPostgres(t), enginetest.PlaceOnSQLite(t)
	newSalon(t, here)
	unnumbered := func(db engine.Engine) (n int) {
		err := engine.NewQuerier(t.Context(), db.Readers()).Scan(`SELECT (SELECT COUNT(*) FROM events WHERE number IS NULL)
			+ (SELECT COUNT(*) FROM booking_history WHERE number < 0)`, nil, &n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	with(t, here, func(db engine.Engine) {
		if unnumbered(db) == 0 {
			t.Fatal("all is numbered already")
		}
	})
	move(t, here, there)
	with(t, there, func(db engine.Engine) {
		if n := unnumbered(db); n != 0 {
			t.Errorf("%d rows have no number", n)
		}
	})
}
