package waitlist_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// An offer lasts as long as the shop says, at most half of what is left until the start; under ten minutes, or inside the
// minimum notice, there is none.
func TestHowLongAnOfferLasts(t *testing.T) {
	for name, c := range map[string]struct {
		minutes, notice int
		now, start      string
		lasts           time.Duration // 0 is no offer
	}{
		"by default": {0, 0, "0T10", "1T09", 30 * time.Minute},
		"as set":     {75, 0, "0T10", "1T09", 75 * time.Minute},
		"half of it": {0, 0, "0T12:20", "0T13", 20 * time.Minute},
		"just":       {0, 0, "0T12:40", "0T13", 10 * time.Minute},
		"too late":   {0, 0, "0T12:41", "0T13", 0},
		"in notice":  {0, 180, "0T10:30", "0T13", 0},
		"before it":  {0, 180, "0T09:30", "0T13", 30 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			w := opened(t)
			w.offerFor(c.minutes)
			now, err := when.ParseISO(apptest.At(c.now))
			w.Must(err)
			w.Clock.Set(now.Time())
			e := w.waits(input("cut", "bo", wish(0, 2)))
			in := apptest.Input("cut", c.start, "gone")
			in.Host = w.ana()
			b, err := w.Book(t.Context(), w.Owner, in)
			w.Must(err)
			w.settled()
			w.Alter("cut", func(e *catalog.EventType) { e.MinimumNoticeMinutes = c.notice })
			w.cancels(b)
			w.carries()
			o := w.offered(e)
			switch {
			case c.lasts == 0 && (o != nil || w.held() != [3]int{} || w.jobs() != 0):
				t.Errorf("offered %+v, held %v, %d jobs", o, w.held(), w.jobs())
			case c.lasts > 0 && (o == nil || o.Until != now.Add(c.lasts)):
				t.Errorf("offered %+v, want until %v", o, now.Add(c.lasts))
			}
		})
	}
}

// offerFor sets for how long times are offered; 0 leaves it.
func (w *world) offerFor(minutes int) {
	w.T.Helper()
	if minutes > 0 {
		_, err := w.Shop.UpdateWorkspace(w.T.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.WaitlistOfferMinutes = minutes })
		w.Must(err)
	}
}

// A time is offered for 90 minutes in all: the second of two long offers is cut, and there is no third.
func TestTimeIsOfferedFor90Minutes(t *testing.T) {
	w := opened(t)
	w.offerFor(60)
	ann, ben, cem := w.waits(input("cut", "ann")), w.waits(input("cut", "ben")), w.waits(input("cut", "cem"))
	w.frees("cut", "1T09", w.ana())
	first := when.At(w.Clock.Now())
	w.carries()
	if o := w.offered(ann); o == nil || o.Until != first.Add(time.Hour) {
		t.Fatalf("the first is offered %+v", o)
	}
	w.Clock.Advance(time.Hour)
	w.carries()
	w.carries()
	if o := w.offered(ben); o == nil || o.Until != first.Add(90*time.Minute) {
		t.Fatalf("the second is offered %+v", o)
	}
	w.Clock.Advance(30 * time.Minute)
	w.carries()
	w.carries()
	if o := w.offered(cem); o != nil || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("then %+v is offered, held %v, %d jobs", o, w.held(), w.jobs())
	}
	w.Must(w.tries("cut", "1T09", w.ana(), "quick"))
}

// An offer that runs at nine in the evening runs out: until then it can be taken, and nobody is asked after it before eight.
func TestOfferRunsOutAtNight(t *testing.T) {
	w := opened(t)
	at := func(day, hour, minute int) {
		y, m, d := apptest.Monday.Date()
		w.Clock.Set(time.Date(y, m, d+day, hour, minute, 0, 0, w.zone()))
	}
	takes, silent, next := w.waits(input("cut", "bo")), w.waits(input("cut", "cem")), w.waits(input("cut", "dan"))
	at(0, 20, 50)
	w.frees("cut", "2T09", w.ana())
	w.frees("cut", "2T10", w.ana())
	w.carries()
	if w.offered(takes) == nil || w.offered(silent) == nil {
		t.Fatalf("offered %+v and %+v", w.offered(takes), w.offered(silent))
	}
	left := w.offered(silent).Start
	at(0, 21, 19)
	w.carries()
	_, err := w.Waitlist.Take(t.Context(), w.token(takes), waitlist.TakeInput{})
	w.Must(err)
	at(0, 21, 20)
	w.carries()
	w.carries()
	if n := w.entry(silent).Silences; n != 1 || w.offered(next) != nil || w.held() != [3]int{} {
		t.Errorf("%d silences, the next one is offered %+v, held %v", n, w.offered(next), w.held())
	}
	at(1, 7, 59)
	w.carries()
	if w.offered(next) != nil {
		t.Error("it is offered at night")
	}
	at(1, 8, 0)
	w.carries()
	if o := w.offered(next); o == nil || o.Start != left {
		t.Errorf("at eight %+v is offered, not %v", o, left)
	}
}

// What came free before somebody waited isn't offered to them, nor is a start that they refused once.
func TestWhatIsNotOffered(t *testing.T) {
	w := opened(t)
	other := w.waits(input("wash", "ann", wish(4, 4)))
	w.frees("cut", "1T09", w.ana())
	w.Clock.Advance(time.Second)
	late := w.waits(input("cut", "bo"))
	w.carries()
	w.carries()
	if w.offered(late) != nil || w.offered(other) != nil || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("offered %+v and %+v, held %v", w.offered(late), w.offered(other), w.held())
	}
	for i, wants := range []bool{true, false} {
		w.frees("cut", "1T10", w.ana())
		w.carries()
		if (w.offered(late) != nil) != wants {
			t.Fatalf("time %d: offered %+v", i, w.offered(late))
		}
		w.Must(w.Waitlist.Refuse(t.Context(), w.token(late)))
		w.carries()
	}
}

// Buffers count as what an entry takes of a time; where it can't begin with that, it ends with it.
func TestFitsWithBuffersAndFlush(t *testing.T) {
	w := opened(t)
	w.Offer("long", 90, func(e *catalog.EventType) { e.MinimumNoticeMinutes, e.SlotStepMinutes = 0, 30 })
	w.Offer("spa", 60, func(e *catalog.EventType) {
		e.MinimumNoticeMinutes, e.SlotStepMinutes, e.BufferAfterMinutes = 0, 30, 30
	})
	for _, slug := range []string{"cut", "wash"} {
		w.Alter(slug, func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	}
	cut := w.waits(input("cut", "ann", wish(1, 1)))
	w.Clock.Advance(time.Minute)
	spa := w.waits(input("spa", "ben", wish(1, 1)))
	beside := apptest.Input("long", "1T10", "beside")
	beside.Host = w.ana()
	_, err := w.Book(t.Context(), w.Owner, beside)
	w.Must(err)
	w.frees("long", "1T08:30", w.ana())
	w.carries()
	if w.offered(spa) == nil || w.offered(cut) != nil {
		t.Errorf("90 minutes are offered to %+v, not to who takes all of it", w.offered(cut))
	}
	late := wish(2, 2)
	late.Hours = []string{"09:45-12:00"} // 08:45 in UTC
	wash := w.waits(input("wash", "cem", late))
	w.frees("long", "2T08:30", w.ana())
	w.carries()
	if o := w.offered(wash); o == nil || o.Start.String() != apptest.At("2T09:30") {
		t.Errorf("not flush with its end: %+v", o)
	}
}

// What the booking window comes to reach is offered within the hour.
func TestWhatTheWindowReachesIsOffered(t *testing.T) {
	w := opened(t)
	w.Alter("cut", func(e *catalog.EventType) { e.BookingWindowDays = 10 })
	e := w.waits(input("cut", "bo", wish(11, 11)))
	w.carries()
	w.carries()
	if w.offered(e) != nil || w.jobs() != 0 {
		t.Fatalf("offered %+v", w.offered(e))
	}
	w.Clock.Advance(24 * time.Hour)
	w.carries()
	w.carries()
	if o := w.offered(e); o == nil || o.Start.Time().Before(w.Clock.Now().Add(9*24*time.Hour)) {
		t.Errorf("offered %+v", o)
	}
}

// A hold of a key or of a visitor takes no offered time.
func TestHoldTakesNoOfferedTime(t *testing.T) {
	w := opened(t)
	e := w.waits(input("cut", "bo"))
	w.frees("cut", "1T09", w.ana())
	for _, what := range []string{"held", "offered"} {
		for _, v := range []*app.HoldVisitor{nil, {Address: netip.MustParseAddr("203.0.113.7")}} {
			in := app.HoldInput{EventType: "cut", Start: apptest.At("1T09"), Host: w.ana(), Visitor: v}
			a := w.API
			if v != nil {
				a = w.visitor()
			}
			_, err := w.Hold(t.Context(), a, in)
			w.Refused(err, fault.Conflict, "slot_taken")
		}
		if w.carries(); w.offered(e) == nil {
			t.Fatalf("%s: it isn't offered", what)
		}
	}
	_, err := w.Waitlist.Take(t.Context(), w.token(e), waitlist.TakeInput{})
	w.Must(err)
}

// Taking an offer moves no booking that the person has: the mail names those of the same service, with their links, and
// they stay.
func TestOlderBookingsAreNamedAndStay(t *testing.T) {
	w := opened(t)
	older, other := w.Booked("cut", "8T09", "bo"), w.Booked("wash", "9T09", "bo")
	e := w.waits(input("cut", "bo"))
	w.frees("cut", "1T09", w.ana())
	w.carries()
	mails := w.mails(catalog.MailOffer)
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	about, err := w.Mail.MailSubject(t.Context(), &mails[0])
	w.Must(err)
	about.Sends = true
	m, err := mail.ComposeAbout(t.Context(), w.Mail, &mails[0], &about, w.from())
	w.Must(err)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for _, want := range []string{older.ManageURL, "December 8", waitlist.Path(setup, e.ID)} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("no %q in\n%s", want, m.Text)
		}
	}
	if strings.Contains(m.Text, other.ManageURL) {
		t.Error("it names a booking of another service")
	}
	_, err = w.Waitlist.Take(t.Context(), w.token(e), waitlist.TakeInput{})
	w.Must(err)
	for _, b := range []booking.Booking{older, other} {
		if now := w.Again(b); now.Status != booking.Confirmed || now.Start != b.Start {
			t.Errorf("%s is %v at %v", b.EventType, now.Status, now.Start)
		}
	}
}

// Events of the waitlist go to endpoints that name them, and to no others.
func TestOnlyNamedWaitlistEvents(t *testing.T) {
	w := newWorld(t)
	w.hooks("*")
	w.hooks("booking.created")
	e := w.waits(input("cut", "ann"))
	if told := w.told(); len(told) != 0 {
		t.Errorf("told %v", told)
	}
	w.hooks("waitlist.ended")
	w.Must(w.Waitlist.EndEntry(t.Context(), w.API, e.ID.String()))
	w.waits(input("cut", "ben"))
	if told := w.told(); len(told) != 1 || !slices.ContainsFunc(told, func(b string) bool { return strings.Contains(b, `"waitlist.ended"`) }) {
		t.Errorf("told %v", told)
	}
}

// What the house holds, and what is offered, counts in no bound of what visitors may hold.
func TestHouseHoldsBindNoVisitor(t *testing.T) {
	w := opened(t)
	for _, name := range []string{"ann", "ben", "cem"} {
		w.waits(input("cut", name))
	}
	w.carries()
	holds := func(what, start, address string) {
		t.Helper()
		_, err := w.Hold(t.Context(), w.visitor(), app.HoldInput{EventType: "cut", Start: apptest.At(start), Host: w.ana(),
			Visitor: &app.HoldVisitor{Address: netip.MustParseAddr(address)}})
		if err != nil {
			t.Errorf("beside what is %s: %v", what, err)
		}
	}
	var all []booking.Booking
	for _, day := range []string{"1", "2"} {
		for _, hour := range []string{"T09", "T10", "T11"} {
			in := apptest.Input("cut", day+hour, "gone"+day+hour)
			in.Host = w.ana()
			b, err := w.Book(t.Context(), w.Owner, in)
			w.Must(err)
			all = append(all, b)
		}
	}
	w.settled()
	for _, b := range all[:3] {
		w.cancels(b)
	}
	if n := w.held(); n != [3]int{0, 0, 3} {
		t.Fatalf("held %v", n)
	}
	holds("held by the house", "1T14", "203.0.113.7")
	w.Clock.Advance(11 * time.Minute)
	w.settled()
	for _, b := range all[3:] {
		w.cancels(b)
	}
	w.carries()
	if n := w.held(); n[1] != 3 {
		t.Fatalf("held %v", n)
	}
	for _, day := range []string{"1T14", "2T14"} { // of one of the days
		holds("offered", day, "203.0.113."+day[:1])
	}
}
