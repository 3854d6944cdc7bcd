package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"

	"daybook/store/engine"
)

// Sum is the count and hash of a table.
type Sum struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
	Hash  string `json:"hash"` // SHA-256 of all rows in the order of their key
}

// ErrDiffers is in the error of a copy that differs from the old database.
var ErrDiffers = errors.New("the copy is not the same")

// verify counts and hashes every table on both sides. Its error names the tables that differ.
func (c *copying) verify(ctx context.Context) ([]Sum, error) {
	var sums []Sum
	var wrong []string
	for _, t := range c.tables {
		theirs, ours, err := c.sumBoth(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("the table %s: %w", t.Name, err)
		}
		switch {
		case theirs.Rows != ours.Rows:
			wrong = append(wrong, fmt.Sprintf("%s has %d rows instead of %d", t.Name, ours.Rows, theirs.Rows))
		case theirs.Hash != ours.Hash:
			wrong = append(wrong, fmt.Sprintf("%s has other values in its %d rows", t.Name, ours.Rows))
		}
		sums = append(sums, theirs)
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%w: %s; was one of the two changed meanwhile? %s", ErrDiffers,
			strings.Join(wrong, ", "), startAnew)
	}
	return sums, nil
}

// sumBoth reads both sides concurrently.
func (c *copying) sumBoth(ctx context.Context, t table) (theirs, ours Sum, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		theirs, err = t.sum(ctx, c.from, c.o.PageRows)
		done <- err
	}()
	ours, err = t.sum(ctx, c.to, c.o.PageRows)
	if err != nil {
		cancel()
	}
	if other := <-done; err == nil {
		err = other
	}
	return theirs, ours, err
}

func (t table) sum(ctx context.Context, db engine.Engine, pageRows int) (Sum, error) {
	s := Sum{Table: t.Name}
	all := sha256.New()
	var after []any
	for more := true; more; {
		page, err := t.page(engine.NewQuerier(ctx, db.Readers()), after, pageRows)
		if err != nil {
			return s, err
		}
		for _, row := range t.ours(page) {
			s.Rows++
			addRow(all, row)
		}
		if more = len(page) == pageRows; more {
			after = t.keyOf(page[len(page)-1])
		}
	}
	s.Hash = hex.EncodeToString(all.Sum(nil))
	return s, nil
}

// addRow hashes a row in a form that is the same on every engine and different for every two rows.
func addRow(to hash.Hash, row []any) {
	var b []byte
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			b = append(b, 'n')
		case int64:
			b = binary.BigEndian.AppendUint64(append(b, 'i'), uint64(v))
		case string:
			b = append(binary.BigEndian.AppendUint64(append(b, 't'), uint64(len(v))), v...)
		case []byte:
			b = append(binary.BigEndian.AppendUint64(append(b, 'b'), uint64(len(v))), v...)
		}
	}
	to.Write(b)
}
