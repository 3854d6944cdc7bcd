package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// weekly is the input of a series that comes again every week, so many times.
func weekly(eventType, start, person string, count int) booking.SeriesInput {
	one := apptest.Input(eventType, start, person)
	return booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: count}, EventType: one.EventType,
		Start: one.Start, Invitee: one.Invitee}
}

// told writes the dates of a series: "12-01T09 ana, 12-08T09 off time_off".
func (w *world) told(dates []booking.SeriesDate) string {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	var all []string
	for _, d := range dates {
		text := d.Start.Time().Format("01-02T15:04")
		switch d.State {
		case booking.SeriesSkipped:
			text += " off " + d.Reason
		case booking.SeriesMoved:
			text += " to " + d.Instead.Time().Format("01-02T15:04") + " " + d.Reason
		}
		if d.Host != nil {
			text += " " + setup.Host(*d.Host).Name
		}
		for _, item := range d.Items {
			at, err := when.ParseISO(item.Start)
			w.Must(err)
			text += " " + item.EventType + "@" + at.Time().Format("15:04")
		}
		if d.Holiday != "" {
			text += " " + d.Holiday
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// datesOf returns the dates in a refusal.
func datesOf(e *fault.Error) []booking.SeriesDate {
	dates, _ := e.Details["dates"].([]booking.SeriesDate)
	return dates
}

// A series is booked at once, on the same time of the clock over its change, and each of its bookings says where it stands.
func TestSeries(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, func(e *catalog.EventType) { e.BookingWindowDays = 10 })
	ctx := t.Context()
	in := weekly("cut", "1T09", "Bo", 20)
	in.Repeat.Except = []string{"2026-12-15"}
	made, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	if len(made.Bookings) != 19 || len(made.Dates) != 20 || made.Dates[2].State != booking.SeriesSkipped || made.Dates[2].Reason != "except" {
		t.Fatalf("%d bookings: %s", len(made.Bookings), w.told(made.Dates))
	}
	for i, b := range made.Bookings {
		if *b.Series != (booking.SeriesRef{ID: made.ID, Position: i + 1, Of: 19}) || b.Start.Time().In(w.zone()).Format("15:04") != "10:00" ||
			b.Status != booking.Confirmed || b.Host != made.Bookings[0].Host || b.HostNamed {
			t.Errorf("%d: %+v %s %s %s", i, b.Series, b.Start, b.Status, b.Host.Name)
		}
	}
	last := made.Bookings[18]
	if last.Start.String() != "2027-04-13T08:00:00Z" || made.Dates[19].Booking != last.ID {
		t.Errorf("the last one: %s, %+v", last.Start, made.Dates[19])
	}
	if people := w.everybody(); len(people) != 1 || people[0].Bookings != 19 {
		t.Errorf("%+v", people)
	}
	again, err := w.Series(ctx, w.API, made.ID.String())
	w.Must(err)
	if len(again.Bookings) != 19 || w.told(again.Dates) != w.told(made.Dates) || again.Repeat.Count != 20 {
		t.Errorf("read again: %d, %s", len(again.Bookings), w.told(again.Dates))
	}
	listed, err := w.Bookings(ctx, w.API, booking.ListBookingsInput{Series: made.ID.String(), Scope: "all"})
	w.Must(err)
	if len(listed.Data) != 19 {
		t.Errorf("%d are listed", len(listed.Data))
	}
	w.Booked("cut", "1T11", "Al")
	if all, err := w.Bookings(ctx, w.API, booking.ListBookingsInput{Series: "sr_1", Scope: "all"}); err != nil || len(all.Data) != 0 {
		t.Errorf("of no series: %d %v", len(all.Data), err)
	}
	_, err = w.BookSeries(ctx, w.API, in)
	if e := w.Refused(err, fault.Conflict, "already_booked"); fmt.Sprint(e.Details["seriesId"]) != made.ID.String() {
		t.Errorf("booked twice: %v %v", err, e.Details)
	}
	for field, wrong := range map[string]func(*booking.SeriesInput){
		"repeat.count": func(in *booking.SeriesInput) { in.Repeat.Count = 0 },
		"conflicts":    func(in *booking.SeriesInput) { in.Conflicts = "some" },
		"eventType":    func(in *booking.SeriesInput) { in.EventType = "" },
		"items":        func(in *booking.SeriesInput) { in.Items = []booking.VisitItem{{EventType: "cut"}} },
		"dates":        func(in *booking.SeriesInput) { in.Dates = []booking.SeriesPlace{} },
		"dates[0].items": func(in *booking.SeriesInput) {
			in.Dates = []booking.SeriesPlace{{Items: []booking.VisitItem{{EventType: "cut"}}}}
		},
		"dates[1].start": func(in *booking.SeriesInput) { in.Dates = []booking.SeriesPlace{{Start: in.Start}, {Start: in.Start}} },
		"invitee.name":   func(in *booking.SeriesInput) { in.Invitee.Name = "" },
	} {
		in := weekly("cut", "1T13", "Cy", 2)
		wrong(&in)
		if _, err := w.BookSeries(ctx, w.API, in); !fault.Is(err, fault.BadRequest) || fault.As(err).Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	late := weekly("cut", "11T09", "Cy", 2) // the window counts for the first date
	_, err = w.BookSeries(ctx, w.API, late)
	if d := datesOf(w.Refused(err, fault.Conflict, "series_conflict")); len(d) != 2 || d[0].Reason != "too_far" {
		t.Errorf("beyond the window: %s", w.told(d))
	}
	if all, err := w.Bookings(ctx, w.API, booking.ListBookingsInput{Invitee: "cy@mail.example", Scope: "all"}); err != nil || len(all.Data) != 0 {
		t.Errorf("%d were booked of what is wrong: %v", len(all.Data), err)
	}
}

// What can't be booked of a series is refused with all of its dates, skipped, or booked at the nearest open start; and
// exactly the dates that somebody chose of these can be booked.
func TestSeriesConflicts(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	ctx := t.Context()
	w.Booked("cut", "8T09:30", "Al") // 09:00 and 10:00 are taken on the second date
	for _, at := range []string{"15T08", "15T09", "15T10", "15T11", "15T12", "15T13", "15T14", "15T15"} {
		w.Booked("cut", at, "Al"+at) // nothing is left on the third
	}
	in := weekly("cut", "1T09", "Bo", 4)
	in.Start = apptest.At("1T09:30")
	_, err := w.BookSeries(ctx, w.API, in)
	e := w.Refused(err, fault.Conflict, "series_conflict")
	const listed = "12-01T09:30 ana, 12-08T09:30 off booked, 12-15T09:30 off booked, 12-22T09:30 ana"
	if got := w.told(datesOf(e)); got != listed {
		t.Errorf("refused: %s", got)
	}
	if people := w.everybody(); len(people) != 9 {
		t.Errorf("a refusal made a contact: %d", len(people))
	}

	in.Conflicts = booking.SeriesNearest
	made, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	const moved = "12-01T09:30 ana, 12-08T09:30 to 12-08T10:30 booked ana, 12-15T09:30 to 12-14T15:00 booked ana, 12-22T09:30 ana"
	if got := w.told(made.Dates); got != moved || made.Bookings[3].Series.Of != 4 {
		t.Errorf("the nearest: %s", got)
	}
	_, err = w.CancelSeries(ctx, w.API, made.ID.String(), booking.SeriesCancelInput{From: made.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)

	in.Conflicts = booking.SeriesSkip
	made, err = w.BookSeries(ctx, w.API, in)
	w.Must(err)
	if got := w.told(made.Dates); got != listed || len(made.Bookings) != 2 || made.Bookings[1].Series.Position != 2 || made.Bookings[1].Series.Of != 2 {
		t.Errorf("skipped: %s of %+v", got, made.Bookings[1].Series)
	}
	cancelled, err := w.CancelSeries(ctx, w.API, made.ID.String(),
		booking.SeriesCancelInput{From: made.Bookings[1].ID.String(), Scope: booking.SeriesFollowing})
	w.Must(err)
	if cancelled.Bookings[0].Status != booking.Confirmed || cancelled.Bookings[1].Status != booking.Cancelled {
		t.Errorf("from the second on: %s %s", cancelled.Bookings[0].Status, cancelled.Bookings[1].Status)
	}

	in.Conflicts = booking.SeriesRefuse
	in.Dates = []booking.SeriesPlace{{Start: apptest.At("2T09")}, {Start: apptest.At("9T11"), Host: catalog.HostID(1).String()}}
	made, err = w.BookSeries(ctx, w.API, in)
	w.Must(err)
	if got := w.told(made.Dates); got != "12-02T09:00 ana, 12-09T11:00 ana" || made.Bookings[1].HostNamed {
		t.Errorf("chosen: %s", got)
	}
	in.Invitee = apptest.Input("", "", "Di").Invitee
	in.Dates[0].Start = apptest.At("3T09")
	_, err = w.BookSeries(ctx, w.API, in)
	if e := w.Refused(err, fault.Conflict, "series_conflict"); w.told(datesOf(e)) != "12-03T09:00 ana, 12-09T11:00 off booked" {
		t.Errorf("chosen, but taken: %s", w.told(datesOf(e)))
	}
	w.Alter("cut", func(e *catalog.EventType) { e.SeriesUpTo = 2 })
	_, err = w.BookSeries(ctx, app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}, in)
	if e := w.Refused(err, fault.Conflict, "series_conflict"); w.told(datesOf(e)) != "12-03T09:00 ana, 12-09T11:00 off slot_taken" {
		t.Errorf("strangers learn %s", w.told(datesOf(e)))
	}
}

// Without a host, whoever is free on most dates takes all that they can.
func TestSeriesHasOneHost(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	for at, host := range map[string]string{"1T09": "1", "8T09": "1", "15T09": "2", "22T09": "3", "1T11": "3"} {
		in := apptest.Input("cut", at, "Al"+at)
		in.Host = catalog.HostID(host[0] - '0').String()
		_, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
	}
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 5))
	w.Must(err)
	if got := w.told(made.Dates); !strings.HasPrefix(got, "12-01T09:00 bob, 12-08T09:00 bob, 12-15T09:00 ") || strings.Count(got, "bob") != 4 {
		t.Errorf("%s", got)
	}
	in := weekly("cut", "1T14", "Cy", 3)
	in.Host = catalog.HostID(3).String()
	made, err = w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	if got := w.told(made.Dates); strings.Count(got, "cyd") != 3 || !made.Bookings[2].HostNamed {
		t.Errorf("%s", got)
	}
}

// All dates count in the limits of a person, and what must be approved is decided and lapses as one.
func TestSeriesLimitsAndApproval(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.Limits.PersonUpcoming = 3 })
	_, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 5))
	e := w.Refused(err, fault.Conflict, "series_conflict")
	if got := w.told(datesOf(e)); !strings.HasSuffix(got, "12-15T09:00 ana, 12-22T09:00 off person_upcoming, 12-29T09:00 off person_upcoming") {
		t.Errorf("%s", got)
	}
	w.offer("ask", 1, func(e *catalog.EventType) { e.RequiresApproval = true })
	made, err := w.BookSeries(t.Context(), w.API, weekly("ask", "1T11", "Bo", 3))
	w.Must(err)
	if b := made.Bookings[2]; b.Status != booking.Pending || b.ExpiresAt != made.Bookings[0].ExpiresAt || b.ExpiresAt > made.Bookings[0].Start {
		t.Errorf("%s until %s", b.Status, b.ExpiresAt)
	}
	_, err = w.Confirm(t.Context(), w.API, made.Bookings[1].ID.String())
	w.Must(err)
	for _, b := range made.Bookings {
		if now := w.Again(b); now.Status != booking.Confirmed {
			t.Errorf("%s is %s", b.Start, now.Status)
		}
	}
	other, err := w.BookSeries(t.Context(), w.API, weekly("ask", "1T13", "Cy", 3))
	w.Must(err)
	w.Clock.Set(other.Bookings[0].ExpiresAt.Time())
	_, err = w.Lapse(t.Context(), 10)
	w.Must(err)
	for _, b := range other.Bookings {
		if now := w.Again(b); now.Status != booking.Cancelled {
			t.Errorf("%s is %s", b.Start, now.Status)
		}
	}
}

// A move of several dates keeps their distance on the clock, and each its own; it is all or none, and times that the others
// leave count as free.
func TestSeriesMoves(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	ctx := t.Context()
	in := weekly("cut", "1T09", "Bo", 18) // past the change of the clock
	made, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	own, err := w.Reschedule(ctx, w.API, made.Bookings[2].ID.String(), app.RescheduleInput{Start: apptest.At("16T12")})
	w.Must(err)
	starts := func(s booking.Series) (all []string) {
		for _, b := range s.Bookings {
			all = append(all, b.Start.Time().In(w.zone()).Format("01-02T15:04"))
		}
		return all
	}
	move := func(from booking.Booking, scope booking.SeriesScope, to string) (booking.Series, error) {
		return w.MoveSeries(ctx, w.API, made.ID.String(), booking.SeriesMoveInput{From: from.ID.String(), Scope: scope, Start: apptest.At(to)})
	}
	now, err := move(made.Bookings[1], booking.SeriesFollowing, "15T10") // by a week and an hour: onto its own siblings' days
	w.Must(err)
	if got := starts(now); got[0] != "12-01T10:00" || got[1] != "12-15T11:00" || got[2] != "12-23T14:00" || got[3] != "12-29T11:00" || got[17] != "04-06T11:00" {
		t.Errorf("%v", got)
	}
	if b := w.Again(own); b.Status != booking.Rescheduled || b.RescheduleCount != 2 {
		t.Errorf("%s, moved %d times", b.Status, b.RescheduleCount)
	}
	back, err := move(now.Bookings[1], booking.SeriesFollowing, "8T10")
	w.Must(err)
	if got := starts(back); got[1] != "12-08T11:00" || got[2] != "12-16T14:00" {
		t.Errorf("back: %v", got)
	}
	w.Booked("cut", "22T12", "Al")
	before := starts(back)
	_, err = move(back.Bookings[0], booking.SeriesAll, "1T11") // two hours later
	e := w.Refused(err, fault.Conflict, "series_conflict")
	if d := datesOf(e); len(d) != 1 || d[0].Booking != back.Bookings[3].ID || d[0].Reason != "booked" || d[0].Start.String() != apptest.At("22T12") {
		t.Errorf("%+v", d)
	}
	same, err := w.Series(ctx, w.API, made.ID.String())
	w.Must(err)
	if fmt.Sprint(starts(same)) != fmt.Sprint(before) {
		t.Errorf("a refused move moved: %v", starts(same))
	}
	_, err = w.Cancel(ctx, w.API, back.Bookings[3].ID.String(), app.CancelInput{})
	w.Must(err)
	all, err := move(back.Bookings[0], booking.SeriesAll, "1T11")
	w.Must(err)
	if got := starts(all); got[0] != "12-01T12:00" || got[1] != "12-08T13:00" || got[3] != "12-22T11:00" || got[17] != "03-30T13:00" {
		t.Errorf("all: %v", got)
	}
	one, err := move(all.Bookings[0], booking.SeriesThis, "2T09")
	w.Must(err)
	if got := starts(one); got[0] != "12-02T10:00" || got[1] != "12-08T13:00" {
		t.Errorf("one: %v", got)
	}
	for _, from := range []string{"", "bk_1", w.Booked("cut", "3T13", "Di").ID.String()} {
		_, err := w.MoveSeries(ctx, w.API, made.ID.String(), booking.SeriesMoveInput{From: from, Start: apptest.At("4T09")})
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "from" {
			t.Errorf("%q: %v", from, err)
		}
	}
}

// Each date of a series may be a visit: its services stay together.
func TestSeriesOfVisits(t *testing.T) {
	w := newWorld(t)
	w.cut("wash", 2, 30)
	w.cut("cut", 2, 30)
	ctx := t.Context()
	w.Booked("cut", "8T08:00", "Al")
	w.Booked("cut", "8T08:00", "Cy")
	in := weekly("", "1T08", "Bo", 3)
	in.Items = []booking.VisitItem{{EventType: "wash"}, {EventType: "cut"}}
	in.Conflicts = booking.SeriesNearest
	made, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	if got := w.told(made.Dates); len(made.Bookings) != 6 || !strings.HasPrefix(got, "12-01T08:00 wash@08:00 cut@08:30, 12-08T08:00 to 12-08T09:00 booked wash@09:00 cut@09:30, ") {
		t.Fatalf("%d: %s", len(made.Bookings), got)
	}
	for i, b := range made.Bookings {
		if b.Series.Position != i/2+1 || b.Series.Of != 3 || b.Visit.Position != i%2+1 {
			t.Errorf("%d: %+v %+v", i, b.Series, b.Visit)
		}
	}
	moved, err := w.MoveSeries(ctx, w.API, made.ID.String(), booking.SeriesMoveInput{From: made.Bookings[0].ID.String(), Scope: booking.SeriesAll, Start: apptest.At("1T09")})
	w.Must(err)
	if got := moved.Bookings; got[0].Start.String() != apptest.At("1T09") || got[1].Start.String() != apptest.At("1T09:30") || got[2].Start.String() != apptest.At("8T10") {
		t.Errorf("%s %s %s", got[0].Start, got[1].Start, got[2].Start)
	}
	gone, err := w.CancelSeries(ctx, w.API, made.ID.String(), booking.SeriesCancelInput{From: made.Bookings[2].ID.String()})
	w.Must(err)
	for i, b := range gone.Bookings {
		if want := i/2 == 1; (b.Status == booking.Cancelled) != want {
			t.Errorf("%d is %s", i, b.Status)
		}
	}
	_, err = w.CancelSeries(ctx, w.API, made.ID.String(), booking.SeriesCancelInput{From: made.Bookings[2].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)
	for _, d := range made.Dates {
		in.Dates = append(in.Dates, booking.SeriesPlace{Items: d.Items})
	}
	in.Invitee = apptest.Input("", "", "Di").Invitee
	sent, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	for i, b := range sent.Bookings { // what was shown is what is booked
		if was := made.Bookings[i]; b.Start != was.Start || b.End != was.End || b.Host != was.Host || b.EventType != was.EventType {
			t.Errorf("%d: %s %s with %s, was %s %s with %s", i, b.EventType, b.Start, b.Host.Name, was.EventType, was.Start, was.Host.Name)
		}
	}
	if len(sent.Bookings) != len(made.Bookings) {
		t.Errorf("%d bookings of %d", len(sent.Bookings), len(made.Bookings))
	}
}

func (w *world) zone() *time.Location {
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	return setup.Zone
}

// An invitee and each host get one mail for a series and for each change of it, with all its dates; reminders go one by one.
func TestMailsOfSeries(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, func(e *catalog.EventType) { e.ReminderMinutes = []int{60} })
	ctx := t.Context()
	in := apptest.Input("cut", "8T09", "Al")
	in.Host = catalog.HostID(1).String()
	_, err := w.Book(ctx, w.API, in)
	w.Must(err)
	w.writeMails()
	w.sendMails()
	made, err := w.BookSeries(ctx, w.API, weekly("cut", "1T09", "Bo", 4))
	w.Must(err)
	written := func() (all []string) {
		w.writeMails()
		for _, m := range w.sendMails() {
			all = append(all, fmt.Sprintf("%s %s +%d/%d", m.Kind, m.To, len(m.Facts.Series), len(m.Facts.Team)))
		}
		slices.Sort(all)
		return all
	}
	if got := fmt.Sprint(written()); got != "[confirmed bo@mail.example +4/0 team_new bob@salon.example +0/4]" {
		t.Errorf("booked: %s", got)
	}
	_, err = w.MoveSeries(ctx, w.API, made.ID.String(), booking.SeriesMoveInput{From: made.Bookings[1].ID.String(), Scope: booking.SeriesFollowing, Start: apptest.At("8T11")})
	w.Must(err)
	if got := fmt.Sprint(written()); got != "[moved bo@mail.example +3/0 team_moved bob@salon.example +0/3]" {
		t.Errorf("moved: %s", got)
	}
	_, err = w.Reschedule(ctx, w.API, made.Bookings[2].ID.String(), app.RescheduleInput{Start: apptest.At("16T11")})
	w.Must(err)
	if got := fmt.Sprint(written()); got != "[moved bo@mail.example +0/0 team_moved bob@salon.example +0/0]" {
		t.Errorf("one moved: %s", got)
	}
	_, err = w.CancelSeries(ctx, w.API, made.ID.String(), booking.SeriesCancelInput{From: made.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)
	if got := fmt.Sprint(written()); got != "[cancelled bo@mail.example +4/0 team_cancelled bob@salon.example +0/4]" {
		t.Errorf("cancelled: %s", got)
	}
}

// A date far ahead moves alone within the booking window, or to an earlier day; not further ahead.
func TestSeriesMovesWithinItsWindow(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.BookingWindowDays = 10 })
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 6))
	w.Must(err)
	last := made.Bookings[5] // 36T09
	invitee := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: last.ID}
	for at, reason := range map[string]string{"35T09": "", "34T11": "", "9T11": "", "37T09": "too_far"} {
		_, err := w.Reschedule(t.Context(), invitee, last.ID.String(), app.RescheduleInput{Start: apptest.At(at)})
		if e := fault.Refusal(err); reason == "" && err != nil || reason != "" && (e == nil || e.Reason != reason) {
			t.Errorf("%s: %v", at, err)
		}
		_, err = w.Reschedule(t.Context(), w.Owner, last.ID.String(), app.RescheduleInput{Start: apptest.At("36T09"), Override: []string{"too_far"}})
		w.Must(err)
	}
}

// Many book series, single bookings and moves of series over each other at two servers: nothing is booked twice, and a series
// is booked whole or not at all.
func TestContestOfSeries(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	var moved booking.Series
	moved, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T15", "Mo", 4))
	w.Must(err)
	errs := w.contest(func(at *apptest.Salon, i int) error {
		person := fmt.Sprintf("P%d", i)
		var err error
		switch i % 4 {
		case 0, 1:
			_, err = at.BookSeries(t.Context(), w.API, weekly("cut", "1T09", person, 4))
		case 2:
			_, err = at.Book(t.Context(), w.API, apptest.Input("cut", "15T09", person))
		default:
			_, err = at.MoveSeries(t.Context(), w.API, moved.ID.String(), booking.SeriesMoveInput{From: moved.Bookings[0].ID.String(),
				Scope: booking.SeriesAll, Start: apptest.At("1T09")})
		}
		if e := fault.Refusal(err); e != nil && (e.Reason == "series_conflict" || e.Reason == "slot_taken") {
			return nil
		}
		return err
	})
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	all, err := w.Store.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Statuses: booking.LiveStatuses, Limit: 500})
	w.Must(err)
	taken, of, contested := map[string]bool{}, map[booking.SeriesID]int{}, 0
	for _, b := range all {
		key := fmt.Sprint(b.Host.ID, b.Start)
		if taken[key] {
			t.Errorf("%s is booked twice", key)
		}
		if taken[key] = true; b.Series != nil {
			of[b.Series.ID]++
		}
		if b.Start.String() == apptest.At("15T09") {
			contested++
		}
	}
	if contested != 2 {
		t.Errorf("both hosts can be booked at the time that everybody wants, and %d are", contested)
	}
	for id, n := range of {
		if n != 4 {
			t.Errorf("%s has %d dates", id, n)
		}
	}
}
