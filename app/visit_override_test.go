package app_test

import (
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// The business books a visit at any time: what refuses it says all that stands against its services, and waived they
// follow each other in the order given, each with the host for whom the least is waived. What is booked is never waived.
func TestVisitOverride(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	w.cut("nails", 2, 45)
	_, err := w.Shop.AddTimeOff(t.Context(), w.Owner, catalog.HostID(1).String(), "2026-12-01", "2026-12-01", "")
	w.Must(err)
	in := visit("1T05:10", "Mia", "cut", "nails/1")
	in.Order = booking.OrderAny
	_, err = w.BookVisit(t.Context(), w.API, in)
	if all, want := against(t, err), []string{"time_off", "outside_hours"}; !sameSet(all, want) {
		t.Fatalf("%v stand against it, want %v", all, want)
	}
	start, err := when.ParseISO(in.Start)
	w.Must(err)
	anyhow, rules, err := w.VisitAgainst(t.Context(), w.API, availability.VisitInput{Items: in.Items, VisitChoice: in.VisitChoice}, start)
	w.Must(err)
	if rules != slot.ReasonsOf(slot.TimeOff, slot.OutsideHours) || len(anyhow.Items) != 2 ||
		anyhow.Items[0].Host != 2 || anyhow.Items[1].Host != 1 || anyhow.Items[1].Start != anyhow.Items[0].End {
		t.Errorf("asked before: %v, %+v", rules.List(), anyhow)
	}
	in.Override = []string{"outside_hours"}
	_, err = w.BookVisit(t.Context(), w.API, in)
	if all := against(t, err); !slices.Contains(all, "time_off") {
		t.Errorf("a rule that is left says %v", all)
	}
	in.Override = append(in.Override, "time_off")
	v := w.visited(in)
	if got, want := itinerary(v), "cut 05:10-05:40 bob, nails 05:40-06:25 ana"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	history, err := w.History(t.Context(), w.Owner, v.Items[0].ID.String())
	w.Must(err)
	if got := history[0].Waived; !sameSet(got, []string{"outside_hours"}) {
		t.Errorf("the first says that %v were waived", got)
	}

	// One person for all, beside a buffer that is waived; never in the time of a booking.
	same := visit("1T06:20", "Bo", "nails", "cut")
	same.SamePerson, same.Override = booking.MustSamePerson, everything()
	v = w.visited(same)
	if got, want := itinerary(v), "nails 06:20-07:05 bob, cut 07:05-07:35 bob"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	taken := visit("1T06:00", "Cy", "cut/2", "nails/2")
	taken.Override = everything()
	_, err = w.BookVisit(t.Context(), w.API, taken)
	if e := w.Refused(err, fault.Conflict, "slot_taken"); !slices.Contains(against(t, err), "booked") {
		t.Errorf("a taken time: %v", e.Details)
	}
	if _, _, err := w.VisitAgainst(t.Context(), w.API, availability.VisitInput{Items: taken.Items}, start+50*60_000); err == nil {
		t.Error("a taken time can be waived")
	}
	given := visit("", "Di", "cut/1@3T04:03", "nails/2@3T04:40")
	given.Override = everything()
	if got, want := itinerary(w.visited(given)), "cut 04:03-04:33 ana, nails 04:40-05:25 bob"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}

	// Under the rules an override changes nothing, and who isn't the business waives nothing.
	in = visit("2T09:00", "Ed", "cut", "nails")
	in.Override = everything("buffer")
	v = w.visited(in)
	history, err = w.History(t.Context(), w.Owner, v.Items[1].ID.String())
	w.Must(err)
	if got := history[0].Waived; len(got) > 0 {
		t.Errorf("%v were waived for a time that the rules allow", got)
	}
	guest := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	in = visit("2T05:10", "Flo", "cut", "nails")
	_, err = w.BookVisit(t.Context(), guest, in)
	if e := fault.Refusal(err); e == nil || e.Details["reasons"] != nil {
		t.Errorf("a guest is told %v", err)
	}
	in.Override = everything()
	_, err = w.BookVisit(t.Context(), guest, in)
	w.Refused(err, fault.Forbidden, "")
	in.Override = []string{"no_rule"}
	_, err = w.BookVisit(t.Context(), w.API, in)
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "override" {
		t.Errorf("an unknown rule is about %s", e.Field)
	}
	w.nobodyTwice()
}

// A visit moves to any time, too; its services stay as far apart as they are, one in a wait included.
func TestVisitMovesByOverride(t *testing.T) {
	w := newWorld(t)
	w.manicure(2)
	w.cut("cut", 2, 30)
	v := w.visited(visit("1T09:00", "Mia", "colour", "nails", "cut/1"))
	move := booking.VisitMoveInput{Start: apptest.At("1T04:10")}
	_, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), move)
	if all, want := against(t, err), []string{"outside_hours"}; !sameSet(all, want) {
		t.Fatalf("%v stand against it, want %v", all, want)
	}
	move.Override = []string{"outside_hours"}
	v, err = w.MoveVisit(t.Context(), w.API, v.ID.String(), move)
	w.Must(err)
	if got, want := itinerary(v), "colour 04:10-06:10 ana, nails 04:55-05:25 ana, cut 06:10-06:40 ana"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	if b := v.Items[1]; b.BusyEnd != b.End+5*60_000 {
		t.Errorf("nails take ana until %s", b.BusyEnd)
	}
	w.Booked("trim", "2T09:00", "Bo")
	move = booking.VisitMoveInput{Start: apptest.At("2T09:10"), Override: everything()}
	_, err = w.MoveVisit(t.Context(), w.API, v.ID.String(), move)
	w.Refused(err, fault.Conflict, "slot_taken")
	whole, err := w.Visit(t.Context(), w.API, v.ID.String())
	w.Must(err)
	_, link, err := w.VisitByToken(t.Context(), tokenOf(whole.ManageURL))
	w.Must(err)
	_, err = w.MoveVisit(t.Context(), link, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("2T04:10"), Override: everything()})
	if e := fault.Refusal(err); e == nil || e.Code != fault.Forbidden {
		t.Errorf("by the customer's link: %v", err)
	}
	w.nobodyTwice()
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
