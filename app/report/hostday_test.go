package report_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/report"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store"
)

// minutes is what an answer says of a day of a host, or of several.
func minutes(p *report.PersonFigures) string {
	if p.Open == nil || p.Booked == nil || p.BookedOutside == nil {
		if p.Open != nil || p.Booked != nil || p.BookedOutside != nil || p.Utilisation != nil {
			return "half known"
		}
		return "not known"
	}
	rate := "-"
	if p.Utilisation != nil {
		rate = fmt.Sprintf("%.4f", *p.Utilisation)
	}
	return fmt.Sprintf("open %d booked %d outside %d rate %s", *p.Open, *p.Booked, *p.BookedOutside, rate)
}

// clocked is the oracle: minute by minute, by what a clock on the wall of the host's place shows.
type clocked struct {
	*apptest.Salon
	holidays map[string]bool
	open     map[string]map[int64]bool // by host and date: the minutes, since 1970
}

// close notes when a host was at work on a date, as it is now.
func (c *clocked) close(h *catalog.Host, date string) {
	setup, err := c.Setup(c.Workspace.ID)
	c.Must(err)
	zone := h.Location()
	open := map[int64]bool{}
	day, err := time.ParseInLocation(time.DateOnly, date, zone)
	c.Must(err)
	for at := day.Add(-3 * time.Hour); at.Before(day.Add(30 * time.Hour)); at = at.Add(time.Minute) {
		wall := at.In(zone)
		if wall.Format(time.DateOnly) != date {
			continue
		}
		hours, own := h.Weekly[catalog.Weekdays[wall.Weekday()]], false
		for _, o := range h.Overrides {
			if o.Date == date {
				hours, own = o.Hours, true
			}
		}
		in := false
		for _, text := range hours {
			from, to, _ := strings.Cut(text, "-")
			now := wall.Format("15:04")
			in = in || now >= from && (now < to || to == "24:00")
		}
		if c.holidays[date] && !h.WorksOnHolidays && !own {
			in = false
		}
		for _, off := range slices.Concat(h.TimeOff, setup.Workspace.TimeOff) {
			start, end := off.Start.Time().In(zone), off.End.Time().In(zone)
			if off.Repeat == nil && !at.Before(start) && at.Before(end) {
				in = false
			}
			if off.Repeat != nil && wall.Weekday() == start.Weekday() && wall.Format("15:04") >= start.Format("15:04") && wall.Format("15:04") < end.Format("15:04") {
				in = false
			}
		}
		if in {
			open[at.Unix()/60] = true
		}
	}
	c.open[h.Name+" "+date] = open
}

// says is what the day of a host must say, by the bookings as they are now.
func (c *clocked) says(h *catalog.Host, date string, all []booking.Booking) string {
	open, known := c.open[h.Name+" "+date]
	if !known {
		return "not known"
	}
	inside, outside := map[int64]bool{}, map[int64]bool{}
	for i := range all {
		b := c.Again(all[i])
		if !b.With(h.ID) || b.Status != booking.Confirmed && b.Status != booking.Rescheduled {
			continue
		}
		parts := b.Parts
		if parts == nil {
			parts = []booking.BookedPart{{Kind: booking.Work, Start: b.Start, End: b.End}}
		}
		for _, p := range parts {
			for at := p.Start.Time(); p.Kind == booking.Work && at.Before(p.End.Time()); at = at.Add(time.Minute) {
				if at.In(h.Location()).Format(time.DateOnly) != date {
					continue
				}
				if minute := at.Unix() / 60; open[minute] {
					inside[minute] = true
				} else {
					outside[minute] = true
				}
			}
		}
	}
	rate := "-"
	if len(open) > 0 {
		rate = fmt.Sprintf("%.4f", float64(len(inside))/float64(len(open)))
	}
	return fmt.Sprintf("open %d booked %d outside %d rate %s", len(open), len(inside), len(outside), rate)
}

// What is written of the days of hosts is what a clock on the wall says, minute by minute, with hours, overrides, times off,
// holidays and clock changes as they were on the day; and what was booked follows the bookings, whenever they change.
func TestHostDays(t *testing.T) {
	clock := apptest.Standing(time.Date(2026, 10, 20, 6, 0, 0, 0, time.UTC))
	s := apptest.New(t, apptest.Options{Clock: clock})
	ctx := t.Context()
	c := &clocked{s, map[string]bool{"2026-10-31": true, "2026-11-18": true}, map[string]map[int64]bool{}}
	setup := func() *catalog.Setup {
		found, err := s.Setup(s.Workspace.ID)
		s.Must(err)
		return found
	}
	change := func(i int, with func(h *catalog.Host)) {
		t.Helper()
		_, err := s.Shop.ChangeHost(ctx, s.Owner, setup().Hosts[i].ID.String(), func(h *catalog.Host) error { with(h); return nil })
		s.Must(err)
	}
	weekly := func(hours ...string) map[string][]string {
		all := map[string][]string{}
		for _, day := range catalog.Weekdays {
			all[day] = hours
		}
		return all
	}
	at := func(text string) when.Instant {
		x, err := time.Parse(time.RFC3339, text)
		s.Must(err)
		return when.At(x)
	}
	_, err := s.Shop.UpdateWorkspace(ctx, s.Owner, func(w *catalog.Workspace) {
		w.Holidays = &catalog.Holidays{Country: "DE", Region: "SN"}
		w.TimeOff = []catalog.TimeOff{{Start: at("2026-10-29T15:00:00+01:00"), End: at("2026-10-29T18:00:00+01:00")}}
	})
	s.Must(err)
	change(0, func(h *catalog.Host) {
		h.Weekly = weekly("09:00-12:00", "13:00-17:00")
		h.Overrides = []catalog.Override{{Date: "2026-10-23"}, {Date: "2026-10-25", Hours: []string{"01:00-05:00", "22:00-24:00"}},
			{Date: "2026-11-18", Hours: []string{"10:00-11:00"}}}
		h.TimeOff = []catalog.TimeOff{{Start: at("2026-10-22T10:30:00+02:00"), End: at("2026-10-22T11:15:00+02:00")},
			{Start: at("2026-10-21T09:00:00+02:00"), End: at("2026-10-21T09:30:00+02:00"), Repeat: &catalog.Repeat{Every: 1, Unit: catalog.Weekly}}}
	})
	change(1, func(h *catalog.Host) { h.TimeZone, h.Weekly = "America/New_York", weekly("00:00-03:00", "08:00-16:00") })
	change(2, func(h *catalog.Host) { h.WorksOnHolidays = true })

	for _, name := range []string{"ana", "bob", "cyd"} {
		s.Offer("cut-"+name, 60, func(e *catalog.EventType) {
			e.Hosts = []catalog.HostRef{{ID: setup().Hosts[slices.Index([]string{"ana", "bob", "cyd"}, name)].ID}}
			e.BufferBeforeMinutes, e.BufferAfterMinutes = 10, 20
		})
	}
	s.Offer("colour", 90, func(e *catalog.EventType) { e.Parts = []catalog.Part{{Work: 30}, {Wait: 40}, {Work: 20}} })
	s.Offer("class", 60, func(e *catalog.EventType) { e.Seats = 3 })
	s.Offer("pair", 45, func(e *catalog.EventType) {
		e.Needs = []catalog.Need{{Hosts: 2, Of: []catalog.HostID{setup().Hosts[2].ID}}}
	})
	waived := []string{}
	for _, why := range booking.Overridable {
		waived = append(waived, string(why))
	}
	var all []booking.Booking
	book := func(slug, start string) booking.Booking {
		t.Helper()
		b, err := s.Book(ctx, s.Owner, booking.BookInput{EventType: slug, Start: start, Override: waived,
			Invitee: booking.Invitee{Name: "Eva", Email: fmt.Sprintf("p%d@mail.example", len(all))}})
		s.Must(err)
		all = append(all, b)
		return b
	}
	book("cut-ana", "2026-10-21T09:00:00+02:00") // half of it in a time off that comes again
	book("cut-ana", "2026-10-21T11:30:00+02:00") // half of it after the hours
	book("cut-ana", "2026-10-22T10:00:00+02:00")
	book("cut-ana", "2026-10-23T10:00:00+02:00") // closed
	book("colour", "2026-10-24T09:00:00+02:00")
	book("cut-ana", "2026-10-25T02:30:00+02:00") // the clock is set back in it
	book("cut-ana", "2026-10-25T23:30:00+01:00") // beyond midnight
	book("class", "2026-10-26T09:00:00+01:00")
	book("class", "2026-10-26T09:00:00+01:00")
	missed := book("cut-ana", "2026-10-26T13:00:00+01:00")
	gone := book("cut-ana", "2026-10-27T13:00:00+01:00")
	pair := book("pair", "2026-10-28T10:00:00+01:00")
	moved := book("cut-ana", "2026-10-29T14:30:00+01:00")
	book("cut-bob", "2026-10-22T02:30:00-04:00")
	book("cut-bob", "2026-10-24T23:30:00-04:00")
	book("cut-bob", "2026-11-01T01:30:00-04:00") // the clock is set back in it
	book("cut-cyd", "2026-10-31T10:00:00+01:00")
	book("cut-ana", "2026-11-18T10:30:00+01:00")

	dates := []string{}
	for day := time.Date(2026, 10, 18, 0, 0, 0, 0, time.UTC); day.Before(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)); day = day.AddDate(0, 0, 1) {
		dates = append(dates, day.Format(time.DateOnly))
	}
	right := func(when string) {
		t.Helper()
		for i := range setup().Hosts {
			h := &setup().Hosts[i]
			a, err := s.Report.Analytics(ctx, s.Owner, report.AnalyticsInput{From: "2026-10-18", To: "2026-11-22", TimeZone: "Europe/Berlin", Host: h.ID.String()})
			s.Must(err)
			got := map[string]string{}
			for j := range a.ByHost[0].ByDay {
				got[a.ByHost[0].ByDay[j].Date] = minutes(&a.ByHost[0].ByDay[j].PersonFigures)
			}
			var open, booked, outside int64
			first := ""
			for _, date := range dates {
				want := c.says(h, date, all)
				if has, is := got[date]; is && has != want || !is && want != "not known" {
					t.Errorf("%s: %s on %s: %q, want %q", when, h.Name, date, has, want)
				}
				var o, b, x int64
				if _, err := fmt.Sscanf(want, "open %d booked %d outside %d", &o, &b, &x); err == nil {
					if open, booked, outside = open+o, booked+b, outside+x; first == "" {
						first = date
					}
				}
			}
			sum := a.ByHost[0]
			if *sum.Open != open || *sum.Booked != booked || *sum.BookedOutside != outside || *sum.OpenFrom != first {
				t.Errorf("%s: %s has %s from %s, want open %d booked %d outside %d from %s", when, h.Name, minutes(&sum.PersonFigures), *sum.OpenFrom, open, booked, outside, first)
			}
			before, err := s.Report.Analytics(ctx, s.Owner, report.AnalyticsInput{From: "2026-10-18", To: "2026-10-20", TimeZone: "Europe/Berlin", Host: h.ID.String()})
			s.Must(err)
			if got := minutes(&before.ByHost[0].PersonFigures); got != "not known" || before.ByHost[0].OpenFrom != nil {
				t.Errorf("%s: before the first day %s has %s", when, h.Name, got)
			}
		}
	}
	s.Must(s.Report.WriteDays(ctx)) // the first look
	for range 33 * 4 {
		before := clock.Now()
		clock.Advance(6 * time.Hour)
		for i := range setup().Hosts {
			h := &setup().Hosts[i]
			if date := before.In(h.Location()).Format(time.DateOnly); date != clock.Now().In(h.Location()).Format(time.DateOnly) {
				c.close(h, date)
			}
		}
		switch now := clock.Now().Format("01-02 15"); now {
		case "10-26 18":
			_, err := s.MarkNoShow(ctx, s.Owner, missed.ID.String())
			s.Must(err)
			_, err = s.Cancel(ctx, s.Owner, gone.ID.String(), app.CancelInput{})
			s.Must(err)
		}
		if now := clock.Now(); now.Before(time.Date(2026, 11, 5, 0, 0, 0, 0, time.UTC)) || now.After(time.Date(2026, 11, 9, 0, 0, 0, 0, time.UTC)) {
			s.Must(s.Report.WriteDays(ctx)) // between, no server runs
		}
		if clock.Now().Format("01-02 15") == "10-27 06" {
			change(0, func(h *catalog.Host) { h.Weekly = weekly("12:00-20:00") })
		}
	}
	right("day by day")
	_, err = s.Reschedule(ctx, s.Owner, moved.ID.String(), app.RescheduleInput{Start: "2026-11-30T14:30:00+01:00", Override: waived})
	s.Must(err)
	right("moved afterwards")
	_, err = s.MarkNoShow(ctx, s.Owner, pair.ID.String())
	s.Must(err)
	s.Must(s.SQL(fmt.Sprintf(`UPDATE bookings SET status = 1 WHERE id = %d`, int64(gone.ID)))) // as an older binary might
	right("changed afterwards")
	s.Must(s.Report.WriteDays(ctx))
	if changed, err := s.Store.Reader(ctx).(report.Reader).ChangedHostDays(s.Workspace.ID); err != nil || len(changed) > 0 {
		t.Errorf("%d days are not counted: %v", len(changed), err)
	}
	right("counted again")
	change(0, func(h *catalog.Host) { h.Weekly = weekly("06:00-07:00") })
	right("with other hours")
	if sum, err := s.Report.Analytics(ctx, s.Owner, report.AnalyticsInput{From: "2026-10-18"}); err != nil || len(sum.ByHost) != 3 {
		t.Errorf("%+v %v", sum.ByHost, err)
	}
}

// recounted fails unless what is kept of days is what comes of counting all of them again.
func recounted(t *testing.T, s *apptest.Salon) string {
	t.Helper()
	ask := func(r *report.Service) (text string) {
		for _, h := range []string{"", "2026-11-30"} {
			a, err := r.Analytics(t.Context(), s.Owner, report.AnalyticsInput{From: "2020-01-01", To: h})
			s.Must(err)
			for i := range a.ByHost {
				text += a.ByHost[i].Name + " " + minutes(&a.ByHost[i].PersonFigures) + "\n"
			}
		}
		return text
	}
	got, want := ask(s.Report), ""
	err := s.Store.Write(t.Context(), func(tx app.Tx) error {
		type executes interface {
			Exec(string, ...any) (int64, error)
		}
		if _, err := tx.(executes).Exec(`UPDATE host_days SET booked_ms = NULL, outside_ms = NULL`); err != nil {
			return err
		}
		want = ask(s.Report.In(tx))
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("kept are\n%s\ncounted again\n%s", got, want)
	}
	return got
}

// Two servers write each day once, also while bookings of these days change.
func TestContestHostDaysAreWrittenOnce(t *testing.T) {
	s := salon(t)
	var all []booking.Booking
	for day := 1; day < 8; day++ {
		for hour := 9; hour < 16; hour++ {
			all = append(all, s.Booked("cut", fmt.Sprintf("%dT%02d", day, hour), fmt.Sprintf("p%d-%d", day, hour)))
		}
	}
	s.Must(s.Report.WriteDays(t.Context()))
	s.Clock.Advance(8 * 24 * time.Hour)
	var writers, changers sync.WaitGroup
	over := make(chan struct{})
	for _, r := range []*report.Service{s.Report, s.Another().Report} {
		writers.Go(func() {
			for {
				if err := r.WriteDays(t.Context()); err != nil {
					t.Error(err)
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	for n := range 3 {
		changers.Go(func() {
			for i := n; i < len(all); i += 3 {
				if _, err := s.MarkNoShow(t.Context(), s.Owner, all[i].ID.String()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	changers.Wait()
	close(over)
	writers.Wait()
	if got := recounted(t, s); !strings.Contains(got, "ana open 3840 booked 0 outside 0") {
		t.Error(got)
	}
	days, err := s.Store.Reader(t.Context()).(report.Reader).AllHostDays(s.Workspace.ID, 0, 0, 1000)
	if s.Must(err); len(days) != 3*9 { // one is of before
		t.Errorf("%d days", len(days))
	}
}

// dying is a store whose writes fail at some time.
type dying struct {
	*store.Store
	left atomic.Int64
}

var errKilled = errors.New("killed")

func (d *dying) WriteAlong(ctx context.Context, change func(app.Tx) error) error {
	if d.left.Add(-1) < 0 {
		return errKilled
	}
	err := d.Store.WriteAlong(ctx, func(tx app.Tx) error {
		if err := change(tx); err != nil || d.left.Load() > 0 {
			return err
		}
		return errKilled // before it commits
	})
	return err
}

// A server that dies while it writes leaves whole days, and the next one goes on, whether the days are many or few.
func TestKilledHostDaysGoOn(t *testing.T) {
	s := salon(t)
	s.Booked("cut", "2T10", "eva")
	held := &dying{Store: s.Store}
	dies := s.Subjects(func(c *subjects.Config) { c.Store = held })
	died := 0
	for range 20 {
		held.left.Store(2)
		if err := dies.Report.WriteDays(t.Context()); err == nil {
			break
		}
		died++
	}
	s.Clock.Advance(250 * 24 * time.Hour) // days of one host in three transactions
	for range 40 {
		held.left.Store(2)
		if err := dies.Report.WriteDays(t.Context()); err == nil {
			break
		}
		died++
		recounted(t, s)
	}
	if died < 6 {
		t.Errorf("it died %d times only", died)
	}
	days, err := s.Store.Reader(t.Context()).(report.Reader).AllHostDays(s.Workspace.ID, 0, 0, 10_000)
	if s.Must(err); len(days) != 3*251 {
		t.Errorf("%d days", len(days))
	}
	if got := recounted(t, s); !strings.Contains(got, "ana open 120000 booked 3 outside 0") {
		t.Error(got)
	}
}
