package waitlist_test

import (
	"path"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// tries books as a visitor, with the host if one is named.
func (w *world) tries(eventType, start, host, person string) error {
	w.T.Helper()
	in := apptest.Input(eventType, start, person)
	in.Host = host
	_, err := w.Book(w.T.Context(), w.visitor(), in)
	return err
}

// freed lists what came free and is still to be offered, as "Ana 09:00-10:00" in UTC, of the day after Monday.
func (w *world) freed(day int) (all []string) {
	w.T.Helper()
	list, err := w.Waitlist.FreedTimes(w.T.Context(), w.Owner)
	w.Must(err)
	for _, f := range list {
		if start := f.Start.Time().UTC(); start.Day() == apptest.Monday.AddDate(0, 0, day).Day() {
			all = append(all, f.Host.Name+" "+start.Format("15:04")+"-"+f.End.Time().UTC().Format("15:04"))
		}
	}
	return all
}

// What came free is held for two minutes at most, though nobody looks who gets it; within these the business may take it.
func TestHouseHoldIsShort(t *testing.T) {
	w := opened(t)
	e := w.waits(input("cut", "bo"))
	w.carries()
	b := w.frees("cut", "1T09", w.ana())
	w.Clock.Advance(2*time.Minute - time.Second)
	w.Refused(w.tries("cut", "1T09", w.ana(), "quick"), fault.Conflict, "slot_taken")
	w.Clock.Advance(time.Second)
	w.Must(w.tries("cut", "1T09", w.ana(), "quick"))
	w.carries()
	if w.offered(e) != nil || w.held() != [3]int{} {
		t.Errorf("offered %+v, held %v", w.offered(e), w.held())
	}
	other := w.frees("cut", "1T11", w.ana())
	in := apptest.Input("cut", other.Start.String(), "vip")
	in.Host, in.Override = w.ana(), []string{"offered"}
	_, err := w.Book(t.Context(), w.Owner, in)
	w.Must(err)
	w.carries()
	if w.offered(e) != nil || w.held() != [3]int{} || w.entry(e).Status.String() != "waiting" || b.Start == other.Start {
		t.Errorf("taken by the business: offered %+v, held %v", w.offered(e), w.held())
	}
}

// A session of two hosts with a chair lets go of all three at once, and of nothing else.
func TestHouseHoldTakesAllThatCameFree(t *testing.T) {
	w := &world{Salon: apptest.New(t, apptest.Options{Hosts: []string{"Ana", "Bob", "Cyd"}})}
	w.Mail.ShareMailServer(mailServer())
	w.Clock.Set(apptest.Monday.Add(3 * time.Hour))
	now := w.Clock.Now()
	chair := catalog.Resource{ID: id.New[catalog.ResourceIDKind](now), WorkspaceID: w.Workspace.ID, Name: "Chair", Active: true, CreatedAt: when.At(now)}
	w.Must(chair.Check("resource", w.zone()))
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.InsertResource(&chair) }))
	offer := func(slug string, host catalog.HostID, needs ...catalog.Need) {
		w.Offer(slug, 60, func(e *catalog.EventType) {
			e.MinimumNoticeMinutes, e.Hosts, e.Needs = 0, []catalog.HostRef{{ID: host}}, needs
		})
	}
	sits := catalog.Need{OneOf: []catalog.ResourceID{chair.ID}, During: catalog.DuringAll}
	offer("duo", 1, catalog.Need{Hosts: 2, Of: []catalog.HostID{2}}, sits)
	offer("talk", 2)
	offer("facial", 3, sits)
	offer("cut", 3)
	w.waits(input("talk", "bo"))
	w.carries()
	w.cancels(w.Booked("duo", "1T09", "gone"))
	if n := w.held(); n != [3]int{0, 0, 2} {
		t.Errorf("of two hosts %v are held", n)
	}
	for _, slug := range []string{"duo", "talk", "facial"} {
		w.Refused(w.tries(slug, "1T09", "", slug), fault.Conflict, "slot_taken")
	}
	w.Must(w.tries("duo", "1T10", "", "later"))
	w.Must(w.tries("cut", "1T09", "", "cut"))
	w.Clock.Advance(2 * time.Minute)
	w.Must(w.tries("duo", "1T09", "", "duo"))
}

// A move frees what it leaves of the time, and nothing is held of what is too short for any service.
func TestMoveFreesWhatItLeaves(t *testing.T) {
	w := opened(t)
	w.Offer("long", 120, func(e *catalog.EventType) { e.MinimumNoticeMinutes, e.SlotStepMinutes = 0, 15 })
	w.waits(input("wash", "bo"))
	for day, c := range map[int]struct {
		from, to string
		free     []string
		held     int
	}{
		1: {"1T09", "1T10", []string{"Ana 09:00-10:00"}, 1},
		2: {"2T10", "2T09", []string{"Ana 11:00-12:00"}, 1},
		3: {"3T09", "3T09:15", []string{"Ana 09:00-09:15"}, 0},
		4: {"4T09", "4T09:30", []string{"Ana 09:00-09:30"}, 1},
	} {
		b, err := w.Book(t.Context(), w.Owner, apptest.Input("long", c.from, "x"))
		w.Must(err)
		before := w.held()[2]
		_, err = w.Reschedule(t.Context(), w.Owner, b.ID.String(), app.RescheduleInput{Start: apptest.At(c.to)})
		w.Must(err)
		if got, held := w.freed(day), w.held()[2]-before; !slices.Equal(got, c.free) || held != c.held {
			t.Errorf("%s to %s: %q came free, %d held", c.from, c.to, got, held)
		}
	}
}

// A day that is being cancelled frees nothing in its minute; undone, it never does. Of one that is closed with it nothing is
// offered, whatever is ticked.
func TestCancelledDayFreesNothingInItsMinute(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	e := w.waits(input("cut", "bo"))
	cancels := func(day string, form string, closes *bulk.TimeOffInput) bulk.Cancellation {
		t.Helper()
		in := apptest.Input("cut", day+"T09", "gone"+form)
		in.Host = w.ana()
		b, err := w.Book(ctx, w.Owner, in)
		w.Must(err)
		w.settled()
		from, err := when.ParseISO(apptest.At(day + "T00"))
		w.Must(err)
		c, err := w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Form: form, Scope: bulk.Scope{From: from, To: from.Add(24 * time.Hour)}, Offers: true, Close: closes,
			Listed: []bulk.SeenBooking{{ID: b.ID.String(), Version: bulk.Version(&b), Chosen: true}}})
		w.Must(err)
		w.carries()
		if w.jobs() != 0 || w.held() != [3]int{} || w.Again(b).Status != booking.Confirmed {
			t.Errorf("%s: in its minute %d jobs, held %v", form, w.jobs(), w.held())
		}
		return c
	}
	later := func() {
		t.Helper()
		w.Clock.Advance(bulk.Undoable)
		w.Must(w.Bulk.CarryOut(ctx))
		w.carries()
	}
	c := cancels("1", "undone", nil)
	_, err := w.Bulk.UndoCancellation(ctx, w.Owner, c.ID.String())
	w.Must(err)
	later()
	if w.offered(e) != nil || w.held() != [3]int{} {
		t.Errorf("undone: offered %+v, held %v", w.offered(e), w.held())
	}
	cancels("2", "closed", &bulk.TimeOffInput{Host: w.ana(), Start: "2026-12-02", End: "2026-12-02"})
	later()
	if w.offered(e) != nil {
		t.Errorf("of a closed day %+v is offered", w.offered(e))
	}
	w.carries()
	if w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("of a closed day held %v, %d jobs", w.held(), w.jobs())
	}
	cancels("3", "ticked", nil)
	later()
	if o := w.offered(e); o == nil || o.Start.String() != apptest.At("3T09") {
		t.Errorf("ticked: offered %+v", o)
	}
}

// Several that an invitee cancels at once are offered.
func TestSeveralOfAnInviteeAreOffered(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	w.waits(input("cut", "bo", wish(1, 60)))
	s, err := w.BookSeries(ctx, w.Owner, booking.SeriesInput{EventType: "cut", Start: apptest.At("1T09"), Host: w.ana(),
		Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 4}, Invitee: booking.Invitee{Name: "Often", Email: "often@mail.example"}})
	w.Must(err)
	w.settled()
	_, invitee, err := w.BookingByToken(ctx, path.Base(s.Bookings[1].ManageURL))
	w.Must(err)
	_, err = w.CancelSeries(ctx, invitee, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[1].ID.String(), Scope: booking.SeriesFollowing})
	w.Must(err)
	if n := w.held(); n != [3]int{0, 0, 3} {
		t.Errorf("of three dates %v are held", n)
	}
}

// Time off that is given, and a service that is switched off, come before who waits.
func TestTimeOffComesFirst(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	in := input("cut", "bo")
	in.Items[0].Host = w.ana()
	e := w.waits(in)
	w.frees("cut", "1T09", w.ana())
	_, err := w.Shop.AddTimeOff(ctx, w.Owner, w.ana(), "2026-12-01T10:00", "2026-12-01T10:30", "") // its first half hour
	w.Must(err)
	w.carries()
	if w.offered(e) != nil || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("time off: offered %+v, held %v, %d jobs", w.offered(e), w.held(), w.jobs())
	}
	w.frees("cut", "1T11", w.ana())
	w.Alter("cut", func(e *catalog.EventType) { e.Active = false })
	w.carries()
	if w.offered(e) != nil || w.held() != [3]int{} || w.jobs() != 0 {
		t.Errorf("switched off: offered %+v, held %v, %d jobs", w.offered(e), w.held(), w.jobs())
	}
}
