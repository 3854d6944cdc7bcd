package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a table that nouns are kept in, as whoever reads and writes all of them must know it.
type Table struct {
	Name    string
	Columns []string
	Key     []string // the columns of its primary key, in order
	Parents []string // the tables that its rows refer to
	Counter *Counter // of the numbers that the database gives to its rows; nil when it gives none
	// Pause and Resume are statements to run around the INSERTs of rows that come complete, in the same transaction:
	// in between, the schema's triggers change nothing in them. Empty when there is none.
	Pause, Resume string
}

// Counter is what a database numbers the rows of a table by. A number is never given twice, even when its row is gone.
type Counter struct {
	Column string
	Last   func(*Querier) (int64, error)   // the last number that was given, or 0
	Set    func(*Transaction, int64) error // the next one is above this one
}

// InOrder sorts tables so that each comes after those that its rows refer to, and by name where that leaves a choice.
func InOrder(tables []Table) ([]Table, error) {
	left := slices.SortedFunc(slices.Values(tables), func(a, b Table) int { return strings.Compare(a.Name, b.Name) })
	waits := func(t Table) bool {
		return slices.ContainsFunc(left, func(p Table) bool { return p.Name != t.Name && slices.Contains(t.Parents, p.Name) })
	}
	var sorted []Table
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(t Table) bool { return !waits(t) })
		if i < 0 {
			return nil, fmt.Errorf("store: the tables refer to each other in a circle: %s and others", left[0].Name)
		}
		sorted = append(sorted, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return sorted, nil
}
