package engine_test

import (
	"errors"
	"reflect"
	"testing"

	"daybook/store/engine"
)

const addValue = `INSERT INTO server_values (name, value) VALUES (?, ?)`

func values(t *testing.T, q *engine.Querier) (all []string) {
	t.Helper()
	if err := q.All(&all, `SELECT name FROM server_values ORDER BY name`); err != nil {
		t.Fatal(err)
	}
	return all
}

// What runs later is done before whatever comes after it, and with the commit at the latest.
func TestLater(t *testing.T) {
	db, q := open(t)
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		if err := errors.Join(tx.Later(addValue, "a", "1"), tx.Later(addValue, "b", "2")); err != nil {
			return err
		}
		var value string
		if err := tx.Scan(`SELECT value FROM server_values WHERE name = ?`, []any{"b"}, &value); err != nil || value != "2" {
			t.Errorf("read %q, %v", value, err)
		}
		bytes := []byte("3")
		if err := tx.Later(addValue, "c", string(bytes)); err != nil {
			return err
		}
		n, err := tx.Exec(`UPDATE server_values SET value = '4' WHERE name IN ('b', 'c')`)
		if n != 2 {
			t.Errorf("%d rows were changed", n)
		}
		return errors.Join(err, tx.Later(addValue, "d", "5"))
	})
	if all := values(t, q); err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
}

// Values of all kinds are read behind a statement that was held back as they are read alone.
func TestReadsBehindLater(t *testing.T) {
	db, _ := open(t)
	read := func(tx *engine.Transaction) (all [6]any) {
		t.Helper()
		var number int64
		var yes bool
		var text string
		var raw []byte
		none := new(int64)
		err := tx.Scan(`SELECT 7, 1, 'text', hash, NULL, SUM(last_ms) FROM form_addresses GROUP BY hash`, nil, &number, &yes, &text, &raw, &none, &all[5])
		if err != nil {
			t.Error(err)
		}
		all[0], all[1], all[2], all[3], all[4] = number, yes, text, string(raw), none
		return all
	}
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		if _, err := tx.Exec(`INSERT INTO form_addresses (hash, times, last_ms) VALUES (?, ?, 9)`, []byte{0, 1, 255}, []byte{}); err != nil {
			return err
		}
		alone := read(tx)
		if err := tx.Later(addValue, "a", "1"); err != nil {
			return err
		}
		if behind := read(tx); behind != alone || alone[3] != "\x00\x01\xff" {
			t.Errorf("alone %v, behind another statement %v", alone, behind)
		}
		if err := tx.Later(addValue, "b", "1"); err != nil {
			return err
		}
		var none []string
		return tx.All(&none, `SELECT name FROM server_values WHERE name = 'none'`)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A change whose statement fails later than it was given is undone, whatever came after it.
func TestLaterFails(t *testing.T) {
	db, q := open(t)
	setValue(t, db, "a", "1")
	for name, behind := range map[string]func(*engine.Transaction) error{
		"nothing":     func(*engine.Transaction) error { return nil },
		"a read":      func(tx *engine.Transaction) error { return tx.Scan(`SELECT 1`, nil, new(int)) },
		"a write":     func(tx *engine.Transaction) error { _, err := tx.Exec(addValue, "b", "1"); return err },
		"later still": func(tx *engine.Transaction) error { return tx.Later(addValue, "b", "1") },
		"a part": func(tx *engine.Transaction) error {
			return tx.Try(func() error { return tx.Later(addValue, "b", "1") })
		},
	} {
		err := db.Write(t.Context(), func(tx *engine.Transaction) error {
			if err := tx.Later(addValue, "first", "1"); err != nil {
				return err
			}
			if err := tx.Later(addValue, "a", "2"); err != nil { // its name is taken
				return err
			}
			return behind(tx)
		})
		if !errors.As(err, new(engine.UniqueError)) {
			t.Errorf("%s behind it: %v", name, err)
		}
		if all := values(t, q); len(all) != 1 {
			t.Errorf("%s behind it: kept %v", name, all)
		}
	}
	setValue(t, db, "z", "the connection is as good as before")
}

// What a part that fails wanted to run later is not run; one that fails late is undone alone.
func TestLaterInParts(t *testing.T) {
	db, q := open(t)
	setValue(t, db, "a", "1")
	no := errors.New("no")
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		if err := tx.Later(addValue, "before", "1"); err != nil {
			return err
		}
		if err := tx.Try(func() error { return errors.Join(tx.Later(addValue, "undone", "1"), no) }); !errors.Is(err, no) {
			t.Errorf("Try: %v", err)
		}
		if err := tx.Try(func() error { return tx.Later(addValue, "a", "2") }); !errors.As(err, new(engine.UniqueError)) {
			t.Errorf("a name that is taken: %v", err)
		}
		if err := tx.Try(func() error { return tx.Later(addValue, "part", "1") }); err != nil {
			t.Errorf("Try: %v", err)
		}
		return tx.Later(addValue, "too", "1")
	})
	if all := values(t, q); err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
	err = db.Write(t.Context(), func(tx *engine.Transaction) error { return errors.Join(tx.Later(addValue, "never", "1"), no) })
	if all := values(t, q); !errors.Is(err, no) || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
	func() {
		defer func() { recover() }()
		db.Write(t.Context(), func(tx *engine.Transaction) error { tx.Later(addValue, "never", "1"); panic("here") })
	}()
	for range 2 * db.Readers().Size() { // each connection that writes
		if err := db.Write(t.Context(), func(*engine.Transaction) error { return nil }); err != nil {
			t.Error(err)
		}
	}
	if all := values(t, q); len(all) != 4 {
		t.Errorf("kept %v", all)
	}
}

// What is read ahead is what would be read: behind what was to run later, and never from before a change.
func TestAhead(t *testing.T) {
	db, q := open(t)
	setValue(t, db, "a", "1")
	setValue(t, db, "b", "1")
	const query = `SELECT value FROM server_values WHERE name = ?`
	read := func(tx *engine.Transaction, name string) (value string) {
		tx.Scan(query, []any{name}, &value)
		return value
	}
	want := func(tx *engine.Transaction, name, value string) {
		t.Helper()
		if got := read(tx, name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	set := func(tx *engine.Transaction, name, value string) error {
		return tx.Later(`UPDATE server_values SET value = ? WHERE name = ?`, value, name)
	}
	asked := func(tx *engine.Transaction) {
		tx.Ahead(func() { want(tx, "a", ""); want(tx, "none", ""); want(tx, "b", "") })
	}
	no := errors.New("no")
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		asked(tx)
		err := set(tx, "a", "2")
		want(tx, "none", "") // sends all
		want(tx, "b", "1")
		want(tx, "a", "2")
		want(tx, "a", "2") // again, without having asked

		asked(tx)
		err = errors.Join(err, tx.Scan(`SELECT 1`, nil, new(int)), set(tx, "a", "3"))
		want(tx, "a", "3")

		asked(tx)
		err = errors.Join(err, tx.Scan(`SELECT 1`, nil, new(int)))
		if n, wrong := tx.Exec(`UPDATE server_values SET value = '4' WHERE name <> 'none'`); n < 2 || wrong != nil {
			t.Error(n, wrong)
		}
		want(tx, "b", "4")
		want(tx, "a", "4")

		undone := tx.Try(func() error {
			asked(tx)
			return errors.Join(set(tx, "a", "5"), tx.Scan(`SELECT 1`, nil, new(int)), no)
		})
		if !errors.Is(undone, no) {
			t.Error(undone)
		}
		want(tx, "a", "4")
		asked(tx)
		err = errors.Join(err, tx.Try(func() error { return set(tx, "a", "6") }))
		want(tx, "a", "6")
		asked(tx)
		return errors.Join(err, set(tx, "b", "7"))
	})
	if all := values(t, q); err != nil || len(all) != 2 {
		t.Error(all, err)
	}
	for i := range 2 * db.Readers().Size() { // each connection that writes: it keeps nothing of a change before
		err := db.Write(t.Context(), func(tx *engine.Transaction) error {
			want(tx, "b", "7")
			asked(tx)
			return errors.Join(tx.Scan(`SELECT 1`, nil, new(int)), no)
		})
		if !errors.Is(err, no) {
			t.Error(i, err)
		}
	}
}

// Rows of every kind and number are the same when they are read ahead.
func TestRowsAhead(t *testing.T) {
	db, _ := open(t)
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		const add, query = `INSERT INTO form_addresses (hash, times, last_ms) VALUES (?, ?, ?)`,
			`SELECT hash, times, last_ms, NULL, 'text' FROM form_addresses WHERE last_ms > ? ORDER BY last_ms`
		for i := range 3 {
			if _, err := tx.Exec(add, []byte{0, byte(i), 255}, []byte{}, i); err != nil {
				return err
			}
		}
		read := func() (all [][5]any) {
			err := tx.Each(query, []any{0}, func(scan func(...any) error) error {
				var row [5]any
				err := scan(&row[0], &row[1], &row[2], &row[3], &row[4])
				all = append(all, row)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			return all
		}
		alone := read()
		tx.Ahead(func() { read() })
		if err := tx.Scan(`SELECT 1`, nil, new(int)); err != nil {
			return err
		}
		if ahead := read(); len(ahead) != 2 || !reflect.DeepEqual(ahead, alone) {
			t.Errorf("ahead %v, alone %v", ahead, alone)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
