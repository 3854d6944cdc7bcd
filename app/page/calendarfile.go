package page

import (
	"net/http"
	"strings"

	ics "github.com/arran4/golang-ical"

	"daybook/app"
)

// calendarFile is a booking as an iCalendar file. A file of the same booking that is opened later replaces the event.
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

func (v *visit) calendarText(b *app.Booking) string {
	c := ics.NewCalendarFor("Daybook")
	c.SetMethod(ics.MethodPublish)
	e := c.AddEvent(b.ID.String() + "@daybook")
	e.SetSequence(b.RescheduleCount)
	e.SetDtStampTime(b.UpdatedAt.Time())
	e.SetCreatedTime(b.CreatedAt.Time())
	e.SetModifiedAt(b.UpdatedAt.Time())
	e.SetStartAt(b.Start.Time())
	e.SetEndAt(b.End.Time())
	e.SetSummary(v.calendarTitle(b))
	if b.Location != "" {
		e.SetLocation(b.Location)
	}
	e.SetURL(b.ManageURL)
	e.SetDescription(v.calendarNote(b))
	switch {
	case b.Status == app.Cancelled:
		e.SetStatus(ics.ObjectStatusCancelled)
	case b.Status == app.Pending:
		e.SetStatus(ics.ObjectStatusTentative)
	default:
		e.SetStatus(ics.ObjectStatusConfirmed)
	}
	return c.Serialize()
}
