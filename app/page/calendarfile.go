package page

import (
	"net/http"
	"strings"

	"daybook/app/booking"
	"daybook/app/mail"
	"daybook/app/when"

	ical "daybook/app/calendar"
)

// calendarFile serves a booking as an iCalendar file. Opening a newer file of the same booking replaces the event. That of
// a booking in a visit says nothing of the others.
func calendarFile(c *call) error {
	b, err := c.open()
	if err != nil {
		return err
	}
	c.serveCalendar(c.calendarText(&b), b.EventType, b.UpdatedAt)
	return nil
}

// visitFile serves a visit as an iCalendar file with its one event, which is that of the mails about it.
func visitFile(c *call) error {
	v, err := c.enterVisit()
	if err != nil {
		return err
	}
	first := v.Items[0]
	first.ManageURL = v.ManageURL
	entry, err := c.service.Mail.VisitEntry(c.r.Context(), &first)
	if err != nil {
		return err
	}
	if entry == nil { // the booking is all of the visit
		c.serveCalendar(c.calendarText(&first), first.EventType, first.UpdatedAt)
		return nil
	}
	c.serveCalendar(c.visitText(&first, entry), first.EventType, entry.Changed)
	return nil
}

// serveCalendar serves a calendar that was last changed then.
func (c *call) serveCalendar(text, name string, changed when.Instant) {
	c.headers()
	h := c.w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8; method=PUBLISH")
	h.Set("Content-Disposition", `attachment; filename="`+name+`.ics"`)
	http.ServeContent(c.w, c.r, "", changed.Time(), strings.NewReader(text))
}

// visitText returns the event of the visit that the booking is one of several of, with the booking's link.
func (c *call) visitText(b *booking.Booking, v *mail.VisitEntry) string {
	var titles, lines []string
	for i := range v.Items {
		item := &v.Items[i]
		title := strings.TrimSuffix(c.calendarTitle(item), " · "+c.setup.Workspace.Name)
		titles = append(titles, title)
		lines = append(lines, c.locale.Span(c.local(item.Start), c.local(item.End), "")+" "+title)
	}
	first := &v.Items[0]
	return ical.FileText(&ical.FeedEvent{
		UID: b.VisitUID(c.service.UIDDomain()), Sequence: v.Sequence,
		Title: strings.Join(titles, ", ") + " · " + c.setup.Workspace.Name, Location: first.Spot(), Conference: first.Conference(),
		Description: strings.Join(lines, "\n") + "\n" + c.calendarNote(b), URL: b.ManageURL, Start: v.Start.Time(), End: v.End.Time(),
		Tentative: v.Pending, Cancelled: v.Over, Changed: v.Changed.Time(),
	})
}

func (c *call) calendarText(b *booking.Booking) string {
	return ical.FileText(&ical.FeedEvent{
		UID: c.service.CalendarUID(b, 0), Sequence: b.RescheduleCount, Title: c.calendarTitle(b), Location: b.Spot(),
		Conference:  b.Conference(),
		Description: c.calendarNote(b), URL: b.ManageURL, Start: b.Start.Time(), End: b.End.Time(),
		Tentative: b.Status == booking.Pending, Cancelled: b.Status == booking.Cancelled, Changed: b.UpdatedAt.Time(),
	})
}
