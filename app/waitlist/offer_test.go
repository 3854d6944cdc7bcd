package waitlist_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/store"
)

// carries does what is due.
func (w *world) carries() {
	w.T.Helper()
	w.Must(w.Waitlist.CarryOut(w.T.Context()))
}

// frees books a time with a host and cancels it.
func (w *world) frees(eventType, start, host string) booking.Booking {
	w.T.Helper()
	in := apptest.Input(eventType, apptest.At(start), fmt.Sprint("gone", w.Clock.Now().UnixNano(), strings.ReplaceAll(start, ":", "")))
	in.Host = host
	b, err := w.Book(w.T.Context(), w.Owner, in)
	w.Must(err)
	w.carries() // that of a booking made
	w.cancels(b)
	return b
}

func (w *world) cancels(b booking.Booking) {
	w.T.Helper()
	_, err := w.Cancel(w.T.Context(), w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
}

// offered is what an entry is offered, or nil.
func (w *world) offered(e waitlist.Entry) *waitlist.Offer { return w.entry(e).Offer }

// held are the live holds, by for whom they are.
func (w *world) held() (n [3]int) {
	w.T.Helper()
	rows, err := w.rows().Query(fmt.Sprintf(`SELECT COALESCE(waits, 0) FROM holds WHERE expires_ms > %d`, when.At(w.Clock.Now())))
	w.Must(err)
	defer rows.Close()
	for rows.Next() {
		var of int
		w.Must(rows.Scan(&of))
		n[of]++
	}
	w.Must(rows.Err())
	return n
}

// jobs counts what is still to be looked at, but for the hours.
func (w *world) jobs() (n int) {
	w.T.Helper()
	w.Must(w.rows().QueryRow(`SELECT COUNT(*) FROM waitlist_queue WHERE kind < 3`).Scan(&n))
	return n
}

// ana is the first host.
func (w *world) ana() string { w.T.Helper(); return w.hosts()[0].String() }

// opened is a world on a Monday morning, when offers are made.
func opened(t testing.TB) *world {
	t.Helper()
	w := newWorld(t)
	w.Clock.Set(apptest.Monday.Add(3 * time.Hour))
	return w
}

// What comes free is held at once, offered within the next look to who waits, and booked by their yes.
func TestFreedTimeIsOfferedAndTaken(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	w.hooks("waitlist.offered", "waitlist.booked")
	e := w.waits(input("cut", "bo"))
	w.carries()
	b := w.frees("cut", "1T09", w.ana())
	if n := w.held(); n != [3]int{0, 0, 1} {
		t.Fatalf("held %v once it came free", n)
	}
	in := apptest.Input("cut", b.Start.String(), "quick")
	in.Host = w.ana()
	_, err := w.Book(ctx, w.visitor(), in)
	w.Refused(err, fault.Conflict, "slot_taken")
	w.carries()
	o := w.offered(e)
	if n := w.held(); n != [3]int{0, 1, 0} || o == nil || o.Start != b.Start || o.Host.String() != w.ana() || o.Until != when.At(w.Clock.Now().Add(30*time.Minute)) {
		t.Fatalf("held %v, offered %+v", n, o)
	}
	mails := w.mails(catalog.MailOffer)
	if len(mails) != 1 || mails[0].To != "bo@mail.example" || mails[0].Until != o.Until {
		t.Fatal(mails)
	}
	_, err = w.Book(ctx, w.visitor(), in)
	w.Refused(err, fault.Conflict, "slot_taken")
	taken, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
	w.Must(err)
	if taken.Booking.Status != booking.Confirmed || taken.Booking.Start != b.Start || taken.Booking.Invitee.Email != "bo@mail.example" {
		t.Errorf("booked %+v", taken.Booking)
	}
	now := w.entry(e)
	if now.Status != waitlist.Booked || now.BookingID != taken.Booking.ID || now.Offer != nil || w.held() != [3]int{} || w.anybody() {
		t.Errorf("then %+v, held %v", now, w.held())
	}
	_, err = w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
	w.Refused(err, fault.Conflict, "offer_over")
	w.carries()
	if told := w.told(); len(told) != 2 || !strings.Contains(told[1], taken.Booking.ID.String()) || w.jobs() != 0 {
		t.Errorf("told %v, %d jobs are left", told, w.jobs())
	}
}

// Silence and refusals pass the time on, three people at most are asked, and 90 minutes in all; then it is open to all.
func TestOffersGoOn(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	var all []waitlist.Entry
	for _, name := range []string{"ann", "ben", "cem", "dan"} {
		all = append(all, w.waits(input("cut", name)))
		w.Clock.Advance(time.Second)
	}
	b := w.frees("cut", "1T09", w.ana())
	w.carries()
	if w.offered(all[0]) == nil {
		t.Fatal("who came first isn't asked first")
	}
	w.Must(w.Waitlist.Refuse(ctx, w.token(all[0])))
	if n := w.held(); n != [3]int{0, 0, 1} {
		t.Errorf("between two offers %v are held", n)
	}
	w.carries()
	if now := w.entry(all[0]); now.Status != waitlist.Waiting || now.Silences != 0 || w.offered(all[1]) == nil {
		t.Fatalf("refused: %v, %d silences; the next one is offered %v", now.Status, now.Silences, w.offered(all[1]))
	}
	w.Clock.Advance(30 * time.Minute)
	w.carries()
	w.carries()
	if now := w.entry(all[1]); now.Status != waitlist.Waiting || now.Silences != 1 || w.offered(all[2]) == nil {
		t.Fatalf("silent: %v, %d silences; the next one is offered %v", now.Status, now.Silences, w.offered(all[2]))
	}
	_, err := w.Waitlist.Take(ctx, w.token(all[1]), waitlist.TakeInput{})
	w.Refused(err, fault.Conflict, "offer_over")
	w.Clock.Advance(30 * time.Minute)
	w.carries()
	w.carries()
	if w.offered(all[3]) != nil || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("a fourth one is offered %v, held %v, %d jobs", w.offered(all[3]), w.held(), w.jobs())
	}
	in := apptest.Input("cut", b.Start.String(), "quick")
	in.Host = w.ana()
	_, err = w.Book(ctx, w.visitor(), in)
	w.Must(err)
}

// Who is silent three times waits no more, and isn't offered a time twice.
func TestThreeSilencesEndAnEntry(t *testing.T) {
	w := opened(t)
	e := w.waits(input("cut", "bo", wish(1, 5)))
	for i, start := range []string{"1T09", "1T10", "1T11"} {
		w.frees("cut", start, w.ana())
		w.carries()
		if w.offered(e) == nil {
			t.Fatalf("time %d isn't offered", i)
		}
		w.Clock.Advance(30 * time.Minute)
		w.carries()
		w.carries()
		if n := w.entry(e).Silences; n != i+1 {
			t.Errorf("%d silences after %d", n, i+1)
		}
		if i == 0 { // the same time again
			w.frees("cut", start, w.ana())
			w.carries()
			if w.offered(e) != nil {
				t.Error("it is offered again")
			}
		}
	}
	if now := w.entry(e); now.Status != waitlist.Ended || now.EndedBy != waitlist.BySilence {
		t.Error(now.Status, now.EndedBy)
	}
}

// Whom the time fits best is asked first; what an offer leaves goes to others.
func TestBestFitFirst(t *testing.T) {
	w := opened(t)
	w.Offer("long", 90, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0; e.SlotStepMinutes = 30 })
	w.Alter("wash", func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	w.Alter("cut", func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	short := w.waits(input("wash", "ann"))
	w.Clock.Advance(time.Minute)
	hour := w.waits(input("cut", "ben"))
	w.Clock.Advance(time.Minute)
	long := w.waits(input("long", "cem"))
	// The afternoon around it is booked.
	_, err := w.Book(t.Context(), w.Owner, func() booking.BookInput {
		in := apptest.Input("long", apptest.At("1T10"), "beside")
		in.Host = w.ana()
		return in
	}())
	w.Must(err)
	b := w.frees("long", "1T08:30", w.ana())
	w.carries()
	if w.offered(long) == nil || w.offered(short) != nil || w.offered(hour) != nil {
		t.Fatalf("90 minutes are offered to %v, %v, %v", w.offered(short), w.offered(hour), w.offered(long))
	}
	w.Must(w.Waitlist.Refuse(t.Context(), w.token(long)))
	w.carries()
	w.carries()
	if o := w.offered(hour); o == nil || o.Start != b.Start {
		t.Fatalf("then 60 are offered %+v", o)
	}
	if o := w.offered(short); o == nil || o.Start != b.Start.Add(time.Hour) {
		t.Errorf("what is left is offered %+v", o)
	}
	_, err = w.Waitlist.Take(t.Context(), w.token(hour), waitlist.TakeInput{})
	w.Must(err)
	_, err = w.Waitlist.Take(t.Context(), w.token(short), waitlist.TakeInput{})
	w.Must(err)
}

// A move frees what it no longer takes, is undone for ten seconds, and offers nothing before.
func TestMovesFreeAndAreUndone(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	e := w.waits(input("cut", "bo"))
	b := w.Booked("cut", apptest.At("1T09"), "x")
	w.carries()
	move := func(to string) {
		t.Helper()
		_, err := w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: to, Host: b.Host.ID.String()})
		w.Must(err)
	}
	move(apptest.At("1T11"))
	w.carries()
	if n := w.held(); n != [3]int{0, 0, 1} || w.offered(e) != nil {
		t.Fatalf("after the move %v are held, offered %v", n, w.offered(e))
	}
	move(b.Start.String())
	w.Clock.Advance(app.MoveUndone)
	w.carries()
	// What the undo of the move has left is that of the second move.
	if o := w.offered(e); o != nil && o.Start == b.Start {
		t.Errorf("the time of a booking is offered: %+v", o)
	}
	if w.Again(b).Start != b.Start {
		t.Error("it is not back")
	}
}

// The business takes an offered time by name of the rule; its person is told, keeps their place, and was not silent.
func TestBusinessTakesAnOfferedTime(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	e := w.waits(input("cut", "bo"))
	b := w.frees("cut", "1T09", w.ana())
	in := apptest.Input("cut", b.Start.String(), "vip")
	in.Host = w.ana()
	_, err := w.Book(ctx, w.Owner, in)
	if all, _ := w.Refused(err, fault.Conflict, "slot_taken").Details["reasons"].([]slot.Reason); !slices.Equal(all, []slot.Reason{slot.Held}) {
		t.Errorf("a house hold is refused as %v", all)
	}
	w.carries()
	_, err = w.Book(ctx, w.Owner, in)
	if all, _ := w.Refused(err, fault.Conflict, "slot_taken").Details["reasons"].([]slot.Reason); !slices.Equal(all, []slot.Reason{slot.Offered}) {
		t.Errorf("an offered time is refused as %v", all)
	}
	in.Override = []string{"offered"}
	_, err = w.Book(ctx, w.visitor(), in)
	if err == nil {
		t.Error("a visitor may override")
	}
	_, err = w.BookSeries(ctx, w.Owner, booking.SeriesInput{EventType: "cut", Start: in.Start, Host: in.Host, Override: in.Override, Invitee: in.Invitee,
		Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 2}})
	w.Refused(err, fault.Conflict, "series_conflict")
	made, err := w.Book(ctx, w.Owner, in)
	w.Must(err)
	history, err := w.History(ctx, w.Owner, made.ID.String())
	w.Must(err)
	if !slices.Contains(history[0].Waived, "offered") {
		t.Errorf("the history says %v", history[0].Waived)
	}
	_, err = w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
	w.Refused(err, fault.Conflict, "offer_over")
	w.carries()
	if now := w.entry(e); now.Status != waitlist.Waiting || now.Silences != 0 || len(w.mails(catalog.MailOfferOver)) != 1 || w.jobs() != 0 {
		t.Errorf("%v, %d silences, %d mails, %d jobs", now.Status, now.Silences, len(w.mails(catalog.MailOfferOver)), w.jobs())
	}
}

// At night what comes free is open to all, and what is still free at eight is offered then.
func TestNightIsOpenToAll(t *testing.T) {
	w := opened(t)
	e := w.waits(input("cut", "bo", wish(2, 4)))
	zone := w.zone()
	w.Clock.Set(time.Date(apptest.Monday.Year(), apptest.Monday.Month(), apptest.Monday.Day(), 21, 30, 0, 0, zone))
	w.frees("cut", "2T09", w.ana())
	taken := w.frees("cut", "2T10", w.ana())
	w.carries()
	if w.held() != [3]int{} || w.offered(e) != nil {
		t.Fatalf("at night %v are held, offered %v", w.held(), w.offered(e))
	}
	in := apptest.Input("cut", taken.Start.String(), "quick")
	in.Host = w.ana()
	_, err := w.Book(t.Context(), w.visitor(), in)
	w.Must(err)
	w.Clock.Set(time.Date(apptest.Monday.Year(), apptest.Monday.Month(), apptest.Monday.Day()+1, 8, 0, 0, 0, zone))
	w.carries()
	w.carries()
	if o := w.offered(e); o == nil || o.Start.String() != apptest.At("2T09") {
		t.Errorf("at eight %+v is offered", o)
	}
}

// What the business cancels in bulk is offered to nobody, unless it says so; several that an invitee cancels are.
func TestBulkIsOfferedToNobody(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	w.waits(input("cut", "bo", wish(1, 60)))
	series := func(person, start string) booking.Series {
		t.Helper()
		s, err := w.BookSeries(ctx, w.Owner, booking.SeriesInput{EventType: "cut", Start: apptest.At(start), Host: w.ana(),
			Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3}, Invitee: booking.Invitee{Name: person, Email: person + "@mail.example"}})
		w.Must(err)
		w.carries()
		return s
	}
	s := series("often", "1T09")
	_, err := w.CancelSeries(ctx, w.Owner, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)
	if w.jobs() != 0 || w.held() != [3]int{} {
		t.Errorf("%d jobs, held %v", w.jobs(), w.held())
	}
	s = series("again", "1T09")
	_, err = w.CancelSeries(ctx, w.Owner, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[0].ID.String(), Scope: booking.SeriesThis})
	w.Must(err)
	if w.jobs() != 1 {
		t.Errorf("of one date %d jobs", w.jobs())
	}
	w.carries()
	for hours, held := range map[int]int{2: 0, 4: 2} {
		_, err = w.MoveSeries(ctx, w.Owner, s.ID.String(), booking.SeriesMoveInput{From: s.Bookings[1].ID.String(), Scope: booking.SeriesFollowing,
			Start: s.Bookings[1].Start.Add(time.Duration(hours) * time.Hour).String(), OfferToWaitlist: held > 0})
		w.Must(err)
		if n := w.held()[2]; n != held {
			t.Errorf("a move of the following holds %d of %d times", n, held)
		}
		w.Clock.Advance(app.MoveUndone)
		w.carries()
	}
	s2 := series("third", "2T09")
	_, err = w.CancelSeries(ctx, w.Owner, s2.ID.String(), booking.SeriesCancelInput{From: s2.Bookings[0].ID.String(), Scope: booking.SeriesAll,
		OfferToWaitlist: true})
	w.Must(err)
	if n := w.held()[2]; n != 3 {
		t.Errorf("of three dates that are offered %d are held", n)
	}
	w.carries()
	invitee := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: s.Bookings[1].ID}
	_, err = w.Cancel(ctx, invitee, s.Bookings[1].ID.String(), app.CancelInput{})
	w.Must(err)
	if w.held()[2] != 1 {
		t.Errorf("what an invitee cancels: %v are held", w.held())
	}
}

// Nobody waits: a cancellation leaves neither a hold nor a job.
func TestNobodyWaits(t *testing.T) {
	w := opened(t)
	w.frees("cut", "1T09", w.ana())
	if w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("held %v, %d jobs", w.held(), w.jobs())
	}
}

// Who has booked what they wait for, at a time that they wish for, waits no more.
func TestBookedElsewhere(t *testing.T) {
	w := opened(t)
	e, other := w.waits(input("cut", "bo")), w.waits(input("wash", "bo"))
	w.Booked("cut", apptest.At("8T09"), "bo") // another day
	w.carries()
	if w.entry(e).Status != waitlist.Waiting {
		t.Fatal("it ended by a time that nobody wished for")
	}
	in := apptest.Input("cut", apptest.At("1T09"), "bo")
	in.Invitee.Email = "bo@mail.example"
	_, err := w.Book(t.Context(), w.Owner, in)
	w.Must(err)
	w.carries()
	if now := w.entry(e); now.EndedBy != waitlist.ByElsewhere || w.entry(other).Status != waitlist.Waiting {
		t.Errorf("%v by %q, the other %v", now.Status, now.EndedBy, w.entry(other).Status)
	}
}

// A person is offered one time at once, and what comes free goes to the next.
func TestOneOfferToAPerson(t *testing.T) {
	w := opened(t)
	first, second, next := w.waits(input("cut", "bo")), w.waits(input("cut", "bo", wish(1, 3))), w.waits(input("cut", "cem"))
	w.frees("cut", "1T09", w.ana())
	w.frees("cut", "1T10", w.ana())
	w.carries()
	w.carries()
	n := 0
	for _, e := range []waitlist.Entry{first, second} {
		if w.offered(e) != nil {
			n++
		}
	}
	if n != 1 || w.offered(next) == nil {
		t.Errorf("one person has %d offers, the next %v", n, w.offered(next))
	}
}

// The business offers an open time by hand, skips who doesn't answer, and opens it to all.
func TestBusinessOffersByHand(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	e := w.waits(input("cut", "bo"))
	at := waitlist.OfferTime{Start: apptest.At("8T09"), Host: w.ana()}
	_, err := w.Waitlist.OfferEntry(ctx, w.Owner, e.ID.String(), waitlist.OfferTime{Start: apptest.At("8T03")})
	w.Refused(err, fault.BadRequest, "outside_hours")
	now, err := w.Waitlist.OfferEntry(ctx, w.Owner, e.ID.String(), at)
	w.Must(err)
	if now.Status != waitlist.Offered || now.Offer.Start.String() != at.Start || len(w.mails(catalog.MailOffer)) != 1 {
		t.Fatalf("%+v", now.Offer)
	}
	_, err = w.Waitlist.OfferEntry(ctx, w.Owner, e.ID.String(), at)
	w.Refused(err, fault.Conflict, "wrong_state")
	list, err := w.Waitlist.FreedTimes(ctx, w.Owner)
	w.Must(err)
	if len(list) != 1 || list[0].Offered == nil || list[0].Offered.ID != e.ID {
		t.Fatalf("the list has %+v", list)
	}
	w.Must(w.Waitlist.SkipOffered(ctx, w.Owner, list[0].ID.String()))
	if now := w.entry(e); now.Status != waitlist.Waiting || now.Silences != 0 || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("%v, held %v, %d jobs", now.Status, w.held(), w.jobs())
	}
	two := w.waits(input("cut", "cem"))
	w.frees("cut", "1T09", w.ana())
	w.carries()
	list, err = w.Waitlist.FreedTimes(ctx, w.Owner)
	w.Must(err)
	if len(list) != 1 || list[0].Offered == nil || list[0].Offered.ID != e.ID || list[0].Next == nil || list[0].Next.ID != two.ID {
		t.Fatalf("the list has %+v", list)
	}
	w.Must(w.Waitlist.SkipOffered(ctx, w.Owner, list[0].ID.String()))
	w.carries()
	if w.offered(two) == nil {
		t.Fatal("the next one isn't asked")
	}
	w.Must(w.Waitlist.OpenFreed(ctx, w.Owner, list[0].ID.String()))
	if w.offered(two) != nil || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("offered %v, held %v, %d jobs", w.offered(two), w.held(), w.jobs())
	}
}

// Longer hours, and time that a lapsed hold gives back, are found, too.
func TestNewHoursAndLapsedHoldsAreFound(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	early := wish(5, 5)
	early.Hours = []string{"06:00-09:00"} // when nobody works
	e := w.waits(input("cut", "bo", early))
	w.carries()
	w.carries()
	if w.jobs() != 0 || w.offered(e) != nil {
		t.Fatal("something is free before anything has changed")
	}
	_, err := w.Shop.ChangeHost(ctx, w.Owner, w.ana(), func(h *catalog.Host) error {
		h.Weekly = maps.Clone(h.Weekly)
		h.Weekly["sat"] = []string{"07:00-17:00"}
		return nil
	})
	w.Must(err)
	w.carries()
	w.carries()
	if o := w.offered(e); o == nil {
		t.Fatal("new hours aren't offered")
	}
	next := w.waits(input("cut", "cem"))
	_, err = w.Hold(ctx, w.API, app.HoldInput{EventType: "cut", Start: apptest.At("1T09"), Host: w.ana()})
	w.Must(err)
	w.Clock.Advance(11 * time.Minute)
	w.prunes()
	w.carries()
	if o := w.offered(next); o == nil || o.Start.String() != apptest.At("1T09") {
		t.Errorf("what a lapsed hold gave back: offered %+v", o)
	}
}

// A visit is offered where all of it fits and a part of it came free, and is taken as one.
func TestVisitsAreOffered(t *testing.T) {
	w := opened(t)
	in := input("cut", "bo")
	in.Items = append(in.Items, waitlist.Item{EventType: "wash"})
	e := w.waits(in)
	w.frees("cut", "1T09", w.ana())
	w.carries()
	o := w.offered(e)
	if o == nil || len(o.Items) != 2 {
		t.Fatalf("offered %+v", o)
	}
	taken, err := w.Waitlist.Take(t.Context(), w.token(e), waitlist.TakeInput{})
	w.Must(err)
	if len(taken.Visit.Items) != 2 || taken.Visit.Start != o.Start || w.entry(e).VisitID != taken.Visit.ID || w.held() != [3]int{} {
		t.Errorf("booked %+v, held %v", taken.Visit, w.held())
	}
}

// Seats of a session are offered where enough are free at once.
func TestSeatsAreOffered(t *testing.T) {
	w := opened(t)
	w.Offer("class", 60, func(e *catalog.EventType) { e.MinimumNoticeMinutes, e.Seats = 0, 4 })
	book := func(person string, seats int) booking.Booking {
		t.Helper()
		in := apptest.Input("class", apptest.At("1T09"), person)
		in.Seats = seats
		b, err := w.Book(t.Context(), w.Owner, in)
		w.Must(err)
		return b
	}
	book("a", 1)
	two, one := book("b", 2), book("c", 1)
	in := input("class", "pair")
	in.Seats = 2
	pair := w.waits(in)
	w.carries()
	w.cancels(one)
	w.carries()
	if w.offered(pair) != nil {
		t.Fatal("one seat is offered to two")
	}
	w.cancels(two)
	w.carries()
	o := w.offered(pair)
	if o == nil || o.Start != two.Start {
		t.Fatalf("offered %+v", o)
	}
	taken, err := w.Waitlist.Take(t.Context(), w.token(pair), waitlist.TakeInput{})
	w.Must(err)
	if taken.Booking.Seats != 2 {
		t.Errorf("%d seats", taken.Booking.Seats)
	}
}

// Many cancel, book, move and answer around offers at once, at two servers: no time is taken twice, nobody is booked twice, and
// what was offered ends booked or open.
func TestContestAroundOffers(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	var entries []waitlist.Entry
	var tokens []string
	for i := range 8 {
		e := w.waits(input("cut", fmt.Sprint("p", i)))
		entries, tokens = append(entries, e), append(tokens, w.token(e))
	}
	var bookings []booking.Booking
	for i := range 6 {
		in := apptest.Input("cut", apptest.At(fmt.Sprintf("1T%02d", 9+i)), fmt.Sprint("b", i))
		in.Host = w.ana()
		b, err := w.Book(ctx, w.Owner, in)
		w.Must(err)
		bookings = append(bookings, b)
	}
	w.carries()
	w.cancels(bookings[0])
	w.carries()
	if w.offered(entries[0]) == nil {
		t.Fatal("nothing is offered as it begins")
	}
	servers := [2]*apptest.Salon{w.Salon, w.Another()}
	servers[1].Mail.ShareMailServer(mailServer())
	allowed := func(err error) bool {
		if err != nil && fault.Refusal(err) == nil {
			t.Error(err)
		}
		return err == nil
	}
	var takes [8]atomic.Int32
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range 64 {
		all.Go(func() {
			<-start
			at, b, host := servers[i%2], bookings[i%len(bookings)], w.hosts()[0].String()
			switch i % 7 {
			case 0, 1:
				_, err := at.Cancel(ctx, w.Owner, b.ID.String(), app.CancelInput{})
				allowed(err)
			case 2:
				in := apptest.Input("cut", b.Start.String(), fmt.Sprint("v", i))
				in.Host = host
				_, err := at.Book(ctx, w.visitor(), in)
				allowed(err)
			case 3:
				_, err := at.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: bookings[(i+1)%len(bookings)].Start.String()})
				allowed(err)
			case 4:
				if _, err := at.Waitlist.Take(ctx, tokens[i%len(tokens)], waitlist.TakeInput{}); allowed(err) {
					takes[i%len(tokens)].Add(1)
				}
			case 5:
				allowed(at.Waitlist.Refuse(ctx, tokens[i%len(tokens)]))
			case 6:
				in := apptest.Input("cut", b.Start.String(), fmt.Sprint("o", i))
				in.Host, in.Override = host, []string{"offered"}
				_, err := at.Book(ctx, w.Owner, in)
				allowed(err)
			}
			allowed(at.Waitlist.CarryOut(ctx))
		})
	}
	close(start)
	all.Wait()
	w.settles(entries)
	for i := range entries {
		n := 0
		w.Must(w.rows().QueryRow(`SELECT COUNT(*) FROM bookings WHERE ` + store.Live +
			fmt.Sprintf(` AND contact_id IN (SELECT id FROM contacts WHERE email = 'p%d@mail.example')`, i)).Scan(&n))
		if taken := int(takes[i].Load()); taken > 1 || n != taken {
			t.Errorf("p%d has taken %d times, and has %d bookings", i, taken, n)
		}
	}
	for _, b := range bookings {
		if !w.isBooked(w.hosts()[0], b.Start, b.End) && !w.isOpen("cut", b.Start, w.hosts()[0]) {
			t.Errorf("%v is neither booked nor open", b.Start)
		}
	}
}

// isBooked reports whether a live booking of the host meets the span.
func (w *world) isBooked(host catalog.HostID, start, end when.Instant) bool {
	w.T.Helper()
	n := 0
	w.Must(w.rows().QueryRow(fmt.Sprintf(`SELECT COUNT(*) FROM bookings WHERE host_id = %d AND start_ms < %d AND end_ms > %d AND `,
		host, end, start) + store.Live).Scan(&n))
	return n > 0
}

// isOpen reports whether a visitor can book the service at that start with the host.
func (w *world) isOpen(eventType string, start when.Instant, host catalog.HostID) bool {
	w.T.Helper()
	found, err := w.Availability(w.T.Context(), w.visitor(), availability.Input{EventType: eventType, Host: host.String(),
		From: start.String(), To: start.Add(time.Minute).String()})
	w.Must(err)
	return slices.ContainsFunc(found.Slots(), func(s availability.Slot) bool { return s.Start == start })
}

// settles lets the clock run until nothing is offered any more, and looks at what came of it.
func (w *world) settles(entries []waitlist.Entry) {
	w.T.Helper()
	for range 200 {
		w.carries()
		if w.jobs() == 0 {
			break
		}
		w.Clock.Advance(5 * time.Minute)
	}
	if n := w.jobs(); n != 0 || w.held()[1] != 0 {
		w.T.Errorf("%d jobs are left, held %v", n, w.held())
	}
	w.apart()
	for _, e := range entries {
		now := w.entry(e)
		if now.Status == waitlist.Offered || now.Status == waitlist.Booked && now.BookingID == 0 && now.VisitID == 0 {
			w.T.Errorf("an entry is %v, booked %v", now.Status, now.BookingID)
		}
	}
}

// apart fails where two live bookings of a host meet.
func (w *world) apart() {
	w.T.Helper()
	var n int
	w.Must(w.rows().QueryRow(`SELECT COUNT(*) FROM bookings a JOIN bookings b ON a.host_id = b.host_id AND a.id < b.id
		AND a.start_ms < b.end_ms AND b.start_ms < a.end_ms WHERE a.` + store.Live + ` AND b.` + store.Live).Scan(&n))
	if n != 0 {
		w.T.Errorf("%d pairs of bookings meet", n)
	}
}
