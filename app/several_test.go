package app_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// listed are the bookings as a list shows them, all chosen but those left out.
func listed(all []booking.Booking, out ...booking.Booking) (in []bulk.SeenBooking) {
	for i := range all {
		b := &all[i]
		in = append(in, bulk.SeenBooking{ID: b.ID.String(), Version: bulk.Version(b),
			Chosen: !slices.ContainsFunc(out, func(o booking.Booking) bool { return o.ID == b.ID })})
	}
	return in
}

// became names the invitees of a cancellation by what became of them.
func (w *world) became(c bulk.Cancellation) string {
	w.T.Helper()
	names := map[bulk.Outcome]string{bulk.Open: "open", bulk.Cancelled: "cancelled", bulk.Declined: "declined",
		bulk.Before: "before", bulk.Changed: "changed", bulk.InChair: "chair", bulk.Gone: "gone", bulk.NoRight: "no right",
		bulk.Refused: "refused", bulk.Kept: "kept", bulk.Dropped: "dropped"}
	c, err := w.Bulk.Cancellation(w.T.Context(), w.Owner, c.ID.String())
	w.Must(err)
	var all []string
	for _, i := range c.Items {
		b, err := w.Booking(w.T.Context(), w.Owner, i.Booking.String())
		w.Must(err)
		all = append(all, b.Invitee.Name+" "+names[i.Outcome])
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// aMinuteLater carries out what is due a minute later.
func (w *world) aMinuteLater() {
	w.T.Helper()
	w.Clock.Advance(bulk.Undoable)
	w.Must(w.Bulk.CarryOut(w.T.Context()))
}

// people names the invitees.
func people(all []booking.Booking) string {
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
	w.offer("cut", 1, func(e *catalog.EventType) { e.Price = &money.Money{Amount: 4500, Currency: "EUR"} })
	w.offer("wash", 2, nil)
	w.offer("talk", 1, func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx := t.Context()
	w.endpoint("*")
	book := func(kind, at, who, host string) booking.Booking {
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
	w.at("+1 08:50")

	at := func(text string) when.Instant { i, err := when.Parse(apptest.At(text)); w.Must(err); return i }
	day := bulk.Scope{Host: 1, From: at("1T00"), To: at("2T00")}
	seen, err := w.Bulk.Within(ctx, w.Owner, day, bulk.Most)
	w.Must(err)
	if got := people(seen); got != "early told out moved asks phone" {
		t.Fatalf("listed: %s", got)
	}
	off, weekly := catalog.TimeOff{Start: at("1T09:30"), End: at("1T10:30")}, catalog.TimeOff{Start: at("-6T12"), End: at("-6T15"),
		Repeat: &catalog.Repeat{Every: 1, Unit: catalog.Weekly}}
	if counts, err := w.Bulk.Counts(ctx, w.Owner, 0, []bulk.Scope{{Off: &off}, {Off: &weekly}, {Holidays: true}, {From: at("2T00")}}); err != nil ||
		!slices.Equal(counts, []int{3, 2, 0, 1}) {
		t.Errorf("counts: %v, %v", counts, err)
	}
	if all, err := w.Bulk.Within(ctx, w.Owner, bulk.Scope{From: day.From, To: at("1T11")}, bulk.Most); err != nil || people(all) != "early told other out" && people(all) != "early told out other" {
		t.Errorf("everybody's until 11: %s, %v", people(all), err)
	}
	_, err = w.Reschedule(ctx, w.API, moved.ID.String(), app.RescheduleInput{Start: apptest.At("1T15")})
	w.Must(err)
	book("cut", "1T13", "new", ana)

	_, err = w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Scope: day, Listed: listed(seen, seen...)})
	w.Refused(err, fault.BadRequest, "invalid")
	send := bulk.CancelInput{Form: "f1", Scope: day, Listed: listed(seen, early, out), Message: " I am ill ", Refund: true}
	events := len(w.EventKinds())
	made, err := w.Bulk.CancelListed(ctx, w.Owner, send)
	w.Must(err)
	again, err := w.Bulk.CancelListed(ctx, w.Owner, send) // a double click
	if err != nil || again.ID != made.ID {
		t.Errorf("sent twice: %v and %v, %v", made.ID, again.ID, err)
	}
	send.Form = "f2" // the same list in another window
	if again, err = w.Bulk.CancelListed(ctx, w.Owner, send); err != nil || again.ID != made.ID {
		t.Errorf("from another window: %v and %v, %v", made.ID, again.ID, err)
	}
	w.Must(w.Bulk.CarryOut(ctx)) // nothing is due
	const waits = "asks open, early kept, moved changed, out kept, phone open, told open"
	if got := w.became(made); got != waits || len(w.EventKinds()) != events || w.Again(told).Status != booking.Confirmed {
		t.Errorf("while it waits: %s, %d events after %d, %s", got, len(w.EventKinds()), events, w.Again(told).Status)
	}
	_, err = w.Book(ctx, w.API, apptest.Input("cut", "1T12", "thief"))
	w.Refused(err, fault.Conflict, "slot_taken")
	w.aMinuteLater()
	const want = "asks declined, early kept, moved changed, out kept, phone cancelled, told cancelled"
	if got := w.became(made); got != want {
		t.Errorf("got %s", got)
	}
	w.writeMails()
	mails, kinds := w.mails(), len(w.EventKinds())
	w.aMinuteLater()
	send.Form = "f1"
	_, err = w.Bulk.CancelListed(ctx, w.Owner, send)
	w.Must(err)
	w.aMinuteLater()
	w.writeMails()
	if again := w.mails(); len(again) != len(mails) || len(w.EventKinds()) != kinds || w.became(made) != want {
		t.Errorf("a second send: %d mails after %d, %d events after %d", len(again), len(mails), len(w.EventKinds()), kinds)
	}
	for _, b := range []booking.Booking{told, asks} {
		now := w.Again(b)
		history, err := w.History(ctx, w.API, b.ID.String())
		w.Must(err)
		if now.Status != booking.Cancelled || now.Cancellation.Reason != "I am ill" || len(history) != 2 {
			t.Errorf("%s: %s, %+v, %d entries", b.Invitee.Name, now.Status, now.Cancellation, len(history))
		}
	}
	for _, b := range []booking.Booking{early, out, moved, other} {
		if now := w.Again(b); now.Status == booking.Cancelled {
			t.Errorf("%s is cancelled", b.Invitee.Name)
		}
	}
	page, err := w.Mail.Mails(ctx, w.Owner, mail.ListInput{})
	w.Must(err)
	got := map[string]int{}
	for _, m := range page.Data {
		if m.Facts.For == mail.ToInvitee && m.Facts.Status == booking.Cancelled {
			got[string(m.Kind)+" "+m.To]++
		}
	}
	if fmt.Sprint(got) != "map[cancelled told@mail.example:1 declined asks@mail.example:1]" {
		t.Errorf("mails: %v", got)
	}

	t.Run("money since", func(t *testing.T) { // what was paid at the counter since the list was seen is not overlooked
		seen, err := w.Bulk.Within(ctx, w.Owner, day, bulk.Most)
		w.Must(err)
		made, err := w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Form: "f3", Scope: day, Listed: listed(seen)})
		w.Must(err)
		_, err = w.Counter.Record(ctx, w.Owner, out.ID.String(), counter.Input{Amount: 1000, Method: booking.ByCash})
		w.Must(err)
		w.aMinuteLater()
		if got := w.became(made); got != "early chair, moved cancelled, new cancelled, out changed" {
			t.Error(got)
		}
	})
	t.Run("staff", func(t *testing.T) {
		staff := app.Actor{Kind: booking.ByOwner, User: 7, Role: app.StaffRole, Host: 1, Workspace: w.Workspace.ID}
		if all, err := w.Bulk.Within(ctx, staff, bulk.Scope{From: day.From, To: day.To}, bulk.Most); err != nil || people(all) != "early out" {
			t.Errorf("%q, %v", people(all), err)
		}
		_, err := w.Bulk.Within(ctx, staff, bulk.Scope{Host: 2}, bulk.Most)
		w.Refused(err, fault.NotFound, "")
		made, err := w.Bulk.CancelListed(ctx, staff, bulk.CancelInput{Form: "f4", Scope: bulk.Scope{Host: 1}, Listed: listed([]booking.Booking{other})})
		w.Must(err)
		w.aMinuteLater()
		if got := w.became(made); got != "other gone" || w.Again(other).Status != booking.Confirmed {
			t.Errorf("another host's: %s", got)
		}
		mine, err := w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Form: "f5", Scope: bulk.Scope{Host: 1}, Listed: listed([]booking.Booking{w.Again(other)})})
		w.Must(err)
		_, err = w.Bulk.UndoCancellation(ctx, staff, mine.ID.String()) // the owner's
		w.Refused(err, fault.NotFound, "")
		_, err = w.Bulk.UndoCancellation(ctx, w.Owner, mine.ID.String())
		w.Must(err)
		staff.Host = 0 // sees nobody's calendar
		if all, err := w.Bulk.Within(ctx, staff, bulk.Scope{}, bulk.Most); err != nil || len(all) > 0 {
			t.Errorf("of no host: %q, %v", people(all), err)
		}
	})
}

// For its minute a cancellation is nothing but an order: of the bookings, their money, events and mails no row changes, no
// loop has anything to do, and nobody else gets the time. Then the money goes back.
func TestACancellationThatWaitsTouchesNothing(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	standIn := stripetest.New(t)
	standIn.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(standIn.URL))
	_, err := w.Payment.ConnectPayments(ctx, app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	hook := http.NewServeMux()
	hook.Handle("/api/stripe/{workspace}", stripe.Hook(w.Payment, slog.New(slog.DiscardHandler)))
	jobs := func() (n int) {
		for range 2 {
			all, err := w.Payment.ClaimPaymentJobs(ctx, 10, time.Minute)
			w.Must(err)
			for _, j := range all {
				n++
				w.Must(w.Payment.RunPaymentJob(ctx, j))
			}
			for i := range standIn.Events() {
				standIn.Send(t, hook, "/api/stripe/"+w.Workspace.Slug, i)
			}
		}
		return n
	}
	w.offer("cut", 1, func(e *catalog.EventType) {
		e.Price, e.Payment = &money.Money{Amount: 4500, Currency: "EUR"}, catalog.PayOnline
	})
	w.endpoint("*")
	b := w.Booked("cut", "1T10", "ada")
	link, err := w.Payment.CheckoutURL(ctx, b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:])
	w.Must(err)
	standIn.Pay(t, link[strings.LastIndexByte(link, '/')+1:], stripetest.Good)
	jobs()
	if b = w.Again(b); b.Status != booking.Confirmed || b.Payment == nil || b.Payment.Status != "paid" {
		t.Fatalf("not paid: %s %+v", b.Status, b.Payment)
	}
	w.writeMails()
	raw, mails, events := enginetest.Raw(t, w.Store.Engine), len(w.mails()), len(w.EventKinds())
	before := enginetest.Dump(t, raw)
	_, err = w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Form: "f", Scope: bulk.Scope{Host: 1}, Refund: true,
		Listed: listed([]booking.Booking{b})})
	w.Must(err)
	for line := range strings.Lines(enginetest.Differences(before, enginetest.Dump(t, raw))) {
		if table, _, _ := strings.Cut(line, ":"); !strings.HasPrefix(table, "cancellation") && table != "audit_log" {
			t.Errorf("it changed %s", line)
		}
	}
	w.Clock.Advance(bulk.Undoable - time.Second)
	w.Must(w.Bulk.CarryOut(ctx))
	if n := jobs(); n != 0 || len(w.mails()) != mails || len(w.EventKinds()) != events || len(standIn.Refunds()) != 0 {
		t.Errorf("while it waits: %d jobs, mails %d of %d, %d events of %d", n, mails, len(w.mails()), events, len(w.EventKinds()))
	}
	_, err = w.Book(ctx, w.API, apptest.Input("cut", "1T10", "thief"))
	w.Refused(err, fault.Conflict, "slot_taken")
	w.Clock.Advance(time.Second)
	w.Must(w.Bulk.CarryOut(ctx))
	jobs()
	if b = w.Again(b); b.Status != booking.Cancelled || b.Payment.RefundedAmount != 4500 || len(w.EventKinds()) == events {
		t.Errorf("then: %s, %+v", b.Status, b.Payment)
	}
}

// Within its minute a cancellation is undone whole, with the time that was closed along with it; later it can't be.
func TestUndoingACancellation(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	ctx := t.Context()
	b := w.Booked("cut", "1T10", "ada")
	ana := catalog.HostID(1).String()
	in := bulk.CancelInput{Form: "f1", Scope: bulk.Scope{Host: 1, From: when.At(w.Clock.Now())}, Listed: listed([]booking.Booking{b}),
		Close: &bulk.TimeOffInput{Host: ana, Start: "2026-12-01T08:00", End: "2026-12-01T12:00"}}
	closed := func() int {
		all, _, err := w.Shop.TimeOff(w.Owner, ana)
		w.Must(err)
		return len(all)
	}
	before := closed()
	made, err := w.Bulk.CancelListed(ctx, w.Owner, in)
	w.Must(err)
	if closed() != before+1 {
		t.Error("the time is not closed")
	}
	w.Clock.Advance(bulk.Undoable - 1)
	for range 2 { // the second time changes nothing
		_, err = w.Bulk.UndoCancellation(ctx, w.Owner, made.ID.String())
		w.Must(err)
	}
	w.aMinuteLater()
	if got := w.became(made); got != "ada dropped" || w.Again(b).Status != booking.Confirmed || closed() != before {
		t.Errorf("undone: %s, %s, %d closed after %d", got, w.Again(b).Status, closed(), before)
	}
	in.Form = "f2"
	made, err = w.Bulk.CancelListed(ctx, w.Owner, in)
	w.Must(err)
	w.aMinuteLater()
	_, err = w.Bulk.UndoCancellation(ctx, w.Owner, made.ID.String())
	w.Refused(err, fault.Conflict, "too_late")
	if w.Again(b).Status != booking.Cancelled {
		t.Error("not cancelled")
	}
	if all, err := w.Bulk.UnseenCancellations(ctx, w.Owner); err != nil || len(all) != 1 || all[0].ID != made.ID {
		t.Errorf("news: %+v, %v", all, err)
	}
	w.Must(w.Bulk.SeeCancellation(ctx, w.Owner, made.ID.String()))
	if all, err := w.Bulk.UnseenCancellations(ctx, w.Owner); err != nil || len(all) != 0 {
		t.Errorf("seen: %+v, %v", all, err)
	}
}

// Who is in the chair is left, and so is everything when the member who confirmed it has been removed meanwhile.
func TestCancellingLeavesTheChair(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	ctx := t.Context()
	there, later, comes := w.Booked("cut", "1T09", "there"), w.Booked("cut", "1T10", "later"), w.Booked("cut", "1T11", "comes")
	w.at("+1 09:10")
	in := bulk.CancelInput{Form: "f1", Scope: bulk.Scope{From: when.At(w.Clock.Now())}, Listed: listed([]booking.Booking{there, later, comes})}
	made, err := w.Bulk.CancelListed(ctx, w.Owner, in)
	w.Must(err)
	_, err = w.MarkArrived(ctx, w.Owner, comes.ID.String())
	w.Must(err)
	w.aMinuteLater()
	if got := w.became(made); got != "comes changed, later cancelled, there chair" {
		t.Error(got)
	}
	next := w.Booked("cut", "1T14", "next")
	member := app.Actor{Kind: booking.ByOwner, User: 99, Role: app.ManagerRole, Workspace: w.Workspace.ID} // of no row
	made, err = w.Bulk.CancelListed(ctx, member, bulk.CancelInput{Form: "f2", Listed: listed([]booking.Booking{next})})
	w.Must(err)
	w.aMinuteLater()
	if got := w.became(made); got != "next no right" || w.Again(next).Status != booking.Confirmed {
		t.Error(got)
	}
}

// A process that dies while it orders has ordered all or nothing; one that dies amid the cancelling is followed by another
// that goes on where it was, however often that happens, and nobody is told twice.
func TestKilledCancellationGoesOn(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	w.endpoint("*")
	ctx := t.Context()
	var all []booking.Booking
	for i := range 20 {
		all = append(all, w.Booked("cut", fmt.Sprintf("%dT%02d", 1+i/7, 9+i%7), fmt.Sprint("p", i)))
	}
	held := &heldStore{Store: w.Store}
	dies := w.Subjects(func(c *subjects.Config) { c.Store = held })
	in := bulk.CancelInput{Form: "f", Scope: bulk.Scope{From: when.At(w.Clock.Now())}, Listed: listed(all)}
	held.left.Store(0)
	if _, err := dies.Bulk.CancelListed(ctx, w.Owner, in); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if waiting, err := w.Bulk.WaitingCancellations(ctx, w.Owner); err != nil || len(waiting) != 0 {
		t.Errorf("half ordered: %d, %v", len(waiting), err)
	}
	made, err := w.Bulk.CancelListed(ctx, w.Owner, in)
	w.Must(err)
	if waiting, err := w.Bulk.WaitingCancellations(ctx, w.Owner); err != nil || len(waiting) != len(all) {
		t.Errorf("ordered: %d, %v", len(waiting), err)
	}
	_, err = w.Reschedule(ctx, w.API, all[7].ID.String(), app.RescheduleInput{Start: apptest.At("4T15")})
	w.Must(err)
	w.Clock.Advance(bulk.Undoable)
	steps := 0
	for {
		held.left.Store(4)
		steps++
		if err := dies.Bulk.CarryOut(ctx); err == nil || steps > 20 {
			break
		}
	}
	w.Must(w.Bulk.CarryOut(ctx))
	if steps < 5 {
		t.Errorf("killed %d times only", steps)
	}
	made, err = w.Bulk.Cancellation(ctx, w.Owner, made.ID.String())
	if err != nil || made.State != bulk.Done || made.Count(bulk.Cancelled) != 19 || made.Count(bulk.Changed) != 1 {
		t.Errorf("state %d, %d cancelled, %d changed, %v", made.State, made.Count(bulk.Cancelled), made.Count(bulk.Changed), err)
	}
	events := 0
	for _, k := range w.EventKinds() {
		if k == catalog.BookingCancelled {
			events++
		}
	}
	if events != 19 {
		t.Errorf("%d events", events)
	}
}

// Two servers cancel the same day while it is booked and moved: each booking is cancelled by one of them, and told once.
func TestContestOfSeveral(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	w.endpoint("*")
	ctx := t.Context()
	var all []booking.Booking
	for i := range 12 {
		all = append(all, w.Booked("cut", fmt.Sprintf("1T%02d", 8+i%6), fmt.Sprint("p", i)))
	}
	now := when.At(w.Clock.Now())
	in := bulk.CancelInput{Form: "f", Scope: bulk.Scope{From: now, To: now.Add(3 * when.Day)}, Listed: listed(all)}
	w.tally(w.contest(func(at *apptest.Salon, i int) error { // all send the same form
		_, err := at.Bulk.CancelListed(ctx, w.Owner, in)
		return err
	}), "")
	w.Clock.Advance(bulk.Undoable)
	w.tally(w.contest(func(at *apptest.Salon, i int) (err error) {
		if i >= 8 { // others move them; a time may be taken, or the booking over
			_, err = at.Reschedule(ctx, w.API, all[i%len(all)].ID.String(), app.RescheduleInput{Start: apptest.At(fmt.Sprintf("2T%02d", 8+i%6))})
			if fault.As(err) != nil {
				err = nil
			}
			return err
		}
		return at.Bulk.CarryOut(ctx)
	}), "")
	w.Must(w.Bulk.CarryOut(ctx))
	ordered, err := w.Bulk.UnseenCancellations(ctx, w.Owner)
	if err != nil || len(ordered) != 1 || ordered[0].State != bulk.Done {
		t.Fatalf("%d cancellations, %+v, %v", len(ordered), ordered, err)
	}
	by := map[booking.BookingID]int{}
	for _, i := range ordered[0].Items {
		if i.Outcome == bulk.Cancelled {
			by[i.Booking]++
		}
	}
	cancelled := 0
	for _, b := range all {
		now, entries := w.Again(b), 0
		history, err := w.History(ctx, w.API, b.ID.String())
		w.Must(err)
		for _, h := range history {
			if h.Action == booking.ActCancelled {
				entries++
			}
		}
		want := 0
		if now.Status == booking.Cancelled {
			cancelled, want = cancelled+1, 1
		}
		if by[b.ID] != want || entries != want || want == 1 && len(history) != 2 {
			t.Errorf("%s: %s, cancelled by %d, %d of %d entries", b.Invitee.Name, now.Status, by[b.ID], entries, len(history))
		}
	}
	events := 0
	for _, k := range w.EventKinds() {
		if k == catalog.BookingCancelled {
			events++
		}
	}
	if events != cancelled {
		t.Errorf("%d events for %d cancelled", events, cancelled)
	}
}

// A request that is listed without the rest of its visit ends alone: the others wait for their answer.
func TestSeveralLeaveTheRestOfAVisit(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 1, 60)
	w.cut("nails", 2, 30)
	w.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	v := w.visited(visit("1T10:00", "Mia", "cut/1", "nails/2"))
	day := bulk.Scope{Host: 1, From: v.Start, To: v.Start.Add(24 * time.Hour)}
	seen, err := w.Bulk.Within(t.Context(), w.Owner, day, bulk.Most)
	w.Must(err)
	made, err := w.Bulk.CancelListed(t.Context(), w.Owner, bulk.CancelInput{Form: "f1", Scope: day, Listed: listed(seen)})
	w.Must(err)
	w.aMinuteLater()
	if got := w.became(made); got != "Mia cancelled" {
		t.Errorf("it was %s", got)
	}
	now, err := w.Visit(t.Context(), w.Owner, v.ID.String())
	w.Must(err)
	if a, b := now.Items[0].Status, now.Items[1].Status; a != booking.Cancelled || b != booking.Pending {
		t.Errorf("they are %s and %s", a, b)
	}
}
