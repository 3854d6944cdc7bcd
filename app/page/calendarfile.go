package page

import (
	"net/http"
	"strings"

	"daybook/app/booking"

	ical "daybook/app/calendar"
)

// calendarFile serves a booking as an iCalendar file. Opening a newer file of the same booking replaces the event.
func calendarFile(c *call) error {
	b, err := c.open()
	if err != nil {
		return err
	}
	text := c.calendarText(&b)
	c.headers()
	h := c.w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8; method=PUBLISH")
	h.Set("Content-Disposition", `attachment; filename="`+b.EventType+`.ics"`)
	http.ServeContent(c.w, c.r, "", b.UpdatedAt.Time(), strings.NewReader(text))
	return nil
}

func (c *call) calendarText(b *booking.Booking) string {
	return ical.FileText(&ical.FeedEvent{
		UID: c.service.CalendarUID(b, 0), Sequence: b.RescheduleCount, Title: c.calendarTitle(b), Location: b.Spot(),
		Conference:  b.Conference(),
		Description: c.calendarNote(b), URL: b.ManageURL, Start: b.Start.Time(), End: b.End.Time(),
		Tentative: b.Status == booking.Pending, Cancelled: b.Status == booking.Cancelled, Changed: b.UpdatedAt.Time(),
	})
}
