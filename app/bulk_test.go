package app_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/subjects"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store"
	"daybook/store/enginetest"
)

// heldStore notes for how long each function had the writer, and can end the writes after some.
type heldStore struct {
	*store.Store
	mu    sync.Mutex
	holds []time.Duration // computing: what other processes take of the machine is not counted
	left  atomic.Int64    // writes until all fail
}

var errKilled = errors.New("killed")

func (s *heldStore) Write(ctx context.Context, change func(app.Tx) error) error {
	if s.left.Add(-1) < 0 {
		return errKilled
	}
	return s.Store.Write(ctx, func(tx app.Tx) error {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		begun := computed()
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.holds = append(s.holds, computed()-begun)
		}()
		return change(tx)
	})
}

func (s *heldStore) WriteAlong(ctx context.Context, change func(app.Tx) error) error {
	return s.Write(ctx, change)
}

var started = time.Now()

// computed is how long this thread has had a processor; where the system can't tell, the time since the start.
func computed() time.Duration {
	const thread = 1 // RUSAGE_THREAD of Linux
	var used syscall.Rusage
	if syscall.Getrusage(thread, &used) != nil {
		return time.Since(started)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// held is for how long the writer was held at most, once and in 99 of 100 writes.
func (s *heldStore) held() (most, usual time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.holds)
	return s.holds[len(s.holds)-1], s.holds[len(s.holds)*99/100]
}

// many is how many contacts keep a writer busy for long. On PostgreSQL nobody waits for another's change: there it is
// enough that there are many steps.
func many() int {
	switch {
	case enginetest.OnPostgres():
		return 5_000
	case apptest.Long():
		return 50_000
	}
	return 10_000
}

func contactsCSV(n int) string {
	var b strings.Builder
	b.WriteString("email,name,phone\n")
	for i := range n {
		fmt.Fprintf(&b, "person%d@mail.example,Person Number%d,+49 30 %d\n", i, i, 1000000+i)
	}
	return b.String()
}

// An import of many contacts gives the writer back at least every 50 ms, and the writes of another workspace come
// through in between. One step in a hundred may be slower: the garbage collector takes its share.
func TestImportLeavesTheWriterToOthers(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.Store}
	held.left.Store(1 << 40)
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	other, err := s.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "Europe/Berlin"})
	w.Must(err)
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	done := make(chan error)
	go func() {
		res, err := s.People.ImportContacts(t.Context(), owner, contact.ImportInput{File: []byte(contactsCSV(many()))})
		if err == nil && res.Created != many() {
			err = fmt.Errorf("got %+v", res)
		}
		done <- err
	}()
	slowest, writes := time.Duration(0), 0
	for ; ; writes++ {
		select {
		case err := <-done:
			w.Must(err)
			most, usual := held.held()
			t.Logf("the writer was held for %v at most, for %v in 99 of 100 steps; of %d writes of another workspace the slowest took %v",
				most, usual, writes, slowest)
			if usual > 50*time.Millisecond || most > 500*time.Millisecond || writes < many()/500 {
				t.Error("the import keeps the writer from others")
			}
			return
		default:
		}
		begun := time.Now()
		in := booking.ContactInput{Name: "n", Email: fmt.Sprintf("n%d@other.example", writes)}
		_, _, err := s.People.CreateContact(t.Context(), app.Actor{Kind: booking.ByAPI, Workspace: other.ID}, in)
		w.Must(err)
		slowest = max(slowest, time.Since(begun))
	}
}

// An import that is killed midway says how far it came; the same file again makes nothing twice.
func TestKilledImportIsImportedAgain(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.Store}
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	file := contactsCSV(1000)
	held.left.Store(5)
	res, err := s.People.ImportContacts(t.Context(), owner, contact.ImportInput{File: []byte(file)})
	if !errors.Is(err, errKilled) || res.Created == 0 || res.Created >= 1000 || res.StoppedAt != res.Created+2 {
		t.Fatalf("got %+v, %v", res, err)
	}
	held.left.Store(1 << 40)
	w.Clock.Advance(3 * time.Minute) // so that nobody takes it for running
	again, err := s.People.ImportContacts(t.Context(), owner, contact.ImportInput{File: []byte(file)})
	w.Must(err)
	if again.Same != res.Created || again.Created != 1000-res.Created || again.StoppedAt != 0 {
		t.Errorf("first %+v, then %+v", res, again)
	}
}

// A deletion of a workspace with many contacts gives the writer back at least every 50 ms, and the writes of another
// workspace come through in between. One step in a hundred may be slower: the garbage collector takes its share.
func TestDeletionLeavesTheWriterToOthers(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.Store}
	held.left.Store(1 << 40)
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	other, err := s.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "Europe/Berlin"})
	w.Must(err)
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	_, err = s.People.ImportContacts(t.Context(), owner, contact.ImportInput{File: []byte(contactsCSV(many()))})
	w.Must(err)
	held.mu.Lock()
	held.holds = nil
	held.mu.Unlock()
	done := make(chan error)
	go func() {
		err := s.Shop.DeleteWorkspace(t.Context(), owner, "salon")
		for more := true; more && err == nil; {
			more, err = s.Upkeep.Sweep(t.Context(), 50)
		}
		done <- err
	}()
	slowest, writes := time.Duration(0), 0
	for ; ; writes++ {
		select {
		case err := <-done:
			w.Must(err)
			most, usual := held.held()
			t.Logf("the writer was held for %v at most, for %v in 99 of 100 steps; of %d writes of another workspace the slowest took %v",
				most, usual, writes, slowest)
			if usual > 50*time.Millisecond || most > 500*time.Millisecond || writes < 20 {
				t.Error("the deletion keeps the writer from others")
			}
			if strings.Contains(w.everything(), fmt.Sprintf("person%d@", many()-1)) {
				t.Error("the contacts are still there")
			}
			return
		default:
		}
		begun := time.Now()
		in := booking.ContactInput{Name: "n", Email: fmt.Sprintf("n%d@other.example", writes)}
		_, _, err := s.People.CreateContact(t.Context(), app.Actor{Kind: booking.ByAPI, Workspace: other.ID}, in)
		w.Must(err)
		slowest = max(slowest, time.Since(begun))
	}
}

// A deletion that is killed after the mark, or after any number of steps, ends when Maintain goes on; the other
// workspace loses nothing, and from the mark on nothing of the deleted one can be reached or is sent.
func TestKilledDeletionGoesOn(t *testing.T) {
	for _, steps := range []int64{1, 2, 4} {
		w := newWorld(t)
		held := &heldStore{Store: w.Store}
		held.left.Store(1 << 40)
		s := w.Subjects(func(c *subjects.Config) { c.Store = held })
		other, err := s.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "Europe/Berlin"})
		w.Must(err)
		_, _, err = s.People.CreateContact(t.Context(), app.Actor{Kind: booking.ByAPI, Workspace: other.ID}, booking.ContactInput{Name: "Keep", Email: "keep@other.example"})
		w.Must(err)
		key, err := s.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "k", Scope: "full"})
		w.Must(err)
		w.offer("cut", 1, nil)
		w.Must(w.SQL(fmt.Sprintf(`INSERT INTO webhook_endpoints (id, workspace_id, url, kinds, secret, created_ms) VALUES (77, %d, 'https://hook.example', 'booking.created', '', 0)`, w.Workspace.ID)))
		w.Must(w.SQL(fmt.Sprintf(`UPDATE workspaces SET revision = revision + 1 WHERE id = %d`, w.Workspace.ID)))
		b := w.Booked("cut", "1T10", "zweifel")
		if waiting, err := s.Webhook.WaitingEndpoints(t.Context()); err != nil || len(waiting) != 1 {
			t.Fatalf("no delivery waits: %v %v", waiting, err)
		}
		w.Must(w.SQL(fmt.Sprintf(`INSERT INTO mails (id, workspace_id, booking_id, kind, recipient, facts, due_ms, until_ms) VALUES (1, %d, %d, 'x', 'zweifel@mail.example', '{}', 0, 9223372036854775807)`, w.Workspace.ID, b.ID)))
		w.Must(w.SQL(fmt.Sprintf(`UPDATE bookings SET status = 0, expires_ms = 1, needs = 2 WHERE id = %d`, b.ID)))
		owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
		_, err = s.People.ImportContacts(t.Context(), owner, contact.ImportInput{File: []byte(contactsCSV(2000))})
		w.Must(err)
		held.left.Store(steps)
		w.Must(s.Shop.DeleteWorkspace(t.Context(), owner, "salon"))

		if !strings.Contains(w.everything(), "person1999@") {
			t.Fatal("all was deleted before the kill")
		}
		s = w.Subjects(nil) // the next process
		if k, err := s.Account.Authenticate(key.Value); err == nil {
			t.Errorf("the key still works: %+v", k)
		}
		if _, err := s.WorkspaceBySlug(t.Context(), "salon"); err == nil {
			t.Error("the workspace is still there")
		}
		if _, err := s.Setup(w.Workspace.ID); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("set-up: %v", err)
		}
		if n, err := s.Lapse(t.Context(), 10); n != 0 || err != nil {
			t.Errorf("lapsed %d, %v", n, err)
		}
		before, err := w.Store.Mails(w.Workspace.ID, mail.Filter{Limit: 10})
		w.Must(err)
		_, err = s.Mail.WriteMails(t.Context(), 10)
		w.Must(err)
		if after, err := w.Store.Mails(w.Workspace.ID, mail.Filter{Limit: 10}); len(after) != len(before) || err != nil {
			t.Errorf("wrote mails: %+v, %v", after, err)
		}
		w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error {
			mails, err := tx.(mail.Tx).ClaimMails(work.Whole(1), 0, when.At(w.Clock.Now()), when.At(w.Clock.Now().Add(time.Hour)), 10)
			if len(mails) != 0 {
				t.Errorf("mails are sent: %+v", mails)
			}
			return err
		}))
		batches, err := s.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: 77, Limit: 10}}, time.Minute)
		if err != nil || len(batches) != 0 {
			t.Errorf("deliveries are sent: %+v %v", batches, err)
		}
		_, err = s.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "salon", Name: "Next", TimeZone: "Europe/Berlin"})
		w.Must(err)
		for more := true; more; {
			more, err = s.Upkeep.Sweep(t.Context(), 1)
			w.Must(err)
		}
		all := w.everything()
		for _, gone := range []string{"person", "zweifel", fmt.Sprintf("%d", w.Workspace.ID)} {
			if strings.Contains(all, gone) {
				t.Errorf("%s is still there", gone)
			}
		}
		for _, kept := range []string{"keep@other.example", "Next"} {
			if !strings.Contains(all, kept) {
				t.Errorf("%s was deleted too", kept)
			}
		}
	}
}

// A contact is gone at once; what names it in 300 bookings goes in steps, killed or not. A merge that is killed leaves
// both contacts, and the same merge again ends it.
func TestKilledErasureAndMergeGoOn(t *testing.T) {
	w := newWorld(t)
	held := &heldStore{Store: w.Store}
	s := w.Subjects(func(c *subjects.Config) { c.Store = held })
	w.offer("cut", 1, nil)
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	b := w.Booked("cut", "1T10", "zweifel")
	_, err := w.Cancel(t.Context(), owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.Must(w.SQL(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms, name, email, created_ms)
		SELECT i, workspace_id, event_type_id, host_id, contact_id, 3, i, i + 1, i, i + 1, name, i || 'zweifel@mail.example', created_ms FROM n, bookings WHERE bookings.id = %d`, b.ID)))
	into, _, err := w.People.CreateContact(t.Context(), owner, booking.ContactInput{Name: "Into", Email: "into@mail.example"})
	w.Must(err)

	held.left.Store(2)
	_, err = s.People.MergeContacts(t.Context(), owner, b.ContactID.String(), into.ID.String())
	if !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if _, err := w.People.ContactByID(t.Context(), owner, b.ContactID.String()); err != nil {
		t.Errorf("half merged: %v", err)
	}
	held.left.Store(1 << 40)
	_, err = s.People.MergeContacts(t.Context(), owner, b.ContactID.String(), into.ID.String())
	w.Must(err)
	if _, err := w.People.ContactByID(t.Context(), owner, b.ContactID.String()); err == nil {
		t.Error("merged, and still there")
	}

	held.left.Store(2) // the mark, and a step
	w.Must(s.People.DeleteContact(t.Context(), owner, into.ID.String()))
	if _, err := w.People.ContactByID(t.Context(), owner, into.ID.String()); err == nil {
		t.Error("the contact is still there")
	}
	if !strings.Contains(w.everything(), "zweifel") {
		t.Fatal("all was erased before the kill")
	}
	for more := true; more; {
		more, err = w.Upkeep.Sweep(t.Context(), 1)
		w.Must(err)
	}
	if strings.Contains(w.everything(), "zweifel") {
		t.Error("still named")
	}
}
