package waitlist_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/waitlist"
)

// tells is a world whose cut tells all at once.
func tells(t testing.TB) *world {
	t.Helper()
	w := opened(t)
	w.Alter("cut", func(e *catalog.EventType) { e.Waitlist = catalog.WaitlistTell })
	return w
}

// openings are whom the mails go to that tell of a time, the first first.
func (w *world) openings() (to []string) {
	w.T.Helper()
	for _, m := range w.mails(catalog.MailOpening) {
		to = append(to, m.To)
	}
	slices.Sort(to)
	return to
}

// Where a service says so, all who wait for it are told at once of what comes free, a person once, and it is held for nobody.
func TestAllAreToldAtOnce(t *testing.T) {
	w := tells(t)
	ctx := t.Context()
	w.hooks("waitlist.offered", "waitlist.booked", "waitlist.ended")
	var all []waitlist.Entry
	for _, name := range []string{"ann", "ben", "cem"} {
		all = append(all, w.waits(input("cut", name)))
	}
	all = append(all, w.waits(input("cut", "ann", wish(1, 5))))
	w.waits(input("cut", "later", wish(5, 9)))
	bob := input("cut", "dan")
	bob.Items[0].Host = w.hosts()[1].String()
	w.waits(bob)
	w.carries()
	b := w.frees("cut", "1T09", w.ana())
	if n := w.held(); n != [3]int{0, 0, 1} {
		t.Fatalf("held %v until they are told", n)
	}
	w.carries()
	want := []string{"ann@mail.example", "ben@mail.example", "cem@mail.example"}
	if to := w.openings(); !slices.Equal(to, want) {
		t.Fatalf("told %v", to)
	}
	for _, e := range all {
		if now := w.entry(e); now.Status != waitlist.Waiting || now.Offer != nil || now.Silences != 0 {
			t.Errorf("%s is %v, offered %v", e.Invitee.Name, now.Status, now.Offer)
		}
	}
	if len(w.told()) != 0 || w.held() != [3]int{} || w.jobs() != 0 || len(w.mails(catalog.MailOffer)) != 0 {
		t.Errorf("told %v, held %v, %d jobs", w.told(), w.held(), w.jobs())
	}
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if to := w.openings(); !slices.Equal(to, want) {
		t.Errorf("the same time again: %v", to)
	}
	in := apptest.Input("cut", b.Start.String(), "ben")
	in.Host, in.Invitee.Email = w.ana(), "ben@mail.example"
	_, err := w.Book(ctx, w.visitor(), in)
	w.Must(err)
	w.carries()
	if now := w.entry(all[1]); now.EndedBy != waitlist.ByElsewhere {
		t.Errorf("whoever booked it is %v", now.Status)
	}
}

// Who is offered a time comes before those who are told: these are told once it is open to all.
func TestOffersComeBeforeTelling(t *testing.T) {
	w := tells(t)
	w.Offer("trim", 60, func(e *catalog.EventType) { e.MinimumNoticeMinutes, e.Hosts = 0, []catalog.HostRef{{ID: 1}} })
	w.waits(input("cut", "ann"))
	w.Clock.Advance(time.Minute)
	offered := w.waits(input("trim", "ben"))
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if w.offered(offered) == nil || len(w.openings()) != 0 {
		t.Fatalf("offered %v, told %v", w.offered(offered), w.openings())
	}
	w.Must(w.Waitlist.Refuse(t.Context(), w.token(offered)))
	for range 3 {
		w.carries()
	}
	if to := w.openings(); len(to) != 1 || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("then told %v, held %v, %d jobs", to, w.held(), w.jobs())
	}
}

// At night nobody is told; what is still free at eight is told then. What the business cancels in bulk is told to nobody.
func TestNobodyIsToldAtNightOrOfBulk(t *testing.T) {
	w := tells(t)
	ctx := t.Context()
	w.waits(input("cut", "ann", wish(1, 60)))
	zone := w.zone()
	w.Clock.Set(time.Date(apptest.Monday.Year(), apptest.Monday.Month(), apptest.Monday.Day(), 21, 30, 0, 0, zone))
	w.frees("cut", "2T09", w.ana())
	gone := w.frees("cut", "2T10", w.ana())
	w.carries()
	if w.held() != [3]int{} || len(w.openings()) != 0 {
		t.Fatalf("at night %v are held, told %v", w.held(), w.openings())
	}
	in := apptest.Input("cut", gone.Start.String(), "quick")
	in.Host = w.ana()
	_, err := w.Book(ctx, w.visitor(), in)
	w.Must(err)
	w.Clock.Set(time.Date(apptest.Monday.Year(), apptest.Monday.Month(), apptest.Monday.Day()+1, 8, 0, 0, 0, zone))
	w.carries()
	if to := w.openings(); len(to) != 1 {
		t.Errorf("at eight told %v", to)
	}
	s, err := w.BookSeries(ctx, w.Owner, booking.SeriesInput{EventType: "cut", Start: apptest.At("3T09"), Host: w.ana(),
		Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3}, Invitee: booking.Invitee{Name: "often", Email: "often@mail.example"}})
	w.Must(err)
	w.carries()
	_, err = w.CancelSeries(ctx, w.Owner, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)
	w.carries()
	if to := w.openings(); len(to) != 1 {
		t.Errorf("of a bulk told %v", to)
	}
}

// One time is told to fifty people at most, those who wait for longest, and a person is told five times a day at most.
func TestTellingIsBounded(t *testing.T) {
	w := tells(t)
	var first, last waitlist.Entry
	for i := range 52 {
		e := w.waits(input("cut", fmt.Sprintf("p%02d", i)))
		w.Clock.Advance(time.Second)
		if last = e; i == 0 {
			first = e
		}
	}
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if to := w.openings(); len(to) != 50 || to[0] != first.Invitee.Email || slices.Contains(to, last.Invitee.Email) {
		t.Fatalf("told %d: %v", len(to), to)
	}
	for _, start := range []string{"1T10", "1T11", "1T12", "1T13", "1T14", "1T15"} {
		w.frees("cut", start, w.ana())
		w.carries()
	}
	if n := len(w.entry(first).Told); n != 5 {
		t.Errorf("a person was told of %d times in a day", n)
	}
	w.Clock.Advance(24 * time.Hour)
	w.frees("cut", "3T09", w.ana())
	w.carries()
	if n := len(w.entry(first).Told); n == 0 || w.entry(first).Told[n-1].Start.String() != apptest.At("3T09") {
		t.Errorf("the next day: %v", w.entry(first).Told)
	}
}

// Whoever has as much as one may have isn't told, and neither is anybody of a hidden service, which is offered.
func TestTellingAsksTheRules(t *testing.T) {
	w := tells(t)
	w.Alter("cut", func(e *catalog.EventType) { e.Limits.PersonUpcoming = 1 })
	in := apptest.Input("cut", apptest.At("9T09"), "ann")
	in.Invitee.Email = "ann@mail.example"
	_, err := w.Book(t.Context(), w.Owner, in)
	w.Must(err)
	w.waits(input("cut", "ann"))
	ben := w.waits(input("cut", "ben"))
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if to := w.openings(); !slices.Equal(to, []string{"ben@mail.example"}) {
		t.Errorf("told %v", to)
	}
	w.Alter("cut", func(e *catalog.EventType) { e.Hidden = true })
	w.frees("cut", "1T11", w.ana())
	w.carries()
	if w.offered(ben) == nil || len(w.openings()) != 1 {
		t.Errorf("hidden: offered %v, told %v", w.offered(ben), w.openings())
	}
}

// An undo of a move takes its time back before anybody is told.
func TestNobodyIsToldOfAMoveThatIsUndone(t *testing.T) {
	w := tells(t)
	ctx := t.Context()
	w.waits(input("cut", "bo"))
	b := w.Booked("cut", apptest.At("1T09"), "x")
	w.carries()
	for _, to := range []string{apptest.At("1T11"), b.Start.String()} {
		_, err := w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: to, Host: b.Host.ID.String()})
		w.Must(err)
		w.carries()
	}
	w.Clock.Advance(app.MoveUndone)
	w.carries()
	w.carries()
	for _, told := range w.entry(w.first()).Told {
		if told.Start == b.Start {
			t.Error("the time of a booking is told")
		}
	}
	if w.jobs() != 0 || w.held() != [3]int{} {
		t.Errorf("%d jobs, held %v", w.jobs(), w.held())
	}
}

// first is the first entry.
func (w *world) first() waitlist.Entry {
	w.T.Helper()
	all, err := w.Waitlist.Waitlist(w.T.Context(), w.Owner, waitlist.ListInput{})
	w.Must(err)
	return all.Data[len(all.Data)-1]
}
