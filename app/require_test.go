package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/slot"
)

// requiring is a salon whose colour requires a patch test at most ten days before.
func requiring(t *testing.T) *world {
	w := &world{apptest.New(t, apptest.Options{Hosts: []string{"ana"}})}
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Settings.Consents = []catalog.ConsentKind{{Key: "patch-test", Name: "Patch test", Wording: "I had a patch test."}}
	})
	w.Must(err)
	w.Offer("cut", 60, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	w.Offer("color", 60, func(e *catalog.EventType) {
		e.MinimumNoticeMinutes, e.SeriesUpTo, e.Requires = 0, 3, []catalog.Requirement{{Consent: "patch-test", Within: 10}}
	})
	return w
}

func (w *world) tested(ref, date string) contact.Consent {
	w.T.Helper()
	c, err := w.People.RecordConsent(w.T.Context(), w.Owner, ref, contact.ConsentInput{Kind: "patch-test", Date: date})
	w.Must(err)
	return c
}

func (w *world) color(a app.Actor, day, hour int, email string, override ...string) (booking.Booking, error) {
	w.T.Helper()
	start := apptest.Monday.AddDate(0, 0, day).Truncate(24 * time.Hour).Add(time.Duration(hour) * time.Hour)
	return w.Book(w.T.Context(), a, booking.BookInput{EventType: "color", Start: start.Format(time.RFC3339), Override: override,
		Invitee: booking.Invitee{Name: "Mia", Email: email}})
}

// Whoever acts for the business is refused without a valid consent on the day of the start, and may set the rule aside, which
// the history has; a test is valid up to the day, and not a day longer.
func TestRequirement(t *testing.T) {
	w := requiring(t)
	ctx := t.Context()
	known, err := w.People.NewContact(ctx, w.Owner, booking.ContactInput{Name: "Mia", Email: "mia@x.example"})
	w.Must(err)
	ref := known.ID.String()
	for _, a := range []app.Actor{w.Owner, w.API} {
		_, err := w.color(a, 1, 9, "mia@x.example")
		w.Refused(err, fault.Conflict, "requirement")
		e := fault.As(err)
		if got := fmt.Sprint(e.Details["requires"], e.Details["reasons"]); got != "[{patch-test 10}] [requirement]" {
			t.Errorf("details %s", got)
		}
	}
	series := weekly("color", "1T14", "Mia", 3)
	series.Invitee = booking.Invitee{Name: "Mia", Email: "mia@x.example"}
	dates := func(want string) { // of a series each date is looked at by itself
		t.Helper()
		_, err := w.BookSeries(ctx, w.Owner, series)
		if got := w.told(datesOf(w.Refused(err, fault.Conflict, "series_conflict"))); got != want {
			t.Errorf("a series: %s", got)
		}
	}
	dates("12-01T14:00 off requirement, 12-08T14:00 off requirement, 12-15T14:00 off requirement")
	_, err = w.color(w.Owner, 1, 9, "new@x.example")
	w.Refused(err, fault.Conflict, "requirement")
	b, err := w.color(w.API, 1, 9, "mia@x.example", "requirement")
	w.Must(err)
	history, err := w.History(ctx, w.Owner, b.ID.String())
	w.Must(err)
	if b.Status != booking.Confirmed || len(history) != 1 || !slices.Contains(history[0].Waived, string(slot.Requirement)) {
		t.Errorf("%s %+v", b.Status, history)
	}
	test := w.tested(ref, apptest.Monday.Format(time.DateOnly))
	dates("12-01T14:00 ana, 12-08T14:00 ana, 12-15T14:00 off requirement")
	b, err = w.color(w.API, 10, 9, "mia@x.example")
	w.Must(err)
	_, err = w.color(w.API, 11, 9, "mia@x.example")
	w.Refused(err, fault.Conflict, "requirement")
	later := apptest.Monday.AddDate(0, 0, 11).Truncate(24 * time.Hour).Add(9 * time.Hour).Format(time.RFC3339)
	_, err = w.Reschedule(ctx, w.API, b.ID.String(), booking.RescheduleInput{Start: later})
	w.Refused(err, fault.Conflict, "requirement")
	_, err = w.Reschedule(ctx, w.API, b.ID.String(), booking.RescheduleInput{Start: later, Override: []string{"requirement"}})
	w.Must(err)
	_, err = w.People.WithdrawConsent(ctx, w.Owner, ref, test.ID.String())
	w.Must(err)
	_, err = w.color(w.API, 9, 9, "mia@x.example")
	w.Refused(err, fault.Conflict, "requirement")
	if _, err := w.Book(ctx, w.API, booking.BookInput{EventType: "cut", Start: apptest.Monday.AddDate(0, 0, 9).Truncate(24 * time.Hour).Add(9 * time.Hour).Format(time.RFC3339),
		Invitee: booking.Invitee{Name: "Mia", Email: "mia@x.example"}}); err != nil {
		t.Errorf("a service without requirements: %v", err)
	}
}

// Visitors get a request, whoever they are and whatever they have given, but on their own page with a valid consent.
// Confirming it without one is to be said once more, and a visitor moves it to no later time.
func TestRequirementOfVisitors(t *testing.T) {
	w := requiring(t)
	ctx := t.Context()
	known, err := w.People.NewContact(ctx, w.Owner, booking.ContactInput{Name: "Mia", Email: "mia@x.example"})
	w.Must(err)
	w.tested(known.ID.String(), apptest.Monday.Format(time.DateOnly))
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	own := visitor
	own.Contact = known.ID
	for i, x := range []struct {
		a     app.Actor
		day   int
		email string
		want  booking.Status
	}{{visitor, 1, "mia@x.example", booking.Pending}, {visitor, 1, "new@x.example", booking.Pending}, {own, 1, "new2@x.example", booking.Pending},
		{own, 1, "mia@x.example", booking.Confirmed}, {own, 11, "mia@x.example", booking.Pending}} {
		b, err := w.color(x.a, x.day, 9+i, x.email)
		if w.Must(err); b.Status != x.want {
			t.Errorf("%d: %s, want %s", i, b.Status, x.want)
		}
	}
	visit := func(a app.Actor, email string, day, hour int) booking.Visit {
		v, err := w.BookVisit(ctx, a, booking.VisitInput{Items: []booking.VisitItem{{EventType: "cut"}, {EventType: "color"}},
			Start:   apptest.Monday.AddDate(0, 0, day).Truncate(24 * time.Hour).Add(time.Duration(hour) * time.Hour).Format(time.RFC3339),
			Invitee: booking.Invitee{Name: "Mia", Email: email}})
		w.Must(err)
		return v
	}
	for _, item := range visit(visitor, "mia@x.example", 2, 9).Items {
		if item.Status != booking.Pending {
			t.Errorf("an item of a visit is %s", item.Status)
		}
	}
	for _, item := range visit(own, "mia@x.example", 2, 12).Items {
		if item.Status != booking.Confirmed {
			t.Errorf("an item of a visit of one's own is %s", item.Status)
		}
	}
	for i, x := range []struct {
		a     app.Actor
		email string
		dates int
		want  booking.Status
	}{{visitor, "mia@x.example", 2, booking.Pending}, {visitor, "new@x.example", 2, booking.Pending},
		{own, "mia@x.example", 2, booking.Confirmed}, {own, "mia@x.example", 3, booking.Pending}} { // the third date lies behind the test's end
		in := weekly("color", fmt.Sprintf("3T%d", 12+i), "Mia", x.dates)
		in.Invitee = booking.Invitee{Name: "Mia", Email: x.email}
		made, err := w.BookSeries(ctx, x.a, in)
		w.Must(err)
		for _, b := range made.Bookings {
			if len(made.Bookings) != x.dates || b.Status != x.want {
				t.Errorf("series %d: one of %d bookings is %s, want %s", i, len(made.Bookings), b.Status, x.want)
			}
		}
	}

	request := visit(visitor, "fourth@x.example", 4, 9)
	if request.Items[0].EventType != "cut" {
		t.Fatalf("%+v", request.Items)
	}
	for _, item := range request.Items { // they are confirmed together
		required, err := w.RequirementsOf(ctx, w.Owner, item.ID.String())
		w.Must(err)
		if len(required) != 1 || required[0].Consent != "patch-test" || required[0].Met {
			t.Errorf("of %s: %+v", item.EventType, required)
		}
	}
	asked, err := w.color(visitor, 3, 9, "third@x.example")
	w.Must(err)
	ref := asked.ID.String()
	_, err = w.Confirm(ctx, w.Owner, ref)
	w.Refused(err, fault.Conflict, "requirement")
	_, err = w.Confirm(ctx, app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Booking: asked.ID}, ref)
	w.Refused(err, fault.Conflict, "requirement")
	b, err := w.Confirm(ctx, w.Owner, ref, "requirement")
	w.Must(err)
	history, err := w.History(ctx, w.Owner, ref)
	w.Must(err)
	if last := history[len(history)-1]; b.Status != booking.Confirmed || !slices.Contains(last.Waived, "requirement") || last.Actor != booking.ByOwner {
		t.Errorf("%+v", history)
	}
	move := func(day int) error {
		mine := visitor
		mine.Booking = asked.ID
		_, err := w.Reschedule(ctx, mine, ref, booking.RescheduleInput{Start: apptest.Monday.AddDate(0, 0, day).Truncate(24 * time.Hour).Add(14 * time.Hour).Format(time.RFC3339)})
		return err
	}
	w.Refused(move(4), fault.Conflict, "requirement")
	w.Must(move(2))
}
