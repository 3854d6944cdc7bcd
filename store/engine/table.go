package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Table describes a table of the nouns for code that reads or writes all tables.
type Table struct {
	Name    string
	Columns []string
	Key     []string // tells its rows apart: the number if Counter numbers them, else the primary key's columns in order
	Parents []string // the tables that its rows refer to, and the Owner's
	Counter *Counter // numbers the rows; nil when the database does not number them
	// Pause and Resume are statements that switch the table's triggers off and on, in the transaction that inserts
	// complete rows. They are empty when the table has no triggers.
	Pause, Resume string
	Owner         *Owner // nil where every engine has the workspace_id, or none
}

// Derived lists the tables, as texts of SQL, whose rows are made from those of others whenever they lack: Engine.Tables
// leaves them out.
const Derived = `'day_sums', 'day_marks', 'day_sum_turns'`

// Owner says from where a row has its workspace_id, where only some engines have that column: from the row of another
// table whose id it has in the column By.
type Owner struct{ Table, By string }

// Counter numbers the rows of a table. It never gives a number twice, even after the row is deleted.
type Counter struct {
	Column string
	Last   func(*Querier) (int64, error)   // the last number given, or 0
	Set    func(*Transaction, int64) error // the next number is the one after this
}

// InOrder sorts tables so that each comes after those that its rows refer to, and otherwise by name.
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
