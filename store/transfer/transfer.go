package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"daybook/store"
	"daybook/store/engine"
)

// Options say how to copy. The zero value works.
type Options struct {
	// Progress is told after each page how many rows of a table are in the copy, and how many the table has. An error
	// stops the copy there.
	Progress func(table string, rows, of int64) error
	// PageRows is how many rows are read and written at once; 0 is 500.
	PageRows int
}

const pageRows = 500

// ErrInUse is in the error of Copy while a server runs on one of the two databases.
var ErrInUse = errors.New("it is being served")

// Copy copies everything from one database to the other, which must be empty or hold the beginning of the same copy.
// It returns the sum of each table, sorted by name; both databases have the same. As soon as it begins, from counts as
// moved; see Undo. Both databases must have this binary's schema.
func Copy(ctx context.Context, from, to engine.Engine, o Options) ([]Sum, error) {
	if o.PageRows <= 0 {
		o.PageRows = pageRows
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) error { return nil }
	}
	if from.Path() == to.Path() {
		return nil, fmt.Errorf("%s can't be copied to itself", from.Path())
	}
	if err := errors.Join(from.CheckSchema(ctx), to.CheckSchema(ctx)); err != nil {
		return nil, err
	}
	if err := errors.Join(checkContracted(ctx, from), checkContracted(ctx, to)); err != nil {
		return nil, err
	}
	c := &copying{from: from, to: to, o: o}
	var err error
	if c.tables, err = matched(ctx, from, to); err != nil {
		return nil, err
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	// The new engine may only number what is inserted there later.
	if err := store.New(c.from).Number(ctx); err != nil {
		return nil, err
	}
	if err := c.copyTables(ctx); err != nil {
		return nil, err
	}
	sums, err := c.verify(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(sums, func(a, b Sum) int { return strings.Compare(a.Table, b.Table) })
	return sums, c.end(ctx)
}

// checkContracted fails while a contract step waits: until then the tables are not those of the other database.
func checkContracted(ctx context.Context, db engine.Engine) error {
	all, err := db.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.Waiting {
			return fmt.Errorf("%s waits for %s: first run: daybook migrate up --contract --db %s", db.Path(), m.Name, db.Path())
		}
	}
	return nil
}

// copying is one copy under way.
type copying struct {
	from, to engine.Engine
	o        Options
	tables   []table
	reached  progress
}

// table is a table that both databases have: its description in the new one, and the counter of its rows in the old
// one.
type table struct {
	engine.Table
	counted *engine.Counter
	// derived is whether the new database alone has a workspace_id in the table. It is that of the row's owner.
	derived bool
}

const workspaceColumn = "workspace_id"

// matched lists the tables in the order in which to is filled. It fails unless both databases have the same tables.
func matched(ctx context.Context, from, to engine.Engine) ([]table, error) {
	theirs, err := from.Tables(ctx)
	if err != nil {
		return nil, err
	}
	ours, err := to.Tables(ctx)
	if err != nil {
		return nil, err
	}
	var all []table
	for _, t := range ours {
		i := slices.IndexFunc(theirs, func(other engine.Table) bool { return other.Name == t.Name })
		key, derived := []string(nil), false
		if i >= 0 {
			columns := sharedColumns(&theirs[i], &t)
			derived = len(columns) < len(t.Columns)
			if t.Columns = columns; columns != nil {
				key = sharedKey(theirs[i].Key, t.Key)
			}
		}
		if len(key) == 0 {
			return nil, fmt.Errorf("the table %s is not the same in %s and %s", t.Name, from.Path(), to.Path())
		}
		t.Key = key
		slices.Sort(t.Columns) // a table that was altered may have another order on each engine
		all = append(all, table{t, theirs[i].Counter, derived})
	}
	if len(theirs) != len(ours) {
		return nil, fmt.Errorf("%s has %d tables and %s has %d", from.Path(), len(theirs), to.Path(), len(ours))
	}
	return all, nil
}

// sharedKey returns what rows are told apart and ordered by in both databases, or nil. One may put the workspace before
// it.
func sharedKey(a, b []string) []string {
	if len(a) > len(b) {
		a, b = b, a
	}
	if slices.Equal(a, b) || len(b) > 1 && b[0] == workspaceColumn && slices.Equal(a, b[1:]) {
		return a
	}
	return nil
}

// sharedColumns returns the columns of a table in both databases. One may have a workspace_id besides, which is that of
// the row's owner; it is nil when the columns differ in any other way.
func sharedColumns(a, b *engine.Table) []string {
	if sameNames(a.Columns, b.Columns) {
		return b.Columns
	}
	if len(a.Columns) > len(b.Columns) {
		a, b = b, a
	}
	if b.Owner != nil && sameNames(append([]string{workspaceColumn}, a.Columns...), b.Columns) {
		return a.Columns
	}
	return nil
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// copyTables copies what the new database does not have yet.
func (c *copying) copyTables(ctx context.Context) error {
	first := 0
	if c.reached.Table != "" {
		first = slices.IndexFunc(c.tables, func(t table) bool { return t.Name == c.reached.Table })
		if first < 0 {
			return fmt.Errorf("%s was being copied to %s with another schema; %s", c.from.Path(), c.to.Path(), startAnew)
		}
	}
	for _, t := range c.tables[first:] {
		if err := c.copyTable(ctx, t); err != nil {
			return fmt.Errorf("the table %s: %w", t.Name, err)
		}
	}
	for _, t := range c.tables {
		if err := c.setCounter(ctx, t); err != nil {
			return fmt.Errorf("the numbers of table %s: %w", t.Name, err)
		}
	}
	return nil
}

func (c *copying) copyTable(ctx context.Context, t table) error {
	of, err := count(engine.NewQuerier(ctx, c.from.Readers()), t.Name)
	if err != nil {
		return err
	}
	var rows int64
	if t.Name == c.reached.Table {
		if rows, err = count(engine.NewQuerier(ctx, c.to.Readers()), t.Name); err != nil {
			return err
		}
	} else {
		c.reached.Table, c.reached.After = t.Name, nil
	}
	for more := true; more; {
		page, err := t.page(engine.NewQuerier(ctx, c.from.Readers()), c.reached.After, c.o.PageRows)
		if err != nil {
			return err
		}
		next := c.reached
		if len(page) > 0 {
			next.After = t.keyOf(page[len(page)-1])
		}
		replaced := c.reached.After == nil && slices.Contains(seeded, t.Name)
		err = c.to.Write(ctx, func(tx *engine.Transaction) error {
			if replaced {
				if _, err := tx.Exec("DELETE FROM " + quoted(t.Name)); err != nil {
					return err
				}
			}
			if err := t.insert(tx, t.ours(page)); err != nil {
				return err
			}
			return next.save(tx)
		})
		if err != nil {
			return err
		}
		c.reached = next
		rows += int64(len(page))
		if err := c.o.Progress(t.Name, rows, of); err != nil {
			return err
		}
		more = len(page) == c.o.PageRows
	}
	return nil
}

// setCounter makes the new database continue after the last number that the old one gave to a row of the table.
func (c *copying) setCounter(ctx context.Context, t table) error {
	if t.Counter == nil {
		return nil
	}
	q := engine.NewQuerier(ctx, c.from.Readers())
	var last int64
	if t.counted != nil {
		var err error
		if last, err = t.counted.Last(q); err != nil {
			return err
		}
	}
	var most int64
	query := "SELECT COALESCE(MAX(" + quoted(t.Counter.Column) + "), 0) FROM " + quoted(t.Name)
	if err := q.Scan(query, nil, &most); err != nil {
		return err
	}
	return c.to.Write(ctx, func(tx *engine.Transaction) error { return t.Counter.Set(tx, max(last, most)) })
}
