package views

import (
	"net/url"
	"time"
)

// CalendarEvent is what a calendar needs to know of a booking.
type CalendarEvent struct {
	Title, Text, Location string
	Start, End            time.Time
}

// GoogleURL opens Google Calendar with the event filled in.
func (e CalendarEvent) GoogleURL() string {
	const form = "20060102T150405Z"
	v := url.Values{"action": {"TEMPLATE"}, "text": {e.Title}, "details": {e.Text}, "location": {e.Location},
		"dates": {e.Start.UTC().Format(form) + "/" + e.End.UTC().Format(form)}}
	return "https://calendar.google.com/calendar/render?" + v.Encode()
}

// OutlookURL opens Outlook on the web with the event filled in.
func (e CalendarEvent) OutlookURL() string {
	v := url.Values{"path": {"/calendar/action/compose"}, "rru": {"addevent"}, "subject": {e.Title}, "body": {e.Text},
		"location": {e.Location}, "startdt": {ISO(e.Start)}, "enddt": {ISO(e.End)}}
	return "https://outlook.live.com/calendar/0/deeplink/compose?" + v.Encode()
}
