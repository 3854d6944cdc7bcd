package app_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/subjects"
	"daybook/store"
)

// follower is a Follower that keeps what it was shown. It begins at the first entry.
func (w *world) follower(name string, batch int) (*app.Follower, *[]app.Followed) {
	w.T.Helper()
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO followers (name, last_number) VALUES ('%s', 0)`, name)))
	seen := &[]app.Followed{}
	return &app.Follower{Name: name, Batch: batch, Plan: func(_ context.Context, entries []app.Followed) (func(app.Tx) error, error) {
		return func(app.Tx) error { *seen = append(*seen, entries...); return nil }, nil
	}}, seen
}

func (w *world) follow(f *app.Follower) {
	w.T.Helper()
	for {
		n, err := f.Step(w.T.Context(), w.Service)
		w.Must(err)
		if n < f.Batch {
			return
		}
	}
}

// Three servers book into one database as a follower reads behind them: it misses no entry and reads none twice.
func TestAFollowerMissesNothing(t *testing.T) {
	const servers, each = 3, 40
	w := newWorld(t)
	w.offer("cut", 3, nil)
	f, seen := w.follower("calendar", 7)
	var all sync.WaitGroup
	for server := range servers {
		s := w.Another()
		all.Go(func() {
			for i := range each {
				start := fmt.Sprintf("%dT%d", 1+i/6, 9+i%6)
				b, err := s.Book(t.Context(), w.API, apptest.Input("cut", start, fmt.Sprintf("p%dx%d", server, i)))
				if err == nil && i%4 == 0 {
					_, err = s.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	booked := make(chan struct{})
	go func() { all.Wait(); close(booked) }()
	for over := false; !over; {
		select {
		case <-booked:
			over = true
		default:
		}
		w.follow(f)
	}
	if want := servers * (each + each/4); len(*seen) != want {
		t.Errorf("read %d entries, want %d", len(*seen), want)
	}
	last := int64(0)
	for _, e := range *seen {
		if e.Number <= last || e.Workspace != w.Workspace.ID || e.Booking == 0 || e.Seq == 0 {
			t.Fatalf("behind %d: %+v", last, e)
		}
		last = e.Number
	}
}

// A number is not given again when the entry that had it is deleted: a follower who has read that far would miss the
// next one.
func TestFollowersOutliveWhatTheyRead(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	f, seen := w.follower("calendar", 100)
	other := w.Beside("other", "dan")
	w.Booked("cut", "1T09", "ann")
	w.Booked("cut", "1T10", "bea")
	w.follow(f)
	last := (*seen)[1].Number

	w.Must(w.Shop.DeleteWorkspace(t.Context(), w.Owner, "salon"))
	for more := true; more; {
		var err error
		more, err = w.Upkeep.Sweep(t.Context(), 100)
		w.Must(err)
	}
	w.follow(f)
	other.Offer("cut", 60, nil)
	b := other.Booked("cut", "1T09", "cyd")
	w.follow(f)
	if got := (*seen)[2:]; len(got) != 1 || got[0].Booking != b.ID || got[0].Number <= last {
		t.Errorf("behind %d: %+v", last, got)
	}
}

// What a follower can't do is done again with the same entries; another follower is not held up by it, and what it
// wrote is undone.
func TestAFollowerTriesAgain(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	f, seen := w.follower("calendar", 100)
	b := w.Booked("cut", "1T09", "ann")
	broken := *f
	broken.Plan = func(ctx context.Context, entries []app.Followed) (func(app.Tx) error, error) {
		return func(tx app.Tx) error {
			if err := tx.InsertHost(&catalog.Host{ID: 99, WorkspaceID: w.Workspace.ID, Email: "x@salon.example"}); err != nil {
				return err
			}
			return errors.New("broken")
		}, nil
	}
	if _, err := broken.Step(t.Context(), w.Service); err == nil || err.Error() != "broken" {
		t.Fatal(err)
	}
	if setup, err := w.Setup(w.Workspace.ID); err != nil || setup.Host(99) != nil {
		t.Errorf("kept %+v, %v", setup.Host(99), err)
	}
	w.wantMails(kindsOf(w.sendMails()), "confirmed>ann", "team_new>ana")
	w.follow(f)
	_, err := w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("2T09")})
	w.Must(err)
	w.follow(f)
	got := *seen
	if len(got) != 2 || got[0].Action != booking.ActCreated || got[0].PreviousHost != 0 || got[1].Action != booking.ActRescheduled ||
		got[1].Seq != 2 || got[1].PreviousStart != b.Start || got[1].PreviousHost != b.Host.ID || got[1].From != booking.Confirmed {
		t.Errorf("read %+v", got)
	}
	unknown := *f
	unknown.Name = "unknown"
	if _, err := unknown.Step(t.Context(), w.Service); err == nil {
		t.Error("a follower without a place in the history began to read")
	}
}

// What a follower reads of an entry is what the history of the booking has, columns that are seldom set too.
func TestAFollowerReadsTheHistory(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.offer("long", 1, nil)
	b := w.Booked("cut", "1T09", "ann")
	_, err := w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("2T09")})
	w.Must(err)
	long, end := "long", apptest.At("2T11")
	_, err = w.Edit(t.Context(), w.Owner, b.ID.String(), booking.EditInput{EventType: &long, End: &end}, "")
	w.Must(err)
	_, err = w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{Reason: "ill"})
	w.Must(err)
	w.Must(w.SQL(`UPDATE booking_history SET amount = 700, currency = 'EUR' WHERE seq = 4`))
	w.Must(w.SQL(`UPDATE booking_history SET host_id = NULL WHERE seq = 3`))
	f, seen := w.follower("calendar", 100)
	w.follow(f)
	history, err := w.Store.History(w.Workspace.ID, b.ID)
	w.Must(err)
	if len(history) != 4 || len(*seen) != 4 || history[3].Amount == nil || history[2].PreviousEventType == 0 ||
		history[2].PreviousEnd == 0 || history[2].Host != 0 || history[3].Reason != "ill" {
		t.Fatalf("%+v\n%+v", history, *seen)
	}
	for i, e := range *seen {
		want := app.Followed{HistoryEntry: history[i], Number: e.Number, Booking: b.ID, Workspace: w.Workspace.ID, Seq: i + 1}
		if i > 0 {
			want.PreviousStart, want.PreviousHost = history[i-1].Start, history[i-1].Host
		}
		if !reflect.DeepEqual(e, want) {
			t.Errorf("read\n%+v\nwant\n%+v", e, want)
		}
	}
}

// beforeWrite is a Store on which something happens before its next write.
type beforeWrite struct {
	*store.Store
	do func()
}

func (s *beforeWrite) Write(ctx context.Context, change func(app.Tx) error) error {
	if do := s.do; do != nil {
		s.do = nil
		do()
	}
	return s.Store.Write(ctx, change)
}

func (s *beforeWrite) WriteAlong(ctx context.Context, change func(app.Tx) error) error {
	return s.Write(ctx, change)
}

// Nobody is written to about a contact that is deleted, also when that happens between the plan of a mail and its
// writing.
func TestNoMailsAboutADeletedContact(t *testing.T) {
	for _, between := range []bool{false, true} {
		w := newMailWorld(t)
		w.offer("cut", 1, nil)
		b := w.Booked("cut", "0T09", "zweifel")
		w.at("12:00")
		erase := func() {
			owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
			w.Must(w.People.DeleteContact(t.Context(), owner, b.ContactID.String()))
			for more := true; more; {
				var err error
				more, err = w.Upkeep.Sweep(t.Context(), 100)
				w.Must(err)
			}
		}
		held := &beforeWrite{Store: w.Store, do: erase}
		if !between {
			erase()
			held.do = nil
		}
		s := w.Subjects(func(c *subjects.Config) { c.Store = held })
		if n, err := s.Mail.WriteMails(t.Context(), 10); n != 1 || err != nil {
			t.Errorf("looked at %d changes, %v", n, err)
		}
		w.wantMails(w.mails())
		w.Booked("cut", "1T09", "next")
		if got := w.mails(); !slices.Contains(got, "confirmed>next") {
			t.Errorf("the next one's mails: %v", got)
		}
	}
}

// Nobody is written to when the workspace is deleted between the plan of a mail and its writing, whether its rows are
// there still or not.
func TestNoMailsOfADeletedWorkspace(t *testing.T) {
	for _, swept := range []bool{false, true} {
		w := newMailWorld(t)
		w.offer("cut", 1, nil)
		w.Booked("cut", "1T09", "ann")
		held := &beforeWrite{Store: w.Store}
		held.do = func() {
			owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
			s := w.Set
			if !swept {
				stuck := &heldStore{Store: w.Store}
				stuck.left.Store(1)
				s = w.Subjects(func(c *subjects.Config) { c.Store = stuck })
			}
			w.Must(s.Shop.DeleteWorkspace(t.Context(), owner, "salon"))
			for more := swept; more; {
				var err error
				more, err = w.Upkeep.Sweep(t.Context(), 100)
				w.Must(err)
			}
		}
		s := w.Subjects(func(c *subjects.Config) { c.Store = held })
		if n, err := s.Mail.WriteMails(t.Context(), 10); n != 1 || err != nil {
			t.Errorf("looked at %d changes, %v", n, err)
		}
		if claimed, err := s.Mail.ClaimMails(t.Context(), 0, 1, 10); len(claimed) != 0 || err != nil {
			t.Errorf("claimed %v, %v", claimed, err)
		}
		for more := true; more; {
			var err error
			more, err = w.Upkeep.Sweep(t.Context(), 100)
			w.Must(err)
		}
		if left, err := w.Store.Mails(w.Workspace.ID, mail.Filter{Limit: 10}); len(left) != 0 || err != nil {
			t.Errorf("left %v, %v", left, err)
		}
	}
}
