package push_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/push"
	"daybook/app/when"
	"daybook/app/work"
)

// Each member has one notification for one change of a visit, which names all of it that concerns them. What is done to one
// of its bookings alone is told alone.
func TestAVisitIsOneNotification(t *testing.T) {
	x := newBed(t)
	ctx, ana, bob, cyd := t.Context(), catalog.HostID(1), catalog.HostID(2), catalog.HostID(3)
	for i, slug := range []string{"colour", "trim", "dry"} {
		x.Offer(slug, 30, func(e *catalog.EventType) {
			e.Title, e.Hosts = strings.ToUpper(slug[:1])+slug[1:], []catalog.HostRef{{ID: []catalog.HostID{ana, bob, ana}[i]}}
			if slug == "dry" {
				e.Needs = []catalog.Need{{Hosts: 2, Of: []catalog.HostID{cyd}}}
			}
		})
	}
	x.service.add(x.Salon, x.owner, x.session, "/owner", push.Wishes{Kinds: push.Kinds})
	paths := map[string]string{}
	for _, m := range []struct {
		email string
		host  catalog.HostID
	}{{"ana@mail.example", ana}, {"bob@mail.example", bob}, {"cyd@mail.example", cyd}} {
		a, session := x.member(m.email, account.UserInput{Role: app.StaffRole, Host: m.host})
		x.service.add(x.Salon, a, session, "/"+m.email[:3], push.Wishes{Kinds: push.Kinds})
	}
	told := 0
	tells := func(step string, want ...string) {
		t.Helper()
		var texts []string
		for _, n := range x.service.notes(t, told+len(want))[told:] {
			services, _, _ := strings.Cut(strings.ReplaceAll(n.Body, "\u00a0", " "), " · ")
			texts = append(texts, n.Title+": "+services)
			paths[services] = n.URL
		}
		told += len(want)
		slices.Sort(texts)
		if !slices.Equal(texts, want) {
			t.Fatalf("%s:\n got %q\nwant %q", step, texts, want)
		}
		apptest.Eventually(t, "what was sent is settled", func() bool { // before its lease ends by the clock
			some, err := x.Push.Reader(ctx).HasDuePushMessages(work.AllBuckets, when.At(x.Clock.Now().Add(time.Hour)))
			x.Must(err)
			return !some
		})
		x.Clock.Advance(time.Minute)
	}
	all := func(what string) []string { // of Ana, the owner, Cyd and Bob
		return []string{what + ": Colour, Dry", what + ": Colour, Trim, Dry", what + ": Dry", what + ": Trim"}
	}
	comes := func(hour int) booking.Visit {
		t.Helper()
		in := booking.VisitInput{Start: apptest.Hours(hour), Invitee: apptest.Input("", "", "Ida").Invitee}
		for _, slug := range []string{"colour", "trim", "dry"} {
			in.Items = append(in.Items, booking.VisitItem{EventType: slug})
		}
		v, err := x.BookVisit(ctx, x.API, in)
		x.Must(err)
		return v
	}
	v := comes(2)
	tells("booked", all("Neue Buchung")...)
	if want := "/dashboard/bookings/" + v.Items[1].ID.String(); paths["Trim"] != want || paths["Colour, Dry"] == want {
		t.Errorf("they lead to %q", paths)
	}
	_, err := x.MoveVisit(ctx, x.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(3)})
	x.Must(err)
	tells("moved", all("Buchung verschoben")...)
	_, err = x.Cancel(ctx, x.API, v.Items[1].ID.String(), app.CancelInput{})
	x.Must(err)
	tells("one is cancelled", "Buchung abgesagt: Trim", "Buchung abgesagt: Trim")
	_, err = x.CancelVisit(ctx, x.owner, v.ID.String(), app.CancelInput{})
	x.Must(err)
	tells("the owner cancels the rest", "Buchung abgesagt: Colour, Dry", "Buchung abgesagt: Dry")

	x.Alter("trim", func(e *catalog.EventType) { e.RequiresApproval = true })
	v = comes(26)
	tells("asked", all("Neue Buchung")...)
	_, err = x.Confirm(ctx, x.owner, v.Items[0].ID.String())
	x.Must(err)
	comes(28)
	tells("approved, which is no news, and asked again", all("Neue Buchung")...)
	x.Clock.Advance(30 * time.Hour)
	_, err = x.Lapse(ctx, 100)
	x.Must(err)
	tells("lapsed", all("Buchung abgesagt")...)

	x.Alter("trim", func(e *catalog.EventType) { e.RequiresApproval = false })
	in := booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3}, EventType: "trim",
		Start: apptest.At("3T10"), Invitee: apptest.Input("", "", "Ida").Invitee}
	made, err := x.BookSeries(ctx, x.API, in)
	x.Must(err)
	tells("a series", "Neue Buchung: 3 × Trim", "Neue Buchung: 3 × Trim")
	if want := "/dashboard/bookings/" + made.Bookings[0].ID.String(); paths["3 × Trim"] != want {
		t.Errorf("it leads to %q", paths)
	}
}
