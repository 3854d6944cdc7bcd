package sqlite

import (
	"context"
	"strings"
	"testing"

	"daybook/store/engine"
)

// What a dialect says holds for each statement: its text is made once per connection, and one that can be cancelled
// ends with its context.
func TestDialect(t *testing.T) {
	db := openTest(t)
	pool, err := db.pool(t.Context(), reading, 1)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	d := *dialect
	d.Cancels = true
	d.Text = func(query string) string {
		made++
		return strings.Replace(query, "/* claim x */", "+ 1", 1)
	}
	readers, err := engine.NewPool(t.Context(), pool, &d, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer readers.Close()
	for range 2 {
		var n int
		if err := engine.NewQuerier(t.Context(), readers).Scan(`SELECT 1 /* claim x */`, nil, &n); err != nil || n != 2 {
			t.Errorf("got %d, %v", n, err)
		}
	}
	if made != 1 {
		t.Errorf("the text was made %d times", made)
	}
	// Nobody but the statement asks for the end of its context.
	ctx, cancel := context.WithCancel(t.Context())
	const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT SUM(i) FROM n`
	if err := engine.NewQuerier(ended{ctx, cancel}, readers).Scan(endless, nil, new(any)); err == nil {
		t.Error("it came to an end")
	}
}

// ended is a context that ends when somebody asks for its end.
type ended struct {
	context.Context
	cancel func()
}

func (e ended) Done() <-chan struct{} {
	e.cancel()
	return e.Context.Done()
}
