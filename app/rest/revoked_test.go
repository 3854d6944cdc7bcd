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
)

// A key that is revoked at one server is refused by the other one at once.
func TestRevokedKeyAtTwoServers(t *testing.T) {
	w := newWorld(t)
	srv := httptest.NewServer(rest.New(w.Another().Set, rest.Options{Version: "test"}))
	defer srv.Close()
	ask := func(key string) int {
		r, err := http.NewRequest("GET", srv.URL+"/api/v1/bookings", nil)
		w.Must(err)
		r.Header.Set("Authorization", "Bearer "+key)
		res, err := srv.Client().Do(r)
		w.Must(err)
		w.Must(res.Body.Close())
		return res.StatusCode
	}
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
