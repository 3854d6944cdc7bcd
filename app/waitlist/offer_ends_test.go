package waitlist_test

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/waitlist"
)

// A move that takes back a part of what a move before it freed leaves the rest to who waits, and that of another host.
func TestMovedAgain(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	w.Offer("long", 120, func(e *catalog.EventType) {
		e.MinimumNoticeMinutes, e.SlotStepMinutes, e.Hosts = 0, 60, []catalog.HostRef{{ID: 1}, {ID: 2}}
	})
	w.waits(input("wash", "bo"))
	in := apptest.Input("long", apptest.At("1T09"), "x")
	in.Host = w.ana()
	b, err := w.Book(ctx, w.Owner, in)
	w.Must(err)
	w.carries()
	move := func(to, host string) {
		t.Helper()
		_, err := w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: apptest.At(to), Host: host})
		w.Must(err)
	}
	spans := func() (all []string) {
		t.Helper()
		list, err := w.Waitlist.FreedTimes(ctx, w.Owner)
		w.Must(err)
		for _, f := range list {
			all = append(all, f.Host.Name+" "+f.Start.String()+" "+f.End.String())
		}
		return all
	}
	want := func(what string, all ...string) {
		t.Helper()
		got := spans()
		if len(got) != len(all) {
			t.Fatalf("%s: %q came free, not %q", what, got, all)
		}
		for i := range all {
			if got[i] != all[i] {
				t.Errorf("%s: %q came free, not %q", what, got, all)
			}
		}
		if n := w.held(); n != [3]int{0, 0, len(all)} {
			t.Errorf("%s: held %v", what, n)
		}
	}
	at := func(hour string) string { return apptest.At("1T" + hour) }
	move("1T13", w.ana())
	want("moved away", "Ana "+at("09")+" "+at("11"))
	move("1T10", w.ana())
	want("half back", "Ana "+at("09")+" "+at("10"), "Ana "+at("13")+" "+at("15"))
	move("1T13", w.hosts()[1].String())
	want("to another host", "Ana "+at("09")+" "+at("10"), "Ana "+at("10")+" "+at("12"), "Ana "+at("13")+" "+at("15"))
}

// Requests that the business declines with a cancelled day are offered only where it says so; one that it declines alone is,
// with all of its visit.
func TestDeclinedRequestsAreOffered(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	w.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	w.waits(input("wash", "bo"))
	asks := func(start, person string) booking.Booking {
		t.Helper()
		in := apptest.Input("cut", apptest.At(start), person)
		in.Host = w.ana()
		b, err := w.Book(ctx, w.visitor(), in)
		w.Must(err)
		if b.Status != booking.Pending {
			t.Fatal(b.Status)
		}
		w.settled()
		return b
	}
	first, second := asks("1T09", "a"), asks("1T11", "b")
	among := app.Among{Ending: []booking.BookingID{first.ID, second.ID}}
	_, err := w.Decline(ctx, w.Owner, first.ID.String(), "", among)
	w.Must(err)
	if n := w.held(); n[2] != 0 {
		t.Errorf("of a cancelled day %v are held", n)
	}
	among.Offers = true
	_, err = w.Decline(ctx, w.Owner, second.ID.String(), "", among)
	w.Must(err)
	if n := w.held(); n[2] != 1 {
		t.Errorf("of a cancelled day that is to be offered %v are held", n)
	}
	v, err := w.BookVisit(ctx, w.visitor(), booking.VisitInput{Start: apptest.At("2T09"),
		Items: []booking.VisitItem{{EventType: "cut", Host: w.ana()}, {EventType: "wash"}}, Invitee: booking.Invitee{Name: "V", Email: "v@mail.example"}})
	w.Must(err)
	w.settled()
	_, err = w.Decline(ctx, w.Owner, v.Items[0].ID.String(), "")
	w.Must(err)
	if n := w.held(); n[2] != 3 {
		t.Errorf("with a declined visit %v are held", n)
	}
}

// settled ends what is to be looked at of bookings that were made, but nothing that came free.
func (w *world) settled() {
	w.T.Helper()
	_, err := w.rows().Exec(`DELETE FROM waitlist_queue WHERE kind = 1`)
	w.Must(err)
}

// What is offered is theirs though its service was hidden since, and counts as approved.
func TestTakenIsApproved(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	e := w.waits(input("cut", "bo"))
	w.frees("cut", "1T09", w.ana())
	w.carries()
	w.Alter("cut", func(e *catalog.EventType) { e.Hidden, e.RequiresApproval = true, true })
	taken, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
	w.Must(err)
	if taken.Booking.Status != booking.Confirmed || w.entry(e).Status != waitlist.Booked {
		t.Errorf("%v, the entry is %v", taken.Booking.Status, w.entry(e).Status)
	}
}

// What is taken of a service that requires a consent waits for the business: the entry has booked once that says yes, and
// waits on, having been silent once, where it says no.
func TestTakenIsDecided(t *testing.T) {
	for name, yes := range map[string]bool{"yes": true, "no": false} {
		t.Run(name, func(t *testing.T) {
			w := opened(t)
			ctx := t.Context()
			_, err := w.Shop.UpdateWorkspace(ctx, w.Owner, func(x *catalog.Workspace) {
				x.Settings.Consents = []catalog.ConsentKind{{Key: "patch-test", Name: "Patch test", Wording: "I had a patch test."}}
			})
			w.Must(err)
			e, next := w.waits(input("cut", "bo")), w.waits(input("cut", "cem"))
			w.frees("cut", "1T09", w.ana())
			w.carries()
			w.Alter("cut", func(e *catalog.EventType) { e.Requires = []catalog.Requirement{{Consent: "patch-test"}} })
			taken, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
			w.Must(err)
			if taken.Booking.Status != booking.Pending || w.entry(e).Status != waitlist.Offered {
				t.Fatalf("taken: %v, the entry is %v", taken.Booking.Status, w.entry(e).Status)
			}
			ref := taken.Booking.ID.String()
			if yes {
				_, err = w.Confirm(ctx, w.Owner, ref, "requirement")
			} else {
				_, err = w.Decline(ctx, w.Owner, ref, "")
			}
			w.Must(err)
			w.Clock.Advance(time.Minute)
			for range 3 {
				w.carries()
			}
			now, others := w.entry(e), w.entry(next)
			if yes && (now.Status != waitlist.Booked || others.Status != waitlist.Waiting) {
				t.Errorf("confirmed: %v, the next one %v", now.Status, others.Status)
			}
			if !yes && (now.Status != waitlist.Waiting || now.Silences != 1 || others.Status != waitlist.Offered) {
				t.Errorf("declined: %v with %d silences, the next one %v", now.Status, now.Silences, others.Status)
			}
		})
	}
}

// A key of one host can't offer a time of another's, by a visit whose services say nobody.
func TestOffersStayWithinWhatIsSeen(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	w.Alter("wash", func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	in := input("cut", "bo")
	in.Items = append(in.Items, waitlist.Item{EventType: "wash"})
	e := w.waits(in)
	narrow := w.API
	narrow.Limits = &right.Limits{Hosts: w.hosts()[1:]}
	_, err := w.Waitlist.OfferEntry(ctx, narrow, e.ID.String(), waitlist.OfferTime{Start: apptest.At("1T09")})
	w.Refused(err, fault.Conflict, "slot_taken")
	if now := w.entry(e); now.Status != waitlist.Waiting || w.held() != [3]int{} {
		t.Errorf("%v, held %v", now.Status, w.held())
	}
}

// Of two live offers of one person, whose cards are merged, the earlier stays; the other goes to who comes next.
func TestMergedOffers(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	known := func(name string) booking.Contact {
		t.Helper()
		c, _, err := w.People.CreateContact(ctx, w.Owner, booking.ContactInput{Name: name, Email: name + "@mail.example"})
		w.Must(err)
		return c
	}
	one, other := known("bo"), known("bob")
	first, second, next := w.waits(input("cut", "bo")), w.waits(input("cut", "bob")), w.waits(input("cut", "cem"))
	w.frees("cut", "1T09", w.ana())
	w.carries()
	w.Clock.Advance(time.Minute)
	w.frees("cut", "1T11", w.ana())
	w.carries()
	if w.offered(first) == nil || w.offered(second) == nil {
		t.Fatalf("offered %v and %v", w.offered(first), w.offered(second))
	}
	_, err := w.People.MergeContacts(ctx, w.Owner, other.ID.String(), one.ID.String())
	w.Must(err)
	for range 3 {
		w.carries()
	}
	if w.offered(first) == nil || w.offered(second) != nil || w.offered(next) == nil || len(w.mails(catalog.MailOfferOver)) != 1 {
		t.Errorf("then %v and %v are offered, the next one %v; %d mails", w.offered(first), w.offered(second), w.offered(next), len(w.mails(catalog.MailOfferOver)))
	}
	if n := w.held(); n != [3]int{0, 2, 0} {
		t.Errorf("held %v", n)
	}
}

// Whoever is erased waits no more: what they were offered goes to who comes next, and where nobody is left nothing waits.
func TestErasedWhileOffered(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	c, _, err := w.People.CreateContact(ctx, w.Owner, booking.ContactInput{Name: "bo", Email: "bo@mail.example"})
	w.Must(err)
	e, next := w.waits(input("cut", "bo")), w.waits(input("cut", "cem"))
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if w.offered(e) == nil {
		t.Fatal("not offered")
	}
	w.Must(w.People.DeleteContact(ctx, w.Owner, c.ID.String()))
	w.carries()
	w.carries()
	if w.offered(next) == nil || w.held() != [3]int{0, 1, 0} {
		t.Errorf("the next one is offered %v, held %v", w.offered(next), w.held())
	}
	w.Must(w.Waitlist.EndEntry(ctx, w.Owner, next.ID.String()))
	if w.anybody() {
		t.Error("somebody waits")
	}
	last := w.waits(input("cut", "dee"))
	d, _, err := w.People.CreateContact(ctx, w.Owner, booking.ContactInput{Name: "dee", Email: "dee@mail.example"})
	w.Must(err)
	w.Must(w.People.DeleteContact(ctx, w.Owner, d.ID.String()))
	if w.anybody() {
		t.Errorf("%s is erased, and somebody waits", last.Invitee.Email)
	}
}
