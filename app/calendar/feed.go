package calendar

import (
	"time"

	ics "github.com/arran4/golang-ical"
)

// Feed is a calendar to subscribe to.
type Feed struct {
	Name   string
	Zone   *time.Location // the zone to show it in
	Events []FeedEvent
}

// FeedEvent is one booking in a feed.
type FeedEvent struct {
	UID         string
	Title       string
	Description string
	Location    string
	Start, End  time.Time
	URL         string
	Conference  string // see Invitation
	Sequence    int    // how many changes the booking has had
	Tentative   bool
	Cancelled   bool
	Changed     time.Time
}

// Text returns the feed as an iCalendar object. The same bookings always give the same bytes.
func (f *Feed) Text() string {
	c := newCalendar()
	c.SetMethod(ics.MethodPublish)
	c.SetXWRCalName(oneLine(f.Name))
	c.SetXWRTimezone(f.Zone.String())
	c.SetRefreshInterval("PT15M")
	c.SetXPublishedTTL("PT15M")
	for i := range f.Events {
		f.Events[i].addTo(c)
	}
	return serialize(c)
}

// FileText returns one event as an iCalendar file, for people who save it.
func FileText(e *FeedEvent) string {
	c := newCalendar()
	c.SetMethod(ics.MethodPublish)
	e.addTo(c)
	return serialize(c)
}

func (from *FeedEvent) addTo(c *ics.Calendar) {
	e := c.AddEvent(from.UID)
	e.SetDtStampTime(from.Changed)
	e.SetLastModifiedAt(from.Changed)
	e.SetStartAt(from.Start)
	e.SetEndAt(from.End)
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
	setConference(e, from.Conference)
	e.SetSequence(from.Sequence)
	status := ics.ObjectStatusConfirmed
	switch {
	case from.Cancelled:
		status = ics.ObjectStatusCancelled
	case from.Tentative:
		status = ics.ObjectStatusTentative
	}
	e.SetStatus(status)
	e.SetTimeTransparency(ics.TransparencyOpaque)
}
