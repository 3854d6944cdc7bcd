package engine_test

import (
	"errors"
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
