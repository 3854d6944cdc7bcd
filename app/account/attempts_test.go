package account_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/subjects"
)

// contest has 16 goroutines at each server do what do says, so many times each, with a number of their own.
func (o *office) contest(times int, do func(s *subjects.Set, i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for n, s := range o.servers {
		for g := range 16 {
			all.Go(func() {
				<-start
				for i := range times {
					do(s, (n*16+g)*times+i)
				}
			})
		}
	}
	close(start)
	all.Wait()
}

// Guesses count over all servers of a database, exactly, and success forgives at all of them.
func TestGuessesCountOverServers(t *testing.T) {
	o := newOffice(t, 2)
	const password = "correct horse 1"
	s := o.servers[0]
	w, err := s.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "salon", Name: "Salon", TimeZone: "UTC"})
	o.must(err)
	in := account.UserInput{Email: "ana@salon.example", Role: app.OwnerRole, Password: password}
	owner, err := s.Account.CreateUser(t.Context(), app.Operator(w.ID), in)
	o.must(err)
	signIn := func(s *subjects.Set, email, password, address string) error {
		_, _, err := s.Account.SignIn(t.Context(), account.SignInInput{Email: email, Password: password, Address: address})
		return err
	}
	for _, c := range []struct {
		name string
		want int64
		try  func(s *subjects.Set, i int) error
	}{
		{"from one address", 5, func(s *subjects.Set, i int) error {
			return signIn(s, owner.Email, "wrong", "192.0.2.1")
		}},
		{"to many accounts from one address", 30, func(s *subjects.Set, i int) error {
			return signIn(s, fmt.Sprint(i, "@x.example"), "wrong", "192.0.2.2")
		}},
		{"from everywhere", 95, func(s *subjects.Set, i int) error { // 100 less the 5 of above
			return signIn(s, owner.Email, "wrong", fmt.Sprintf("2001:db8:%x::1", i))
		}},
	} {
		var tried atomic.Int64
		o.contest(6, func(s *subjects.Set, i int) {
			if err := c.try(s, i); fault.Is(err, fault.Unauthorized) {
				tried.Add(1)
			} else if !fault.Is(err, fault.RateLimited) {
				t.Errorf("%s: %v", c.name, err)
			}
		})
		if tried.Load() != c.want {
			t.Errorf("%s: %d were tried, want %d", c.name, tried.Load(), c.want)
		}
	}
	o.now.Add((15*time.Minute - time.Millisecond).Milliseconds())
	if err := signIn(s, owner.Email, password, "192.0.2.3"); !fault.Is(err, fault.RateLimited) {
		t.Errorf("before the quarter of an hour is over: %v", err)
	}
	o.now.Add(1)
	for i := range 4 {
		if err := signIn(o.servers[i%2], owner.Email, "wrong", "192.0.2.1"); !fault.Is(err, fault.Unauthorized) {
			t.Fatal(err)
		}
	}
	o.must(signIn(o.servers[0], owner.Email, password, "192.0.2.1"))
	for i := range 5 {
		if err := signIn(o.servers[1], owner.Email, "wrong", "192.0.2.1"); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("guess %d after a success: %v", i, err)
		}
	}
	if err := signIn(o.servers[0], owner.Email, password, "192.0.2.1"); !fault.Is(err, fault.RateLimited) {
		t.Errorf("the sixth: %v", err)
	}
}
