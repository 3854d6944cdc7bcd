package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
)

// heldStore notes for how long each function had the writer, and can end the writes after some.
type heldStore struct {
	app.Store
	mu    sync.Mutex
	holds []time.Duration
	left  atomic.Int64 // writes until all fail
}

var errKilled = errors.New("killed")

func (s *heldStore) Write(ctx context.Context, change func(app.Tx) error) error {
	if s.left.Add(-1) < 0 {
		return errKilled
	}
	return s.Store.Write(ctx, func(tx app.Tx) error {
		begun := time.Now()
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.holds = append(s.holds, time.Since(begun))
		}()
		return change(tx)
	})
}

// held is for how long the writer was held at most, once and in 99 of 100 writes.
func (s *heldStore) held() (most, usual time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.holds)
	return s.holds[len(s.holds)-1], s.holds[len(s.holds)*99/100]
}

func contactsCSV(n int) string {
	var b strings.Builder
	b.WriteString("email,name,phone\n")
	for i := range n {
		fmt.Fprintf(&b, "person%d@mail.example,Person Number%d,+49 30 %d\n", i, i, 1000000+i)
	}
	return b.String()
}

// An import of 50,000 contacts gives the writer back at least every 50 ms, and the writes of another workspace come
// through in between. One step in a hundred may be slower, on a machine that does other things.
func TestImportLeavesTheWriterToOthers(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.store}
	held.left.Store(1 << 40)
	s := app.New(app.Config{Store: held, Clock: w.clock})
	other, err := s.CreateWorkspace(t.Context(), app.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "Europe/Berlin"})
	w.must(err)
	owner := app.Actor{Kind: app.ByOwner, Workspace: w.ws.ID, Role: app.OwnerRole}
	done := make(chan error)
	go func() {
		res, err := s.ImportContacts(t.Context(), owner, strings.NewReader(contactsCSV(50_000)))
		if err == nil && res.Created != 50_000 {
			err = fmt.Errorf("got %+v", res)
		}
		done <- err
	}()
	slowest, writes := time.Duration(0), 0
	for ; ; writes++ {
		select {
		case err := <-done:
			w.must(err)
			most, usual := held.held()
			t.Logf("the writer was held for %v at most, for %v in 99 of 100 steps; of %d writes of another workspace the slowest took %v",
				most, usual, writes, slowest)
			if usual > 50*time.Millisecond || most > 500*time.Millisecond || writes < 100 {
				t.Error("the import keeps the writer from others")
			}
			return
		default:
		}
		begun := time.Now()
		in := app.ContactInput{Name: "n", Email: fmt.Sprintf("n%d@other.example", writes)}
		_, _, err := s.CreateContact(t.Context(), app.Actor{Kind: app.ByAPI, Workspace: other.ID}, in)
		w.must(err)
		slowest = max(slowest, time.Since(begun))
	}
}

// An import that is killed midway says how far it came; the same file again makes nothing twice.
func TestKilledImportIsImportedAgain(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.store}
	s := app.New(app.Config{Store: held, Clock: w.clock})
	owner := app.Actor{Kind: app.ByOwner, Workspace: w.ws.ID, Role: app.OwnerRole}
	file := contactsCSV(1000)
	held.left.Store(5)
	res, err := s.ImportContacts(t.Context(), owner, strings.NewReader(file))
	if !errors.Is(err, errKilled) || res.Created == 0 || res.Created >= 1000 || res.StoppedAt != res.Created+2 {
		t.Fatalf("got %+v, %v", res, err)
	}
	held.left.Store(1 << 40)
	again, err := s.ImportContacts(t.Context(), owner, strings.NewReader(file))
	w.must(err)
	if again.Same != res.Created || again.Created != 1000-res.Created || again.StoppedAt != 0 {
		t.Errorf("first %+v, then %+v", res, again)
	}
}
