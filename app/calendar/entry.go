package calendar

import (
	"time"

	ics "github.com/arran4/golang-ical"
)

// Entry is an event as it is stored in somebody's calendar. It has no method, no organizer and no attendee, so that no
// server mails anybody about it.
type Entry struct {
	UID         string
	Title       string
	Description string
	Location    string
	URL         string
	Start, End  time.Time // in the zone that they are written in
	Sequence    int
	Stamp       time.Time // when this change was made
}

// Text returns the entry as an iCalendar object.
func (from *Entry) Text() string {
	c := newCalendar()
	e := addEvent(c, from.UID, from.Start, from.End, from.Start.Location())
	e.SetSequence(from.Sequence)
	e.SetDtStampTime(from.Stamp)
	e.SetLastModifiedAt(from.Stamp)
	e.SetSummary(oneLine(from.Title))
	if from.Description != "" {
		e.SetDescription(lines(from.Description))
	}
	if from.Location != "" {
		e.SetLocation(oneLine(from.Location))
	}
	if from.URL != "" {
		e.SetURL(from.URL)
	}
	e.SetStatus(ics.ObjectStatusConfirmed)
	e.SetTimeTransparency(ics.TransparencyOpaque)
	return serialize(c)
}
