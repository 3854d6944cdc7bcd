package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/cost"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/leave"
	"daybook/app/mail"
	"daybook/app/notice"
	"daybook/app/record"
	"daybook/app/when"
)

// listed are the bookings as a list shows them, all chosen but those left out.
func listed(all []record.Booking, out ...record.Booking) (in []bulk.Listed) {
	for i := range all {
		b := &all[i]
		in = append(in, bulk.Listed{ID: b.ID.String(), Version: b.ETag(),
			Chosen: !slices.ContainsFunc(out, func(o record.Booking) bool { return o.ID == b.ID })})
	}
	return in
}

// people names the invitees.
func people(all []record.Booking) string {
	var names []string
	for i := range all {
		names = append(names, all[i].Invitee.Name)
	}
	return strings.Join(names, " ")
}

// A day is cancelled as it was seen: who was left out, changed or came in meanwhile stays and is named; a second send
// changes nothing and tells nobody.
func TestSeveralAreCancelled(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.Price = &cost.Money{Amount: 4500, Currency: "EUR"} })
	w.offer("wash", 2, nil)
	w.offer("talk", 1, func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx := t.Context()
	w.endpoint("*")
	book := func(kind, at, who, host string) record.Booking {
		t.Helper()
		in := apptest.Input(kind, at, who)
		in.Host = host
		b, err := w.Book(ctx, w.API, in)
		w.Must(err)
		return b
	}
	ana, bob := catalog.HostID(1).String(), catalog.HostID(2).String()
	early, told := book("cut", "1T08", "early", ana), book("cut", "1T09", "told", ana)
	out, moved := book("cut", "1T10", "out", ana), book("cut", "1T11", "moved", ana)
	other, asks := book("wash", "1T10", "other", bob), book("talk", "1T12", "asks", ana)
	book("cut", "2T09", "tomorrow", ana)
	in := apptest.Input("cut", "1T14", "phone")
	in.Invitee.Email, in.Invitee.Phone = "", "+4930901820"
	_, err := w.Book(ctx, w.API, in)
	w.Must(err)
	w.at("+1 09:00") // early is over

	at := func(text string) when.Instant { i, err := when.Parse(apptest.At(text)); w.Must(err); return i }
	day := bulk.Scope{Host: 1, From: at("1T00"), To: at("2T00")}
	seen, err := w.Bulk.Within(ctx, w.Owner, day, bulk.Most)
	w.Must(err)
	if got := people(seen); got != "told out moved asks phone" {
		t.Fatalf("listed: %s", got)
	}
	off, weekly := leave.TimeOff{Start: at("1T09:30"), End: at("1T10:30")}, leave.TimeOff{Start: at("-6T12"), End: at("-6T15"),
		Repeat: &leave.Repeat{Every: 1, Unit: leave.Weekly}}
	if counts, err := w.Bulk.Counts(ctx, w.Owner, 0, []bulk.Scope{{Off: &off}, {Off: &weekly}, {Holidays: true}, {From: at("2T00")}}); err != nil ||
		!slices.Equal(counts, []int{3, 2, 0, 1}) {
		t.Errorf("counts: %v, %v", counts, err)
	}
	if all, err := w.Bulk.Within(ctx, w.Owner, bulk.Scope{From: day.From, To: at("1T11")}, bulk.Most); err != nil || people(all) != "told other out" && people(all) != "told out other" {
		t.Errorf("everybody's until 11: %s, %v", people(all), err)
	}
	_, err = w.Reschedule(ctx, w.API, moved.ID.String(), app.RescheduleInput{Start: apptest.At("1T15")})
	w.Must(err)
	book("cut", "1T13", "new", ana)

	_, err = w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Scope: day, Listed: listed(seen, seen...)})
	w.Refused(err, fault.BadRequest, "invalid")
	send := bulk.CancelInput{Scope: day, Listed: listed(seen, out), Message: " I am ill ", Refund: true}
	want := func(cancelled, declined, before string) {
		t.Helper()
		r, err := w.Bulk.CancelListed(ctx, w.Owner, send)
		w.Must(err)
		if people(r.Cancelled) != cancelled || people(r.Declined) != declined || people(r.Before) != before ||
			people(r.Kept) != "out" || people(r.New) != "new" ||
			len(r.Left) != 1 || r.Left[0].Booking.Invitee.Name != "moved" || r.Left[0].Err != nil {
			t.Errorf("cancelled %q, declined %q, before %q, kept %q, new %q, left %+v", people(r.Cancelled), people(r.Declined),
				people(r.Before), people(r.Kept), people(r.New), r.Left)
		}
	}
	want("told phone", "asks", "")
	w.writeMails()
	mails, kinds := w.mails(), len(w.EventKinds())
	want("", "", "told asks phone")
	w.writeMails()
	if again := w.mails(); len(again) != len(mails) || len(w.EventKinds()) != kinds {
		t.Errorf("a second send: %d mails after %d, %d events after %d", len(again), len(mails), len(w.EventKinds()), kinds)
	}
	for _, b := range []record.Booking{told, asks} {
		now := w.Again(b)
		history, err := w.History(ctx, w.API, b.ID.String())
		w.Must(err)
		if now.Status != record.Cancelled || now.Cancellation.Reason != "I am ill" || len(history) != 2 {
			t.Errorf("%s: %s, %+v, %d entries", b.Invitee.Name, now.Status, now.Cancellation, len(history))
		}
	}
	for _, b := range []record.Booking{early, out, moved, other} {
		if now := w.Again(b); now.Status == record.Cancelled {
			t.Errorf("%s is cancelled", b.Invitee.Name)
		}
	}
	page, err := w.Mail.Mails(ctx, w.Owner, mail.ListInput{})
	w.Must(err)
	got := map[string]int{}
	for _, m := range page.Data {
		if m.Facts.For == mail.ToInvitee && m.Facts.Status == record.Cancelled {
			got[string(m.Kind)+" "+m.To]++
		}
	}
	if fmt.Sprint(got) != "map[cancelled told@mail.example:1 declined asks@mail.example:1]" {
		t.Errorf("mails: %v", got)
	}

	t.Run("money since", func(t *testing.T) { // what was paid at the counter since the list was seen is not overlooked
		seen, err := w.Bulk.Within(ctx, w.Owner, day, bulk.Most)
		w.Must(err)
		_, err = w.Counter.Record(ctx, w.Owner, out.ID.String(), counter.Input{Amount: 1000, Method: record.ByCash})
		w.Must(err)
		r, err := w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Scope: day, Listed: listed(seen)})
		if err != nil || people(r.Cancelled) != "new moved" || len(r.Left) != 1 || r.Left[0].Booking.Paid.Amount != 1000 {
			t.Errorf("%q, %+v, %v", people(r.Cancelled), r.Left, err)
		}
	})
	t.Run("staff", func(t *testing.T) {
		staff := app.Actor{Kind: record.ByOwner, User: 7, Role: app.StaffRole, Host: 1, Workspace: w.Workspace.ID}
		if all, err := w.Bulk.Within(ctx, staff, bulk.Scope{From: day.From, To: day.To}, bulk.Most); err != nil || people(all) != "out" {
			t.Errorf("%q, %v", people(all), err)
		}
		_, err := w.Bulk.Within(ctx, staff, bulk.Scope{Host: 2}, bulk.Most)
		w.Refused(err, fault.NotFound, "")
		r, err := w.Bulk.CancelListed(ctx, staff, bulk.CancelInput{Scope: bulk.Scope{Host: 1}, Listed: listed([]record.Booking{other})})
		if err != nil || len(r.Left) != 1 || r.Left[0].Booking.ID != 0 || !fault.Is(r.Left[0].Err, fault.NotFound) || w.Again(other).Status != record.Confirmed {
			t.Errorf("another host's: %+v, %v", r, err)
		}
		staff.Host = 0 // sees nobody's calendar
		if all, err := w.Bulk.Within(ctx, staff, bulk.Scope{}, bulk.Most); err != nil || len(all) > 0 {
			t.Errorf("of no host: %q, %v", people(all), err)
		}
	})
}

// Two servers cancel the same day while it is booked and moved: each booking is cancelled by one of them, and told once.
func TestContestOfSeveral(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	w.endpoint("*")
	ctx := t.Context()
	var all []record.Booking
	for i := range 12 {
		all = append(all, w.Booked("cut", fmt.Sprintf("1T%02d", 8+i%6), fmt.Sprint("p", i)))
	}
	now := when.At(w.Clock.Now())
	in := bulk.CancelInput{Scope: bulk.Scope{From: now, To: now.Add(3 * when.Day)}, Listed: listed(all)}
	results := make([]bulk.Result, contenders)
	w.tally(w.contest(func(at *apptest.Salon, i int) (err error) {
		if i >= 8 { // others move them; a time may be taken, or the booking over
			_, err = at.Reschedule(ctx, w.API, all[i%len(all)].ID.String(), app.RescheduleInput{Start: apptest.At(fmt.Sprintf("2T%02d", 8+i%6))})
			if fault.As(err) != nil {
				err = nil
			}
			return err
		}
		results[i], err = at.Bulk.CancelListed(ctx, w.Owner, in)
		return err
	}), "")
	by := map[record.BookingID]int{}
	for _, r := range results {
		for i := range r.Cancelled {
			by[r.Cancelled[i].ID]++
		}
	}
	cancelled := 0
	for _, b := range all {
		now, entries := w.Again(b), 0
		history, err := w.History(ctx, w.API, b.ID.String())
		w.Must(err)
		for _, h := range history {
			if h.Action == record.ActCancelled {
				entries++
			}
		}
		want := 0
		if now.Status == record.Cancelled {
			cancelled, want = cancelled+1, 1
		}
		if by[b.ID] != want || entries != want || want == 1 && len(history) != 2 {
			t.Errorf("%s: %s, cancelled by %d, %d of %d entries", b.Invitee.Name, now.Status, by[b.ID], entries, len(history))
		}
	}
	events := 0
	for _, k := range w.EventKinds() {
		if k == notice.BookingCancelled {
			events++
		}
	}
	if events != cancelled {
		t.Errorf("%d events for %d cancelled", events, cancelled)
	}
}
