package calendar

import (
	"time"

	ics "github.com/arran4/golang-ical"
)

// Feed is a calendar to subscribe to.
type Feed struct {
	Name   string
	Zone   *time.Location // to show it in
	Events []FeedEvent
}

// FeedEvent is one booking in a feed.
type FeedEvent struct {
	UID         string
	Title       string
	Description string
	Location    string
	Start, End  time.Time
	Tentative   bool
	Changed     time.Time
}

// Text is the feed as an iCalendar object; the same bookings make the same bytes.
func (f *Feed) Text() string {
	c := newCalendar()
	c.SetMethod(ics.MethodPublish)
	c.SetXWRCalName(oneLine(f.Name))
	c.SetXWRTimezone(f.Zone.String())
	c.SetRefreshInterval("PT15M")
	c.SetXPublishedTTL("PT15M")
	for i := range f.Events {
		from := &f.Events[i]
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
		status := ics.ObjectStatusConfirmed
		if from.Tentative {
			status = ics.ObjectStatusTentative
		}
		e.SetStatus(status)
		e.SetTimeTransparency(ics.TransparencyOpaque)
	}
	return serialize(c)
}
