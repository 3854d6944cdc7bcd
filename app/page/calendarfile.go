package page

import (
	"net/http"
	"strings"

	"daybook/app/booking"

	ical "daybook/app/calendar"
)

// calendarFile serves a booking as an iCalendar file. Opening a newer file of the same booking replaces the event.
func calendarFile(v *visit) error {
	b, err := v.open()
	if err != nil {
		return err
	}
	text := v.calendarText(&b)
	v.headers()
	h := v.w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8; method=PUBLISH")
	h.Set("Content-Disposition", `attachment; filename="`+b.EventType+`.ics"`)
	http.ServeContent(v.w, v.r, "", b.UpdatedAt.Time(), strings.NewReader(text))
	return nil
}

func (v *visit) calendarText(b *booking.Booking) string {
	return ical.FileText(&ical.FeedEvent{
		UID: v.service.CalendarUID(b, 0), Sequence: b.RescheduleCount, Title: v.calendarTitle(b), Location: b.Spot(),
		Conference:  b.Conference(),
		Description: v.calendarNote(b), URL: b.ManageURL, Start: b.Start.Time(), End: b.End.Time(),
		Tentative: b.Status == booking.Pending, Cancelled: b.Status == booking.Cancelled, Changed: b.UpdatedAt.Time(),
	})
}
