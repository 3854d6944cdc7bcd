package app_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/store/enginetest"
)

// colour adds a service of the first host in parts: 45 minutes of work, 40 of waiting, 35 of work; and a trim of 30
// minutes of the same host, every five minutes.
func (w *world) colour(with func(*catalog.EventType)) {
	w.T.Helper()
	w.offer("colour", 1, func(e *catalog.EventType) {
		e.Parts = []catalog.Part{{Work: 45}, {Wait: 40}, {Work: 35}}
		e.DurationMinutes, e.SlotStepMinutes = 120, 60
		if with != nil {
			with(e)
		}
	})
	w.offer("trim", 1, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 30, 5 })
}

// stretches writes the parts of a booking: "work 09:00-09:45".
func stretches(b booking.Booking) string {
	var all []string
	for _, p := range b.Parts {
		all = append(all, fmt.Sprintf("%s %s-%s", p.Kind, p.Start.Time().Format("15:04"), p.End.Time().Format("15:04")))
	}
	return strings.Join(all, ", ")
}

// In the wait of a colour the host can be booked by whatever fits there, and by nothing that doesn't.
func TestWaitIsFreeForOthers(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	b := w.Booked("colour", "1T09:00", "Mia")
	const want = "work 09:00-09:45, wait 09:45-10:25, work 10:25-11:00"
	if got := stretches(b); got != want {
		t.Errorf("the booking is in parts %q", got)
	}
	read, err := w.Find(t.Context(), w.API, b.ID.String())
	w.Must(err)
	if got := stretches(read); got != want || read.BusyStart != read.Start || read.BusyEnd != read.End {
		t.Errorf("it is read with parts %q, taken from %s to %s", got, read.BusyStart, read.BusyEnd)
	}
	text, err := json.Marshal(&read)
	w.Must(err)
	if !strings.Contains(string(text), `"parts":[{"kind":"work","start":"2026-12-01T09:00:00Z","end":"2026-12-01T09:45:00Z"},`) {
		t.Errorf("its JSON is %s", text)
	}
	open := w.openAt("trim", "1T08:25", "1T11:30")
	if want := []string{"08:25", "08:30", "09:45", "09:50", "09:55", "11:00"}; !slices.Equal(open[:min(len(open), 6)], want) {
		t.Errorf("a trim can begin at %q, want %q", open, want)
	}
	w.refusedFor(apptest.Input("trim", "1T10:00", "Bo"), slot.Booked)
	w.Booked("trim", "1T09:50", "Bo")
	w.refusedFor(apptest.Input("trim", "1T09:45", "Cy"), slot.Booked)
	w.refusedFor(apptest.Input("colour", "1T08:00", "Cy"), slot.Booked) // its second work meets the first one's
	if _, err := w.Cancel(t.Context(), w.API, b.ID.String(), booking.CancelInput{}); err != nil {
		t.Fatal(err)
	}
	w.Booked("trim", "1T09:00", "Cy")
	w.nobodyTwice()
}

// The workspace's margin, and the buffers at the ends, are kept free around work; an owner can waive them, but never
// the work itself.
func TestMarginsOfAWait(t *testing.T) {
	w := newWorld(t)
	w.Must(w.SQL(`UPDATE workspaces SET settings = '{"waitMargin":5}', revision = revision + 1`))
	w.colour(func(e *catalog.EventType) { e.BufferBeforeMinutes, e.BufferAfterMinutes = 10, 15 })
	w.Booked("colour", "1T09:00", "Mia")
	open := w.openAt("trim", "1T08:15", "1T12:00")
	if want := []string{"08:15", "08:20", "09:50", "11:15"}; !slices.Equal(open[:min(len(open), 4)], want) {
		t.Errorf("a trim can begin at %q, want %q", open, want)
	}
	in := apptest.Input("trim", "1T09:45", "Bo")
	w.refusedFor(in, slot.Buffer)
	in.Override = []string{string(slot.Buffer)}
	_, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	in = apptest.Input("trim", "1T09:30", "Cy")
	in.Override = []string{string(slot.Buffer)}
	w.refusedFor(in, slot.Booked)
	w.nobodyTwice()
}

// Only work must lie in the host's hours, and outside times off: a wait may lie over the lunch break.
func TestWaitOverLunch(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	w.alterHost(1, func(h *catalog.Host) {
		for day := range h.Weekly {
			h.Weekly[day] = []string{"09:00-12:00", "12:30-17:00"}
		}
	})
	if got := w.openAt("colour", "1T08:00", "1T11:00"); !slices.Equal(got, []string{"08:00", "09:00"}) {
		t.Errorf("with lunch from 11:00 to 11:30 UTC it can begin at %q", got)
	}
	w.Alter("colour", func(e *catalog.EventType) { e.SlotStepMinutes = 15 })
	got := w.openAt("colour", "1T09:00", "1T11:00")
	if want := []string{"09:00", "10:15"}; !slices.Equal(got, want) { // 10:15 to 11:00, and from 11:40
		t.Errorf("every quarter of an hour it can begin at %q, want %q", got, want)
	}
	w.Booked("colour", "1T10:15", "Mia")
}

// What a search explains says which part is in the way.
func TestClosedPart(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	w.Booked("trim", "1T10:30", "Bo")
	found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "colour", From: apptest.At("1T08:00"),
		To: apptest.At("1T11:00"), Explain: true})
	w.Must(err)
	parts := map[string]int{}
	for _, c := range found.Closed() {
		parts[c.Start.Time().Format("15:04")] = c.Part
	}
	if parts["09:00"] != 3 || parts["10:00"] != 1 {
		t.Errorf("the parts in the way are %v", parts)
	}
	var shown struct{ Closed []struct{ Part int } }
	text, err := json.Marshal(found)
	w.Must(err)
	w.Must(json.Unmarshal(text, &shown))
	if len(shown.Closed) == 0 || !slices.ContainsFunc(shown.Closed, func(c struct{ Part int }) bool { return c.Part == 3 }) {
		t.Errorf("%s", text)
	}
}

// Where a basin or a second person lacks, it says in which part, too; of a basin that lacks in a wait, none.
func TestClosedPartOfNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		need func(*world) catalog.Need
		want map[string]int
	}{
		"a basin during work": {func(w *world) catalog.Need {
			return catalog.Need{OneOf: oneOf(w.resource("Basin", nil)), During: catalog.DuringWork}
		}, map[string]int{"09:00": 3, "10:00": 1}},
		"a basin all the while": {func(w *world) catalog.Need {
			return catalog.Need{OneOf: oneOf(w.resource("Basin", nil)), During: catalog.DuringAll}
		}, map[string]int{"09:00": 3, "10:00": 1, "09:40": 0}},
		"a second person": {func(*world) catalog.Need { return catalog.Need{Hosts: 2, Of: []catalog.HostID{2}} },
			map[string]int{"09:00": 3, "10:00": 1}},
	} {
		w := newWorld(t)
		need := c.need(w)
		w.colour(func(e *catalog.EventType) { e.SlotStepMinutes, e.Needs = 20, []catalog.Need{need} })
		w.Alter("trim", func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 2}}; e.Needs = nil })
		if need.Hosts == 0 {
			w.Alter("trim", func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: need.OneOf, During: catalog.DuringAll}} })
		}
		w.Booked("trim", "1T10:30", "Bo") // of 30 minutes: of a colour at 9:00 the last work, at 10:00 the first, at 9:40 the wait
		found, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "colour", Host: catalog.HostID(1).String(),
			From: apptest.At("1T08:00"), To: apptest.At("1T11:00"), Explain: true})
		w.Must(err)
		got := map[string]int{}
		for _, x := range found.Closed() {
			got[x.Start.Time().Format("15:04")] = x.Part
		}
		for start, part := range c.want {
			if at, closed := got[start]; !closed || at != part {
				t.Errorf("%s: %s is closed by part %d (%v), want %d: %v", name, start, at, closed, part, got)
			}
		}
	}
}

// Add-ons make the part longer that they name, waits too; another end makes the last part longer. A move keeps the
// parts that were booked, whatever the service has by then.
func TestPartsAreKeptAndLengthened(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) {
		e.AddOns = []catalog.AddOn{{ID: "strong", Title: "Strong", Minutes: 10, Part: 2}, {ID: "care", Title: "Care", Minutes: 15}}
	})
	in := apptest.Input("colour", "1T09:00", "Mia")
	in.AddOns = []string{"strong"}
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	want := func(b booking.Booking, parts string) {
		t.Helper()
		if got := stretches(b); got != parts {
			t.Errorf("parts %q, want %q", got, parts)
		}
	}
	want(b, "work 09:00-09:45, wait 09:45-10:35, work 10:35-11:10")
	both := []string{"strong", "care"}
	b, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{AddOns: &both}, "")
	w.Must(err)
	want(b, "work 09:00-09:45, wait 09:45-10:35, work 10:35-11:25")
	end := apptest.At("1T11:40")
	b, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{End: &end}, "")
	w.Must(err)
	want(b, "work 09:00-09:45, wait 09:45-10:35, work 10:35-11:40")
	end = apptest.At("1T10:35")
	_, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{End: &end}, "")
	w.Refused(err, fault.BadRequest, "invalid")

	w.Alter("colour", func(e *catalog.EventType) { e.Parts = nil })
	b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T12:00")})
	w.Must(err)
	want(b, "work 12:00-12:45, wait 12:45-13:35, work 13:35-14:40")
	w.Booked("trim", "1T12:45", "Bo")
	w.Booked("trim", "1T09:00", "Cy")

	trim := "trim"
	b, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{EventType: &trim}, "")
	w.Must(err)
	want(b, "")
	w.Booked("trim", "1T13:35", "Di")
	w.nobodyTwice()
}

// A host's own lengths are given for each part, and are those of the start with that host.
func TestHostsOwnParts(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}}
	})
	minutes := 100
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	h := w.alterHost(2, func(h *catalog.Host) {
		h.EventTypes = []catalog.Terms{{EventType: setup.EventType("colour").ID, DurationMinutes: &minutes,
			Parts: []catalog.Part{{Work: 30}, {Wait: 40}, {Work: 30}}}}
		w.Must(h.CheckTerms("host", setup.EventTypes))
	})
	in := apptest.Input("colour", "1T09:00", "Mia")
	in.Host = h.ID.String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	if got := stretches(b); got != "work 09:00-09:30, wait 09:30-10:10, work 10:10-10:40" {
		t.Errorf("parts %q", got)
	}
	h.EventTypes[0].Parts = h.EventTypes[0].Parts[:1]
	w.Refused(h.CheckTerms("host", setup.EventTypes), fault.BadRequest, "invalid")
	h.EventTypes[0].Parts = nil
	w.Refused(h.CheckTerms("host", setup.EventTypes), fault.BadRequest, "invalid")
}

// A booking in parts counts once, on the day on which it begins.
func TestPartsCountOnce(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) { e.MaxPerDay, e.SlotStepMinutes = 2, 15 })
	w.Booked("colour", "1T08:00", "Mia")
	w.Booked("colour", "1T10:00", "Bo")
	w.refusedAs(apptest.Input("colour", "1T12:00", "Cy"), "day_full")
	w.nobodyTwice()
}

// refusedAs books, and wants a bad_request for the reason.
func (w *world) refusedAs(in booking.BookInput, reason string) {
	w.T.Helper()
	_, err := w.Book(w.T.Context(), w.API, in)
	w.Refused(err, fault.BadRequest, reason)
}

// What is held of a service in parts is its work.
func TestHoldOfParts(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	h, err := w.Hold(t.Context(), w.API, app.HoldInput{EventType: "colour", Start: apptest.At("1T09:00")})
	w.Must(err)
	w.refusedFor(apptest.Input("trim", "1T09:30", "Bo"), slot.Held)
	w.refusedFor(apptest.Input("trim", "1T10:30", "Bo"), slot.Held)
	w.Booked("trim", "1T09:45", "Bo")
	in := apptest.Input("colour", "1T09:00", "Mia")
	in.Hold = h.ID.String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	if len(b.Parts) != 3 {
		t.Errorf("the booking of the hold has parts %q", stretches(b))
	}
	h, err = w.Hold(t.Context(), w.API, app.HoldInput{EventType: "colour", Start: apptest.At("1T12:00")})
	w.Must(err)
	w.Clock.Set(h.ExpiresAt.Time())
	w.Booked("trim", "1T12:00", "Cy")
	w.nobodyTwice()
}

// A no-show in parts comes back unless its work was booked since; its wait may have been.
func TestUndoneNoShowOfParts(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	w.Alter("trim", func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	b := w.Booked("colour", "1T09:00", "Mia")
	w.at("+1 09:05")
	_, err := w.MarkNoShow(t.Context(), w.Owner, b.ID.String())
	w.Must(err)
	w.Booked("trim", "1T09:50", "Bo")
	other := w.Booked("trim", "1T10:30", "Cy")
	_, err = w.UndoMark(t.Context(), w.Owner, b.ID.String(), app.NoShowMark)
	w.Refused(err, fault.Conflict, "slot_taken")
	_, err = w.Cancel(t.Context(), w.API, other.ID.String(), booking.CancelInput{})
	w.Must(err)
	b, err = w.UndoMark(t.Context(), w.Owner, b.ID.String(), app.NoShowMark)
	w.Must(err)
	if got := stretches(b); got != "work 09:00-09:45, wait 09:45-10:25, work 10:25-11:00" {
		t.Errorf("it comes back with parts %q", got)
	}
	w.nobodyTwice()
}

// A basin is taken all the while, or only while the host works, as the service says.
func TestResourceDuringParts(t *testing.T) {
	w := newWorld(t)
	basin, chair := w.resource("Basin", nil), w.resource("Chair", nil)
	w.colour(func(e *catalog.EventType) {
		e.Needs = []catalog.Need{{OneOf: oneOf(basin), During: catalog.DuringWork}, {OneOf: oneOf(chair), During: catalog.DuringAll}}
	})
	w.needing("wash", 2, oneOf(basin))
	w.needing("sit", 3, oneOf(chair))
	for _, slug := range []string{"wash", "sit"} {
		w.Alter(slug, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 30, 5 })
	}
	b := w.Booked("colour", "1T09:00", "Mia")
	if len(b.Resources) != 2 || b.Resources[0].During != catalog.DuringWork || b.Resources[1].During != "" {
		t.Errorf("it takes %+v", b.Resources)
	}
	w.refusedFor(apptest.Input("sit", "1T09:50", "Bo"), slot.ResourceTaken)
	w.refusedFor(apptest.Input("wash", "1T09:30", "Bo"), slot.ResourceTaken)
	w.Booked("wash", "1T09:45", "Bo")
	end := apptest.At("1T11:30")
	b, err := w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{End: &end}, "")
	w.Must(err)
	if len(b.Resources) != 2 || b.Resources[0].During != catalog.DuringWork {
		t.Errorf("longer, it takes %+v", b.Resources)
	}
	w.refusedFor(apptest.Input("wash", "1T11:15", "Cy"), slot.ResourceTaken)
	w.refusedFor(apptest.Input("wash", "1T10:20", "Cy"), slot.ResourceTaken)
}

// Parts that no service can have are refused with what to do.
func TestPartsAreChecked(t *testing.T) {
	for want, c := range map[string]struct {
		parts []catalog.Part
		total int
	}{
		"give either work or wait":       {[]catalog.Part{{Work: 10, Wait: 5}}, 15},
		"work and wait take turns":       {[]catalog.Part{{Work: 10}, {Work: 5}}, 15},
		"the first part is work":         {[]catalog.Part{{Wait: 10}, {Work: 5}}, 15},
		"the last part must be work":     {[]catalog.Part{{Work: 10}, {Wait: 5}}, 15},
		"take 20 minutes in all":         {[]catalog.Part{{Work: 10}, {Wait: 5}, {Work: 5}}, 30},
		"at most 9":                      {slices.Repeat([]catalog.Part{{Work: 10}, {Wait: 5}}, 5), 75},
		"must be 1 for a service in par": {[]catalog.Part{{Work: 10}, {Wait: 5}, {Work: 5}}, 20},
	} {
		e := catalog.NewEventType()
		e.Slug, e.Title, e.Hosts = "a", "A", []catalog.HostRef{{ID: 1}}
		e.DurationMinutes, e.Parts = c.total, c.parts
		if strings.Contains(want, "must be 1") {
			e.Seats = 2
		}
		if err := e.Check("eventType"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", c.parts, err, want)
		}
	}
	e := catalog.NewEventType()
	e.Slug, e.Title, e.Hosts, e.Parts = "a", "A", []catalog.HostRef{{ID: 1}}, []catalog.Part{{Work: 10}, {Wait: 5}, {Work: 5}}
	if err := e.Check("eventType"); err != nil || e.DurationMinutes != 20 || e.SlotStepMinutes != 20 {
		t.Errorf("without a length it has %d minutes, every %d: %v", e.DurationMinutes, e.SlotStepMinutes, err)
	}
}

// An edit of add-ons keeps the buffers that were booked, also where it gives other parts: else it would take time that
// was not looked at.
func TestEditedPartsKeepTheirBuffers(t *testing.T) {
	w := newWorld(t)
	w.Must(w.SQL(`UPDATE workspaces SET settings = '{"waitMargin":5}', revision = revision + 1`))
	w.colour(func(e *catalog.EventType) {
		e.BufferBeforeMinutes = 30
		e.SlotStepMinutes = 5
		e.AddOns = []catalog.AddOn{{ID: "care", Title: "Care", Minutes: 0}}
	})
	w.Booked("colour", "1T09:00", "Mia")
	in := apptest.Input("colour", "1T11:00", "Bo")
	in.Override = []string{string(slot.Buffer)}
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	care := []string{"care"}
	_, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{AddOns: &care}, "")
	w.Must(err)
	in = apptest.Input("trim", "1T10:30", "Cy")
	in.Override = []string{string(slot.Buffer)}
	w.refusedFor(in, slot.Booked)
	w.nobodyTwice()
}

// The same without anybody waiving a buffer: the owner raises the buffer, an edit of add-ons, an undone no-show.
func TestEditedPartsUnderRaisedBuffers(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) {
		e.SlotStepMinutes, e.MinimumNoticeMinutes = 5, 0
		e.AddOns = []catalog.AddOn{{ID: "care", Title: "Care", Minutes: 0}}
	})
	w.Alter("trim", func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	n := w.Booked("trim", "1T10:30", "No")
	w.at("+1 10:31")
	_, err := w.MarkNoShow(t.Context(), w.Owner, n.ID.String())
	w.Must(err)
	w.Must(w.SQL(`UPDATE workspaces SET settings = '{"waitMargin":5}', revision = revision + 1`))
	all := []string{}
	for _, r := range booking.Overridable {
		if r != slot.Buffer {
			all = append(all, string(r))
		}
	}
	book := func(at, who string) booking.Booking {
		in := apptest.Input("colour", at, who)
		in.Override = all
		b, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
		return b
	}
	book("1T09:00", "Mia")
	b := book("1T11:00", "Bo")
	w.Alter("colour", func(e *catalog.EventType) { e.BufferBeforeMinutes = 30 })
	care := []string{"care"}
	_, err = w.Edit(t.Context(), w.API, b.ID.String(), booking.EditInput{AddOns: &care}, "")
	w.Must(err)
	_, err = w.UndoMark(t.Context(), w.Owner, n.ID.String(), app.NoShowMark)
	w.Refused(err, fault.Conflict, "slot_taken")
	w.nobodyTwice()
}

// Nobody joins a booking in parts as a session, where the service has lost its parts and got seats since.
func TestNobodyJoinsParts(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	w.Booked("colour", "1T09:00", "Mia")
	w.Alter("colour", func(e *catalog.EventType) { e.Parts, e.Seats = nil, 5 })
	w.refusedFor(apptest.Input("colour", "1T09:00", "Bo"), slot.Booked)
	w.nobodyTwice()
}

// A no-show in parts doesn't come back into a session that was booked at its start meanwhile.
func TestUndonePartsJoinNobody(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	b := w.Booked("colour", "1T09:00", "Mia")
	w.at("+1 09:05")
	_, err := w.MarkNoShow(t.Context(), w.Owner, b.ID.String())
	w.Must(err)
	w.Alter("colour", func(e *catalog.EventType) { e.Parts, e.Seats, e.MinimumNoticeMinutes = nil, 5, 0 })
	in := apptest.Input("colour", "1T09:00", "Bo")
	in.Override = []string{string(slot.InPast), string(slot.TooSoon)}
	_, err = w.Book(t.Context(), w.API, in)
	w.Must(err)
	_, err = w.UndoMark(t.Context(), w.Owner, b.ID.String(), app.NoShowMark)
	w.Refused(err, fault.Conflict, "slot_taken")
	w.nobodyTwice()
}

// A time off in a wait cancels nobody who only waits then.
func TestTimeOffInAWait(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	b := w.Booked("colour", "1T09:00", "Mia")
	all, err := w.Bulk.Within(t.Context(), w.Owner, bulk.Scope{Host: b.Host.ID, Off: &catalog.TimeOff{Start: b.Parts[1].Start, End: b.Parts[1].End}}, 10)
	w.Must(err)
	if len(all) != 0 {
		t.Errorf("a time off in the wait would cancel %d", len(all))
	}
}

// Of 64 who want the one wait of a colour from two servers at one moment, one gets it.
func TestContestOneWait(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	for round := range 4 {
		w.Booked("colour", fmt.Sprintf("%dT09:00", 1+round), "Mia")
		errs := w.contestOf(64, func(at *apptest.Salon, i int) error {
			_, err := at.Book(t.Context(), at.API, apptest.Input("trim", fmt.Sprintf("%dT09:%d", 1+round, 45+i%3*5), fmt.Sprintf("p%d", i)))
			return err
		})
		if done, refused := w.tally(errs, "slot_taken"); done != 1 || refused != 63 {
			t.Errorf("%d have the wait, %d were refused", done, refused)
		}
	}
	w.nobodyTwice()
}

// Colours and trims that fit into each other's waits are booked at one moment: nobody works twice at once.
func TestContestOfParts(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) { e.SlotStepMinutes = 5 })
	errs := w.contestOf(64, func(at *apptest.Salon, i int) error {
		_, err := at.Book(t.Context(), at.API, apptest.Input([]string{"colour", "trim"}[i%2], fmt.Sprintf("1T%02d:%02d", 9+i%3, i*5%60),
			fmt.Sprintf("p%d", i)))
		return err
	})
	if done, _ := w.tally(errs, "slot_taken"); done < 2 {
		t.Errorf("only %d of 64 were booked", done)
	}
	w.nobodyTwice()
}

// nobodyTwice checks that no host works for two live bookings at one time.
func (w *world) nobodyTwice() {
	w.T.Helper()
	live, err := w.Store.Reader(w.T.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 1000,
		Statuses: []booking.Status{booking.Confirmed, booking.Rescheduled, booking.Pending}})
	w.Must(err)
	for i, a := range live {
		for _, b := range live[:i] {
			for _, work := range a.Works() {
				if slices.ContainsFunc(a.AllHosts(), func(h catalog.HostRef) bool { return b.With(h.ID) }) && slices.ContainsFunc(b.Works(), func(o slot.Work) bool { return o.Own.Meets(work.Own) }) {
					w.T.Errorf("%s works for %s and %s at %v", a.Host.ID, a.ID, b.ID, work.Own)
				}
			}
		}
	}
	if len(live) == 0 {
		w.T.Error("nothing is booked")
	}
	w.spansApart()
}

// spansApart checks that no two of the stored spans of a host, a room or a thing meet, but for those of one session.
func (w *world) spansApart() {
	w.T.Helper()
	var meet int
	w.Must(enginetest.Raw(w.T, w.Store.Engine).QueryRow(`SELECT COUNT(*) FROM booking_spans a JOIN booking_spans b ON b.kind = a.kind
		AND b.subject_id = a.subject_id AND b.booking_id > a.booking_id AND b.start_ms < a.end_ms AND a.start_ms < b.end_ms
		WHERE NOT (a.event_type_id = b.event_type_id AND a.start_ms = b.start_ms AND a.end_ms = b.end_ms)`).Scan(&meet))
	if meet != 0 {
		w.T.Errorf("%d stored spans meet others of the same host or thing", meet)
	}
}

// alterHost changes a host.
func (w *world) alterHost(id catalog.HostID, change func(*catalog.Host)) catalog.Host {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	h := *setup.Host(id)
	change(&h)
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error { return tx.UpdateHost(&h) }))
	return h
}
