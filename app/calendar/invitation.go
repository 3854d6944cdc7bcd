package calendar

import (
	"fmt"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
)

// Invitation is one event as it should appear in one person's calendar. A calendar that applies a booking's invitations
// in any order ends with the one of the highest Sequence.
type Invitation struct {
	UID         string // the same for every change of the booking
	Sequence    int
	Cancel      bool // remove the event from the calendar
	Tentative   bool // not confirmed yet
	Title       string
	Description string
	Location    string
	URL         string
	Conference  string // the address of the video room, or a tel: one; "" is none
	Start, End  time.Time
	Zone        *time.Location // the zone that the times are written in
	Organizer   Person         // who sends the invitations; the same for every change
	Attendees   []Person
	Alarm       time.Duration // before the start; 0 is none
	Stamp       time.Time     // when this change was made
}

// Person is someone who takes part.
type Person struct{ Name, Email string }

// Method returns the iTIP method, which the mail's Content-Type names too.
func (i *Invitation) Method() string {
	if i.Cancel {
		return "CANCEL"
	}
	return "REQUEST"
}

// Text returns the invitation as an iCalendar object with one event.
func (i *Invitation) Text() string {
	c := newCalendar()
	c.SetMethod(ics.Method(i.Method()))
	i.describe(addEvent(c, i.UID, i.Start, i.End, i.Zone))
	return serialize(c)
}

// PublishedText returns several events as one iCalendar object, which an invitation can't be (RFC 5546, 3.2.1 and 3.2.2). Its
// times are in UTC.
func PublishedText(all []*Invitation) string {
	c := newCalendar()
	c.SetMethod(ics.MethodPublish)
	for _, i := range all {
		one := *i
		one.Attendees = nil // what is published has none
		one.describe(addEvent(c, i.UID, i.Start, i.End, nil))
	}
	return serialize(c)
}

// describe sets all of the event but its times.
func (i *Invitation) describe(e *ics.VEvent) {
	e.SetSequence(i.Sequence)
	e.SetDtStampTime(i.Stamp)
	e.SetLastModifiedAt(i.Stamp)
	e.SetSummary(oneLine(i.Title))
	if i.Description != "" {
		e.SetDescription(lines(i.Description))
	}
	if i.Location != "" {
		e.SetLocation(oneLine(i.Location))
	}
	if i.URL != "" {
		e.SetURL(i.URL)
	}
	setConference(e, i.Conference)
	e.SetStatus(i.status())
	e.SetTimeTransparency(ics.TransparencyOpaque)
	e.SetOrganizer("mailto:"+i.Organizer.Email, named(i.Organizer)...)
	for _, p := range i.Attendees {
		e.AddAttendee("mailto:"+p.Email, append(named(p), ics.CalendarUserTypeIndividual, ics.ParticipationRoleReqParticipant,
			ics.ParticipationStatusAccepted, ics.WithRSVP(false))...)
	}
	if i.Alarm > 0 && !i.Cancel {
		a := e.AddAlarm()
		a.SetAction(ics.ActionDisplay)
		a.SetTrigger(fmt.Sprintf("-PT%dM", int(i.Alarm/time.Minute)))
		a.SetProperty(ics.ComponentPropertyDescription, oneLine(i.Title))
	}
}

// setConference says how to join a call (RFC 7986).
func setConference(e *ics.VEvent, address string) {
	if address == "" {
		return
	}
	feature := "VIDEO"
	if strings.HasPrefix(address, "tel:") {
		feature = "PHONE"
	}
	e.AddProperty("CONFERENCE", address, ics.WithValue("URI"), &ics.KeyValues{Key: "FEATURE", Value: []string{feature}})
}

func (i *Invitation) status() ics.ObjectStatus {
	switch {
	case i.Cancel:
		return ics.ObjectStatusCancelled
	case i.Tentative:
		return ics.ObjectStatusTentative
	}
	return ics.ObjectStatusConfirmed
}

// addEvent adds an event with its times: on the wall clock of the zone, which is then defined, or else in UTC.
func addEvent(c *ics.Calendar, uid string, start, end time.Time, zone *time.Location) *ics.VEvent {
	if zone == nil || zone == time.Local || zone.String() == "UTC" || shownTwice(start, zone) || shownTwice(end, zone) {
		e := c.AddEvent(uid)
		e.SetStartAt(start)
		e.SetEndAt(end)
		return e
	}
	addZone(c, zone, start, end)
	e := c.AddEvent(uid)
	e.SetProperty(ics.ComponentPropertyDtStart, start.In(zone).Format(wallClock), ics.WithTZID(zone.String()))
	e.SetProperty(ics.ComponentPropertyDtEnd, end.In(zone).Format(wallClock), ics.WithTZID(zone.String()))
	return e
}

// shownTwice reports whether the zone's clocks show the time of t twice, because they are put back: on a wall clock,
// iCalendar can't say which of the two is meant.
func shownTwice(t time.Time, zone *time.Location) bool {
	wall := t.In(zone).Format(wallClock)
	for _, d := range []time.Duration{30 * time.Minute, time.Hour} {
		if t.Add(d).In(zone).Format(wallClock) == wall || t.Add(-d).In(zone).Format(wallClock) == wall {
			return true
		}
	}
	return false
}

const wallClock = "20060102T150405"

func newCalendar() *ics.Calendar {
	c := ics.NewCalendarFor("Daybook")
	c.SetProductId("-//Daybook//Daybook//EN")
	c.SetCalscale("GREGORIAN")
	return c
}

func serialize(c *ics.Calendar) string { return c.Serialize(ics.WithNewLineWindows) }

// named returns a person's name as a parameter. The library does not quote, so characters that need quotes are left
// out.
func named(p Person) []ics.PropertyParameter {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`,;:"\^`, r) || r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, p.Name)
	if name = strings.Join(strings.Fields(name), " "); name == "" {
		return nil
	}
	return []ics.PropertyParameter{ics.WithCN(name)}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// lines keeps the line breaks of a text and removes all other control characters.
func lines(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))
}
