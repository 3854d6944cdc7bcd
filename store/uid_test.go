package store

import (
	"errors"
	"testing"

	"daybook/app"
	"daybook/store/enginetest"
)

// The number of a domain is remembered once the row that has it is committed, and not when the part of the transaction
// that made the row is undone.
func TestNumbersOfUndoneDomainsAreForgotten(t *testing.T) {
	s := New(enginetest.Open(t))
	no := errors.New("no")
	number := func(change func(tx) error) {
		t.Helper()
		err := s.Write(t.Context(), func(a app.Tx) error { return change(a.(tx)) })
		if err != nil {
			t.Fatal(err)
		}
	}
	give := func(t tx, domain string) error { _, err := t.uidDomain(domain); return err }
	number(func(t tx) error {
		if err := t.Try(func() error { return errors.Join(give(t, "undone.example"), no) }); !errors.Is(err, no) {
			return err
		}
		return nil
	})
	if n, ok := s.uidDomains.Load("undone.example"); ok {
		t.Errorf("the number %v of a domain without a row is remembered", n)
	}
	number(func(t tx) error {
		return t.Try(func() error { return give(t, "kept.example") })
	})
	var n int64
	if err := s.Scan(`SELECT id FROM uid_domains WHERE domain = 'kept.example'`, nil, &n); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.uidDomains.Load("kept.example"); got != n {
		t.Errorf("the number %v is remembered, the row has %d", got, n)
	}
}
