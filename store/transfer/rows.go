package transfer

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"daybook/app/upkeep"
	"daybook/store/engine"
)

// valuesTable also holds the notes of the move, which differ in each database and are not copied.
const valuesTable = "server_values"

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func list(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = quoted(n)
	}
	return strings.Join(all, ", ")
}

func marks(n int) string { return "(" + strings.TrimSuffix(strings.Repeat("?, ", n), ", ") + ")" }

func count(q *engine.Querier, table string) (n int64, err error) {
	err = q.Scan("SELECT COUNT(*) FROM "+quoted(table), nil, &n)
	return n, err
}

// page reads at most so many rows after a key, in the order of the key. nil is before all rows.
func (t table) page(q *engine.Querier, after []any, rows int) (page [][]any, err error) {
	query := "SELECT " + list(t.Columns) + " FROM " + quoted(t.Name)
	if after != nil {
		query += " WHERE (" + list(t.Key) + ") > " + marks(len(t.Key))
	}
	query += " ORDER BY " + list(t.Key) + " LIMIT ?"
	err = q.Each(query, append(slices.Clone(after), rows), func(scan func(...any) error) error {
		row, to := make([]any, len(t.Columns)), make([]any, len(t.Columns))
		for i := range row {
			to[i] = &row[i]
		}
		err := scan(to...)
		for i := 0; i < len(row) && err == nil; i++ {
			row[i], err = plain(row[i])
		}
		page = append(page, row)
		return err
	})
	return page, err
}

// plain converts a value to what both engines accept: nil, int64, string or []byte.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case nil, int64, string:
		return v, nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case []byte:
		if v == nil {
			return []byte{}, nil // a nil slice would be stored as NULL
		}
		return v, nil
	}
	return nil, fmt.Errorf("no way is known to copy a value of the kind %T", v)
}

func (t table) keyOf(row []any) []any {
	key := make([]any, len(t.Key))
	for i, name := range t.Key {
		key[i] = row[slices.Index(t.Columns, name)]
	}
	return key
}

// ours returns the rows without the notes of moves.
func (t table) ours(rows [][]any) [][]any {
	if t.Name != valuesTable {
		return rows
	}
	name := slices.Index(t.Columns, "name")
	return slices.DeleteFunc(slices.Clone(rows), func(row []any) bool {
		return row[name] == upkeep.MovedName || row[name] == upkeep.ArrivingName
	})
}

// together is how many rows one statement inserts.
const together = 50

func (t table) insert(tx *engine.Transaction, rows [][]any) error {
	if t.Pause != "" && len(rows) > 0 {
		if _, err := tx.Exec(t.Pause); err != nil {
			return err
		}
	}
	into := "INSERT INTO " + quoted(t.Name) + " (" + list(t.Columns) + ") VALUES "
	one := marks(len(t.Columns))
	if t.derived {
		into = "INSERT INTO " + quoted(t.Name) + " (" + list(append(slices.Clone(t.Columns), workspaceColumn)) + ") VALUES "
		owner := "(SELECT " + workspaceColumn + " FROM " + quoted(t.Owner.Table) + " WHERE id = ?)"
		one = strings.TrimSuffix(one, ")") + ", " + owner + ")"
		by := slices.Index(t.Columns, t.Owner.By)
		owned := make([][]any, len(rows))
		for i, row := range rows {
			owned[i] = append(slices.Clone(row), row[by])
		}
		rows = owned
	}
	many := strings.TrimSuffix(strings.Repeat(one+", ", together), ", ")
	for left := rows; len(left) > 0; {
		n, query := 1, into+one
		if len(left) >= together {
			n, query = together, into+many
		}
		if _, err := tx.Exec(query, slices.Concat(left[:n]...)...); err != nil {
			return err
		}
		left = left[n:]
	}
	if t.Resume != "" && len(rows) > 0 {
		if _, err := tx.Exec(t.Resume); err != nil {
			return err
		}
	}
	return nil
}

// key is a primary key. Its JSON form keeps all digits of an integer and all bytes of a text.
type key []any

func (k key) texts() []string {
	texts := make([]string, len(k))
	for i, v := range k {
		switch v := v.(type) {
		case int64:
			texts[i] = "i" + strconv.FormatInt(v, 10)
		case string:
			texts[i] = "t" + base64.StdEncoding.EncodeToString([]byte(v))
		case []byte:
			texts[i] = "b" + base64.StdEncoding.EncodeToString(v)
		}
	}
	return texts
}

func keyFrom(texts []string) (key, error) {
	var k key
	for _, text := range texts {
		kind, rest := text[:min(1, len(text))], text[min(1, len(text)):]
		number, err := int64(0), error(nil)
		var b []byte
		if kind == "i" {
			number, err = strconv.ParseInt(rest, 10, 64)
		} else {
			b, err = base64.StdEncoding.DecodeString(rest)
		}
		switch {
		case err != nil:
			return nil, err
		case kind == "i":
			k = append(k, number)
		case kind == "t":
			k = append(k, string(b))
		case kind == "b":
			k = append(k, b)
		default:
			return nil, fmt.Errorf("%q is no part of a key", text)
		}
	}
	return k, nil
}
