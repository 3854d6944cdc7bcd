package rest_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/rest"
	"daybook/app/subjects"
	"daybook/store/enginetest"
	"daybook/store/pgtest"
)

// A key that is revoked at one server is refused by the other one at once.
func TestRevokedKeyAtTwoServers(t *testing.T) {
	w := newWorld(t)
	ask := asking(t, w.Another().Set)
	var took []time.Duration
	for range 30 {
		k := w.Key(account.FullScope)
		apptest.Eventually(t, "the key works", func() bool { return ask(k.Value) == http.StatusOK })
		_, err := w.Account.RevokeKey(t.Context(), app.Operator(w.Workspace.ID), k.ID.String())
		w.Must(err)
		revoked := time.Now()
		apptest.Eventually(t, "the key is refused", func() bool { return ask(k.Value) == http.StatusUnauthorized })
		took = append(took, time.Since(revoked))
	}
	slices.Sort(took)
	median, most := took[len(took)/2], took[len(took)-1]
	t.Logf("from the revocation to the first refusal at the other server, with its request: %v, at most %v", median, most)
	if median > time.Second {
		t.Errorf("a revoked key works for %v", median)
	}
}

// At a server that no longer hears of others' commits, and does not know that yet, a revoked key works for a second at
// most.
func TestRevokedKeyBesideASilentListener(t *testing.T) {
	place := enginetest.PlaceOnPostgres(t)
	a := apptest.New(t, apptest.Options{Place: place, Empty: true}).Beside("salon")
	wire := pgtest.NewWire(t, place)
	b := apptest.New(t, apptest.Options{Place: wire.URL, Empty: true})
	ask := asking(t, b.Set)
	for range 3 {
		k := a.Key(account.FullScope)
		apptest.Eventually(t, "the key works", func() bool { return ask(k.Value) == http.StatusOK })
		wire.SilenceListeners()
		_, err := a.Account.RevokeKey(t.Context(), app.Operator(a.Workspace.ID), k.ID.String())
		a.Must(err)
		revoked, last := time.Now(), time.Time{}
		apptest.Eventually(t, "the key is refused", func() bool {
			asked := time.Now()
			refused := ask(k.Value) == http.StatusUnauthorized
			if !refused {
				last = asked
			}
			return refused
		})
		worked := max(0, last.Sub(revoked)) // as of the last request that was let through
		t.Logf("the key worked for %v", worked)
		if worked > time.Second {
			t.Errorf("a revoked key worked for %v", worked)
		}
		wire.Restore()
	}
}

// asking is a server of its own over set. It asks for bookings with a key, and answers the status.
func asking(t *testing.T, set *subjects.Set) func(key string) int {
	srv := httptest.NewServer(rest.New(set, rest.Options{Version: "test"}))
	t.Cleanup(srv.Close)
	return func(key string) int {
		r, err := http.NewRequestWithContext(t.Context(), "GET", srv.URL+"/api/v1/bookings", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key)
		res, err := srv.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil {
			t.Error(err)
		}
		return res.StatusCode
	}
}
