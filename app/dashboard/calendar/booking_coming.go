package calendar

import (
	"daybook/app"
	"daybook/app/booking"
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

// offerAskComing offers to ask the invitee by mail, until they have answered.
func offerAskComing(o *offering) error {
	if !o.asksComing() || o.b.SaysComing() != "" || o.b.Invitee.Email == "" || o.b.Invitee.Erased() {
		return nil
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

// shownNotComing is the most lines of who isn't coming on Today.
const shownNotComing = 10

// notComing are those of today and tomorrow who said that they don't come, a line each; one for all of a visit.
func (c call) notComing() (all []dash.Trouble, err error) {
	today := web.Midnight(c.Now())
	found, _, err := c.Subjects.Calendar(c.Context(), c.Actor, "", c.Subjects.Now(), when.AddDays(today, 2), true)
	if err != nil {
		return nil, err
	}
	told := map[booking.VisitID]bool{}
	for i := range found {
		b := &found[i]
		if _, known := c.ComingBadge(b); !known || b.SaysComing() != booking.ComingNo || len(all) == shownNotComing {
			continue
		}
		if b.Visit != nil {
			if told[b.Visit.ID] {
				continue
			}
			told[b.Visit.ID] = true
		}
		all = append(all, dash.Trouble{Text: c.T("coming_today", "Name", c.Invitee(b)), When: c.Day(c.At(b.Start)) + ", " + c.Clock(b.Start),
			URL: dash.BookingPath(b.ID.String()), Label: c.T("today_show")})
	}
	return all, nil
}
