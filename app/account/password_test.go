package account

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"

	"daybook/app"
	"daybook/app/fault"
)

// Whoever finds two hashing and as many waiting as may is told so at once, and not left to wait.
func TestHashingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewHashGate(2, 3)
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, 5)
		for range 5 {
			go func() { results <- g.Enter(ctx, knownTurn) }()
		}
		synctest.Wait() // two are in, three wait
		if len(results) != 2 {
			t.Fatalf("%d hash at once, want 2", len(results))
		}
		if err := g.Enter(ctx, knownTurn); !fault.Is(err, fault.RateLimited) || !IsUntried(err) {
			t.Errorf("one too many: %v", err)
		}
		g.Leave()
		synctest.Wait()
		if len(results) != 3 {
			t.Errorf("%d had their turn after one left, want 3", len(results))
		}
		cancel()
		synctest.Wait()
		for i := range 5 {
			if err := <-results; (err != nil) != (i >= 3) || err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%d: %v", i, err)
			}
		}
		if g.free != 0 || len(g.waiting[knownTurn]) != 0 {
			t.Errorf("%d places are free, %d wait: who gave up still has a place", g.free, len(g.waiting[knownTurn]))
		}
	})
}

// However many strangers wait, those who were known before have places of their own, and the next turn.
func TestStrangersWaitBehindMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewHashGate(1, 2, 2, 2)
		order := make(chan turn, 10)
		enter := func(of turn) {
			go func() {
				if err := g.Enter(t.Context(), of); err != nil {
					order <- -1
					return
				}
				order <- of
			}()
			synctest.Wait()
		}
		for range 4 { // one hashes, two wait, one is too many
			enter(strangerTurn)
		}
		if len(order) != 2 || <-order != strangerTurn || <-order != -1 {
			t.Fatal("strangers are not bounded")
		}
		for _, of := range []turn{memberTurn, knownTurn, memberTurn, knownTurn} {
			enter(of)
		}
		if len(order) != 0 {
			t.Fatalf("%d were refused, or had a turn", len(order))
		}
		for _, want := range []turn{knownTurn, knownTurn, memberTurn, memberTurn, strangerTurn, strangerTurn} {
			g.Leave()
			synctest.Wait()
			if got := <-order; got != want {
				t.Errorf("it is the turn of %d, want %d", got, want)
			}
		}
		g.Leave()
		if g.free != 1 {
			t.Errorf("%d places are free", g.free)
		}
	})
}

// A browser is known to the member who signed in with it, and no longer once the password is another one.
func TestKnownBrowser(t *testing.T) {
	u, other := app.User{ID: 1, PasswordHash: "a"}, app.User{ID: 1, PasswordHash: "b"}
	for _, c := range []struct {
		user    app.User
		browser string
		want    turn
	}{
		{u, KnownBrowser(&u), knownTurn}, {u, KnownBrowser(&other), memberTurn}, {u, "", memberTurn},
		{app.User{}, "", strangerTurn}, {app.User{}, KnownBrowser(&u), strangerTurn},
	} {
		if got := turnOf(&c.user, c.browser); got != c.want {
			t.Errorf("%+v %q: %d", c.user, c.browser, got)
		}
	}
}

// The addresses of an IPv6 network of a customer's are counted together.
func TestNetworksAreCounted(t *testing.T) {
	one, two, four := talliesOf("a", "2001:db8:1:2::1"), talliesOf("a", "2001:db8:1:3::1"), talliesOf("a", "192.0.2.1")
	same := 0
	for _, x := range one {
		for _, y := range two {
			if bytes.Equal(x.of, y.of) {
				same++
			}
		}
	}
	if len(one) != 4 || same != 2 || len(four) != 3 { // the account and the network
		t.Errorf("%d, %d and %d counts, %d of them the same", len(one), len(two), len(four), same)
	}
	if a, b := talliesOf("a", "2001:db8:1:2::1"), talliesOf("a", "2001:db8:1:2:9::7"); !reflect.DeepEqual(a, b) {
		t.Error("two addresses of one /64 are counted apart")
	}
}
