package calendar

import (
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views/dash"
)

// asksComing reports whether the page of a booking asks, or lets note, whether its invitee comes: it is still to come, and
// its service asks or something is known of it.
func (o *offering) asksComing() bool {
	e := o.Setup.EventTypeByID(o.b.EventTypeID)
	return app.MayAnswerComing(o.b, when.At(o.Subjects.Now())) == nil && o.b.ArrivedAt == 0 &&
		(o.b.Coming != nil || e != nil && e.AsksComing)
}

func offerComing(o *offering) error {
	if o.asksComing() && o.b.SaysComing() != booking.ComingYes {
		o.tap(o.T("coming_mark_yes"), "")
	}
	return nil
}

func offerNotComing(o *offering) error {
	if o.asksComing() && o.b.SaysComing() != booking.ComingNo {
		o.tap(o.T("coming_mark_no"), "")
	}
	return nil
}

// offerAskComing offers to ask the invitee by mail or text, until they have answered.
func offerAskComing(o *offering) error {
	if !o.asksComing() || o.b.SaysComing() != "" || o.b.Invitee.Erased() {
		return nil
	}
	if o.b.Invitee.Email == "" {
		if texts, err := o.Subjects.Text.Tells(o.Context(), o.b, catalog.TextReminder); err != nil || !texts {
			return err
		}
	}
	label := "coming_ask"
	if o.b.Coming != nil {
		label = "coming_ask_again"
	}
	o.tap(o.T(label), "")
	return nil
}

// answered returns an operation that notes what the invitee told the business: of a visit, for all of it.
func answered(yes bool) func(call, string) error {
	return func(c call, id string) error {
		b, err := c.Subjects.Booking(c.Context(), c.Actor, id)
		if err != nil {
			return err
		}
		if b.InVisit() {
			_, err = c.Subjects.AnswerVisitComing(c.Context(), c.Actor, b.Visit.ID.String(), yes, booking.ComingSpoken)
			return err
		}
		_, err = c.Subjects.AnswerComing(c.Context(), c.Actor, id, yes, booking.ComingSpoken)
		return err
	}
}

// askComing sends the invitee the reminder that asks.
func (c call) askComing(id string) error {
	_, err := c.Subjects.Mail.AskComing(c.Context(), c.Actor, id)
	return err
}

// comingText says what is known of whether the invitee comes, and since when; "" for nothing.
func (c call) comingText(b *booking.Booking) string {
	if b.Coming == nil {
		return ""
	}
	at := func(i when.Instant) string { return c.Day(c.At(i)) + ", " + c.Clock(i) }
	switch b.SaysComing() {
	case booking.ComingYes:
		return c.T("coming_fact_yes", "When", at(b.Coming.AnsweredAt))
	case booking.ComingNo:
		return c.T("coming_fact_no", "When", at(b.Coming.AnsweredAt))
	}
	return c.T("coming_fact_asked", "When", at(b.Coming.AskedAt))
}

// shownNotComing is how many Today names of who isn't coming.
const shownNotComing = 5

// notComing is the line of those of today and tomorrow who said that they don't come, each once for a visit; none without any.
func (c call) notComing() (line []dash.Trouble, err error) {
	today := web.Midnight(c.Now())
	found, _, err := c.Subjects.Calendar(c.Context(), c.Actor, "", c.Subjects.Now(), when.AddDays(today, 2), true)
	if err != nil {
		return nil, err
	}
	told, url := map[booking.VisitID]bool{}, ""
	var names []string
	for i := range found {
		b := &found[i]
		if _, known := c.ComingBadge(b); !known || b.SaysComing() != booking.ComingNo {
			continue
		}
		if b.Visit != nil {
			if told[b.Visit.ID] {
				continue
			}
			told[b.Visit.ID] = true
		}
		at := c.Clock(b.Start)
		if !b.Start.Time().Before(when.AddDays(today, 1)) {
			at = c.Day(c.At(b.Start)) + ", " + at
		}
		if names = append(names, c.Invitee(b)+" ("+at+")"); url == "" {
			url = dash.BookingPath(b.ID.String())
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	text := strings.Join(names[:min(len(names), shownNotComing)], ", ")
	if more := len(names) - shownNotComing; more > 0 {
		text += " +" + strconv.Itoa(more)
	}
	return []dash.Trouble{{Text: c.T("coming_today", "Names", text), URL: url, Label: c.T("today_show"), Asked: true}}, nil
}
