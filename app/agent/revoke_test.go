package agent_test

import (
	"net/http"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
)

// A stream ends when its key is revoked or replaced, by another process too; those of other keys stay.
func TestStreamsEndWithTheirKey(t *testing.T) {
	w := newWorld(t)
	other := w.Subjects(nil) // as another process: it shares the file only
	open := func(value string) (all []*http.Response) {
		for _, path := range []string{"/api/sse", "/api/mcp"} {
			res := w.request("GET", path, "", "Content-Type", "", "Authorization", "Bearer "+value)
			if res.StatusCode != 200 {
				t.Fatalf("%s: %d", path, res.StatusCode)
			}
			all = append(all, res)
		}
		return all
	}
	ended := func(streams []*http.Response) {
		t.Helper()
		for _, s := range streams {
			late := time.AfterFunc(10*time.Second, func() { s.Body.Close() })
			for range events(s) {
			}
			if !late.Stop() {
				t.Fatalf("the stream of %s is still open", s.Request.URL.Path)
			}
		}
	}
	key := func() account.NewKey {
		k, err := other.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "agent", Scope: account.FullScope})
		must(t, err)
		return k
	}
	kept, revoked, rotated := open(w.key), key(), key()
	a, b := open(revoked.Value), open(rotated.Value)
	_, err := other.Account.RevokeKey(t.Context(), app.Operator(0), revoked.ID.String())
	must(t, err)
	ended(a)
	_, err = other.Account.RotateKey(t.Context(), app.Operator(0), rotated.ID.String(), 0)
	must(t, err)
	ended(b)

	graced := key()
	c := open(graced.Value)
	_, err = other.Account.RotateKey(t.Context(), app.Operator(0), graced.ID.String(), time.Hour)
	must(t, err)
	w.Clock.Advance(2 * time.Hour)
	ended(c)

	done := make(chan struct{})
	for _, s := range kept {
		go func() {
			for range events(s) {
			}
			done <- struct{}{}
		}()
	}
	select {
	case <-done:
		t.Error("the stream of another key has ended")
	default:
	}
}
