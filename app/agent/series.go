package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/subjects"
	"daybook/app/when"
)

// repeatArgs are the arguments of create_booking that make a series of the booking, or of the visit.
var repeatArgs = []property{
	may("repeat", object("Books the same again on later dates, as a series: all at once or nothing. start is the first date. Every 6 weeks, "+
		"10 times, is {\"every\": 6, \"unit\": \"week\", \"count\": 10}.",
		must("every", number("So many units from one date to the next.").between(1, 366)),
		must("unit", choice("Day, week or month.", string(booking.SeriesDay), string(booking.SeriesWeek), string(booking.SeriesMonth))),
		may("days", list("Days of the week, with week; left out, that of start.", choice("", "mon", "tue", "wed", "thu", "fri", "sat", "sun"))),
		may("count", number("How many dates; or give until.").between(1, booking.MaxSeries)),
		may("until", text("The last day.").kind("date")),
		may("except", list("Days to leave out.", text("").kind("date"))))),
	may("conflicts", choice("What becomes of dates that aren't free: refuse books nothing, skip leaves them out, nearest takes the "+
		"closest open time within three days. A dry run with nearest shows them all.",
		string(booking.SeriesRefuse), string(booking.SeriesSkip), string(booking.SeriesNearest)).byDefault(string(booking.SeriesRefuse))),
	may("dates", list("Beside repeat: exactly these are booked, or none. Give the dates that a dry run answered, without those that the "+
		"person doesn't want.", object("", must("start", instant("As in the answer.")), may("host", text("Id or name."))))),
}

// scopeArg is the argument of the tools that change bookings which may be of a series.
func scopeArg(what string) property {
	return may("scope", choice("Of a booking of a series: "+what, string(booking.SeriesThis), string(booking.SeriesFollowing),
		string(booking.SeriesAll)).byDefault(string(booking.SeriesThis)))
}

// series returns what makes a series of a booking; nil where the call is for one.
func (in *args) series() *booking.SeriesInput {
	if in.given("repeat") == nil {
		for _, name := range []string{"conflicts", "dates"} {
			if in.given(name) != nil {
				in.wrong(name, "goes with repeat: give that too, or leave this out")
			}
		}
		return nil
	}
	o := in.object("repeat")
	made := booking.SeriesInput{Conflicts: booking.SeriesConflicts(in.text("conflicts")), Dates: in.dates(), Spoken: true}
	made.Repeat = booking.SeriesRepeat{Unit: booking.SeriesUnit(o.text("unit")), Days: o.list("days"), Until: o.text("until"), Except: o.list("except")}
	if n := o.whole("every"); n != nil {
		made.Repeat.Every = *n
	}
	if n := o.whole("count"); n != nil {
		made.Repeat.Count = *n
	}
	return &made
}

// dates returns the dates of a dry run that are to be booked, nil when they were left out.
func (in *args) dates() []booking.SeriesPlace {
	raw := in.given("dates")
	if raw == nil {
		return nil
	}
	var each []map[string]json.RawMessage
	if json.Unmarshal(raw, &each) != nil {
		in.wrong("dates", "must be a list of objects with start, such as a dry run answers")
		return nil
	}
	all := []booking.SeriesPlace{}
	for i, fields := range each {
		one := &args{fields: fields, path: fmt.Sprintf("%sdates[%d].", in.path, i), parent: in}
		in.inner = append(in.inner, one)
		for _, name := range []string{"id", "local", "insteadOf", "reason", "holiday", "status"} { // that a dry run says, too
			one.given(name)
		}
		if one.text("state") != string(booking.SeriesSkipped) {
			all = append(all, booking.SeriesPlace{Start: one.needed("start", "when it begins"), Host: one.short("host")})
		}
	}
	return all
}

// bookSeries books the series that the call describes.
func bookSeries(ctx context.Context, s *subjects.Set, a app.Actor, in *toBook) (any, error) {
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	one := *in.series
	one.EventType, one.Host, one.AddOns, one.Seats, one.Participants = in.EventType, in.Host, in.AddOns, in.Seats, in.Participants
	one.Items, one.Start, one.Override, one.Invitee, one.Notes = in.services, in.Start, in.Override, in.Invitee, in.Notes
	one.Answers, one.Metadata = in.Answers, in.Metadata
	for i := range one.Dates {
		d := &one.Dates[i]
		if len(one.Items) > 0 { // who does each service stands in services, or it is whoever is free
			d.Host = ""
		} else if d.Host != "" {
			h, err := setup.HostNamed(d.Host, func(h catalog.HostID) bool { return a.Limits.Knows(setup, h) })
			if err != nil {
				return nil, err
			}
			d.Host = h.ID.String()
		}
	}
	made, err := s.BookSeries(ctx, a, one)
	if err != nil {
		return nil, ofServices(shortDates(setup, err))
	}
	return seriesTold(setup, &made), nil
}

// dateRow is what is told of a date of a series: enough to read it to a person, and to send it back as one of dates.
type dateRow struct {
	ID        string              `json:"id,omitempty"` // of the booking, or of the visit
	Start     when.Instant        `json:"start"`
	Local     string              `json:"local"`
	Host      string              `json:"host,omitempty"`
	State     booking.SeriesState `json:"state,omitempty"`
	InsteadOf string              `json:"insteadOf,omitempty"` // local
	Reason    string              `json:"reason,omitempty"`
	Holiday   string              `json:"holiday,omitempty"`
	Status    booking.Status      `json:"status,omitempty"`
}

// dateRows is the schema of the dates that a call answers.
var dateRows = list("Of a series: its dates.", object("", must("start", text("")), must("local", text(""))))

// localSeries is a series as the tools return it.
type localSeries struct {
	ID       booking.SeriesID `json:"seriesId"`
	TimeZone string           `json:"timeZone"`
	Dates    []dateRow        `json:"dates"`
}

func localIn(setup *catalog.Setup, at when.Instant) string {
	return at.Time().In(setup.Zone).Format(time.RFC3339)
}

// seriesTold returns what is told of a series that was booked: all dates, with what became of them.
func seriesTold(setup *catalog.Setup, made *booking.Series) *localSeries {
	told := &localSeries{ID: made.ID, TimeZone: setup.Zone.String()}
	for i := range made.Dates {
		row := rowOf(setup, &made.Dates[i])
		at := slices.IndexFunc(made.Bookings, func(b booking.Booking) bool { return made.Dates[i].Booking == b.ID })
		if at >= 0 {
			b := &made.Bookings[at]
			row.ID, row.Status = idOf(b), b.Status
		}
		told.Dates = append(told.Dates, row)
	}
	return told
}

// idOf returns the id that the tools take for all of what a booking is of.
func idOf(b *booking.Booking) string {
	if b.InVisit() {
		return b.Visit.ID.String()
	}
	return b.ID.String()
}

// rowOf returns the row of a date.
func rowOf(setup *catalog.Setup, d *booking.SeriesDate) dateRow {
	row := dateRow{Start: d.At(), Local: localIn(setup, d.At()), State: d.State, Reason: d.Reason, Holiday: d.Holiday}
	if d.State == booking.SeriesMoved {
		row.InsteadOf = localIn(setup, d.Start)
	}
	if d.Booking != 0 {
		row.ID = d.Booking.String()
	}
	var names []string
	add := func(id catalog.HostID) {
		if h := setup.Host(id); h != nil && !slices.Contains(names, h.Name) {
			names = append(names, h.Name)
		}
	}
	if d.Host != nil {
		add(*d.Host)
	}
	for i := range d.Items {
		if h, err := setup.HostRef(d.Items[i].Host); err == nil {
			add(h)
		}
	}
	row.Host = strings.Join(names, ", ")
	return row
}

// shortDates has a refusal tell of dates in rows.
func shortDates(setup *catalog.Setup, err error) error {
	e := fault.Refusal(err)
	if e == nil {
		return err
	}
	if dates, ok := e.Details["dates"].([]booking.SeriesDate); ok {
		rows := make([]dateRow, len(dates))
		for i := range dates {
			rows[i] = rowOf(setup, &dates[i])
		}
		e.With("dates", rows).With("timeZone", setup.Zone.String())
	}
	return err
}

// changeSeries changes several dates of the series of a booking, or of a visit, and tells of those that do names.
func changeSeries(ctx context.Context, s *subjects.Set, a app.Actor, ref string, scope booking.SeriesScope,
	do func(series, from string) (booking.Series, error)) (any, error) {
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	var b booking.Booking
	if ofVisit(ref) {
		v, err := s.Visit(ctx, a, ref)
		if err != nil {
			return nil, err
		}
		b = v.Items[0]
	} else if b, err = s.Booking(ctx, a, ref); err != nil {
		return nil, err
	}
	if b.Series == nil {
		return nil, fault.Invalid("scope", "is for bookings of a series, and this one is of none: leave it out")
	}
	made, err := do(b.Series.ID.String(), b.ID.String())
	if err != nil {
		return nil, shortDates(setup, err)
	}
	told := &localSeries{ID: made.ID, TimeZone: setup.Zone.String()}
	ids := map[string]bool{}
	for i := range made.Bookings {
		one := &made.Bookings[i]
		if ids[idOf(one)] || scope == booking.SeriesFollowing && one.Series.Position < b.Series.Position {
			continue
		}
		ids[idOf(one)] = true
		told.Dates = append(told.Dates, dateRow{ID: idOf(one), Start: one.Start, Local: localIn(setup, one.Start), Host: one.Host.Name, Status: one.Status})
	}
	return told, nil
}

// scope returns of which bookings of a series a call is.
func (in *args) scope() booking.SeriesScope {
	scope := booking.SeriesScope(in.text("scope"))
	if err := booking.CheckScope(&scope); err != nil {
		in.wrong("scope", "must be this, following or all")
	}
	return scope
}
