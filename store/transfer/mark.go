package transfer

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"daybook/app/upkeep"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/engine"
)

const startAnew = "empty the new database (drop it, or remove the file) and copy again"

// progress is the note in the new database.
type progress struct {
	upkeep.Move
	Table string // the table that is being copied; empty before the first row
	After key    // of its last row that is there; nil before the first
}

// progressJSON is how progress is stored.
type progressJSON struct {
	upkeep.Move
	Table string   `json:"table"`
	After []string `json:"after"`
}

func (p progress) save(tx *engine.Transaction) error {
	text, err := json.Marshal(progressJSON{p.Move, p.Table, p.After.texts()})
	if err != nil {
		return err
	}
	return setValue(tx, upkeep.ArrivingName, string(text))
}

func setValue(tx *engine.Transaction, name, value string) error {
	_, err := tx.Exec(`INSERT INTO server_values (name, value) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

func deleteValue(tx *engine.Transaction, name string) error {
	_, err := tx.Exec(`DELETE FROM server_values WHERE name = ?`, name)
	return err
}

// note reads a note into to. It tells whether there is one.
func note(ctx context.Context, db engine.Engine, name string, to any) (bool, error) {
	var text string
	err := engine.NewQuerier(ctx, db.Readers()).Scan(`SELECT value FROM server_values WHERE name = ?`, []any{name}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), to)
	}
	return err == nil, err
}

// begin reserves both databases for this copy and notes the move in them, unless an earlier run has done so.
func (c *copying) begin(ctx context.Context) error {
	fresh := false
	err := alone(ctx, c.to, func() (err error) {
		if fresh, err = c.find(ctx); err != nil || !fresh {
			return err
		}
		return c.to.Write(ctx, c.reached.save)
	})
	if err != nil {
		return err
	}
	err = alone(ctx, c.from, func() error {
		text, err := json.Marshal(upkeep.Move{ID: c.reached.ID, Other: c.to.Path(), At: c.reached.At})
		if err != nil {
			return err
		}
		err = c.from.Write(ctx, func(tx *engine.Transaction) error {
			return setValue(tx, upkeep.MovedName, string(text))
		})
		if err != nil {
			return err
		}
		return store.New(c.from).Number(ctx) // the other engine only numbers what is written there
	})
	if err != nil && fresh {
		err = errors.Join(err, c.end(context.WithoutCancel(ctx))) // the new one is as it was
	}
	return err
}

// alone makes this process the only server of a database until the database is closed. do runs before another server
// can join.
func alone(ctx context.Context, db engine.Engine, do func() error) error {
	first := false
	err := db.JoinServers(ctx, func() error {
		first = true
		return do()
	}, nil)
	if err == nil && !first {
		err = fmt.Errorf("stop the servers of %s first: %w, or a server of it was killed some seconds ago",
			db.Path(), ErrInUse)
	}
	return err
}

// find reads how far the copy has come. fresh tells that it has not begun yet, and that nothing prevents it.
func (c *copying) find(ctx context.Context) (fresh bool, err error) {
	var arriving progressJSON
	begun, err := note(ctx, c.to, upkeep.ArrivingName, &arriving)
	if err != nil {
		return false, err
	}
	var moved upkeep.Move
	gone, err := note(ctx, c.from, upkeep.MovedName, &moved)
	if err != nil {
		return false, err
	}
	var other upkeep.Move
	incomplete, err := note(ctx, c.from, upkeep.ArrivingName, &other)
	if err != nil {
		return false, err
	}
	from, to := c.from.Path(), c.to.Path()
	switch {
	case incomplete:
		return false, fmt.Errorf("%s is itself being copied from %s, and not complete: finish that first", from, other.Other)
	case begun && gone && moved.ID == arriving.ID, begun && !gone && arriving.Table == "" && arriving.Other == from:
		after, err := keyFrom(arriving.After)
		c.reached = progress{arriving.Move, arriving.Table, after}
		return false, err
	case begun && arriving.Other == from:
		return false, fmt.Errorf("%s was in use since a copy of it to %s was begun; %s", from, to, startAnew)
	case begun:
		return false, fmt.Errorf("%s holds the beginning of a copy of %s; %s", to, arriving.Other, startAnew)
	case gone:
		return false, fmt.Errorf("%s has moved to %s already (%s); to use it again, run: daybook migrate copy --undo "+
			"--from %s",
			from, moved.Other, moved.At, from)
	}
	c.reached = progress{Move: upkeep.Move{ID: rand.Text(), Other: from, At: when.At(time.Now())}}
	return true, c.checkEmpty(ctx)
}

// seeded lists the tables that have rows in a new database. The copy replaces those rows.
var seeded = []string{"followers"}

// checkEmpty fails when the new database has a row that no migration put there.
func (c *copying) checkEmpty(ctx context.Context) error {
	for _, t := range c.tables {
		if slices.Contains(seeded, t.Name) {
			continue
		}
		err := engine.NewQuerier(ctx, c.to.Readers()).Scan("SELECT 1 FROM "+quoted(t.Name)+" LIMIT 1", nil, new(int64))
		if err == nil {
			return fmt.Errorf("%s is not empty: its table %s has rows; name an empty database with --to", c.to.Path(), t.Name)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}

// end removes the note from the new database.
func (c *copying) end(ctx context.Context) error {
	return c.to.Write(ctx, func(tx *engine.Transaction) error { return deleteValue(tx, upkeep.ArrivingName) })
}

// ErrNotMoved is in the error of Undo for a database that was never moved.
var ErrNotMoved = errors.New("it has not moved")

// Undo puts a database back into use after it was copied, completely or not, and tells where it was copied to.
func Undo(ctx context.Context, from engine.Engine) (moved upkeep.Move, err error) {
	gone, err := note(ctx, from, upkeep.MovedName, &moved)
	if err == nil && !gone {
		err = fmt.Errorf("there is nothing to undo in %s: %w", from.Path(), ErrNotMoved)
	}
	if err != nil {
		return moved, err
	}
	return moved, from.Write(ctx, func(tx *engine.Transaction) error { return deleteValue(tx, upkeep.MovedName) })
}
