package page

import (
	"net/http"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/when"
	"daybook/views"
)

// comingForm asks the invitee of a booking whether they come. Once that can't be said any more, the booking's page is shown.
func comingForm(c *call) error {
	b, err := c.open()
	if err != nil {
		return err
	}
	look := c.query.OfBooking()
	if app.MayAnswerComing(&b, when.At(c.service.Now())) != nil {
		return c.redirect(views.BookingPath(token(&b), look))
	}
	var can views.BookingPage
	if err := c.offerChanges(&can, &b, token(&b)); err != nil {
		return err
	}
	p := views.ComingPage{Page: c.page(), Event: c.bookedView(&b), Start: c.local(b.Start), End: c.local(b.End), Zone: c.zone.String(),
		Answer: string(b.SaysComing()), Action: views.ComingPath(token(&b), look), BackURL: views.BookingPath(token(&b), look)}
	return c.askComing(p, &can)
}

// askComing shows the page with what can still be changed.
func (c *call) askComing(p views.ComingPage, can *views.BookingPage) error {
	p.Title = c.locale.T("coming_title")
	p.MoveURL, p.CancelURL = can.MoveURL, can.CancelURL
	if p.MoveURL == "" && p.CancelURL == "" && can.NoticeHours > 0 {
		p.Late = c.locale.T("too_late", "Count", can.NoticeHours)
	}
	return c.show(http.StatusOK, views.ComingView(p))
}

// answerComing notes what the button says.
func answerComing(c *call) error {
	b, err := c.open()
	if err != nil {
		return err
	}
	yes, err := c.comingAnswer()
	if err != nil {
		return err
	}
	look := c.query.OfBooking()
	_, err = c.service.AnswerComing(c.r.Context(), c.actor, b.ID.String(), yes, booking.ComingByPage)
	if fault.Is(err, fault.Conflict) {
		return c.redirect(views.BookingPath(token(&b), look))
	}
	if err != nil {
		return err
	}
	return c.redirect(views.ComingPath(token(&b), look))
}

// comingVisitForm asks the invitee of a visit whether they come to all of it that hasn't begun.
func comingVisitForm(c *call) error {
	v, err := c.enterVisit()
	if err != nil {
		return err
	}
	look := c.query.Look()
	to := slices.DeleteFunc(slices.Clone(v.Items), func(b booking.Booking) bool {
		return app.MayAnswerComing(&b, when.At(c.service.Now())) != nil
	})
	if len(to) == 0 {
		return c.redirect(views.VisitPath(visitToken(&v), look))
	}
	answer := to[0].SaysComing()
	for i := range to {
		if to[i].SaysComing() != answer {
			answer = ""
		}
	}
	var can views.BookingPage
	c.offerVisitChanges(&can, &v, v.Live())
	p := views.ComingPage{Page: c.page(), Event: c.visitView(&v), Start: c.local(v.Start), End: c.local(v.End), Zone: c.zone.String(),
		Items: c.visitItems(&v, to), Answer: string(answer), Action: views.ComingVisitPath(visitToken(&v), look),
		BackURL: views.VisitPath(visitToken(&v), look)}
	return c.askComing(p, &can)
}

// answerVisitComing notes what the button says of all of the visit that hasn't begun.
func answerVisitComing(c *call) error {
	v, err := c.enterVisit()
	if err != nil {
		return err
	}
	yes, err := c.comingAnswer()
	if err != nil {
		return err
	}
	look := c.query.Look()
	_, err = c.service.AnswerVisitComing(c.r.Context(), c.actor, v.ID.String(), yes, booking.ComingByPage)
	if fault.Is(err, fault.Conflict) {
		return c.redirect(views.VisitPath(visitToken(&v), look))
	}
	if err != nil {
		return err
	}
	return c.redirect(views.ComingVisitPath(visitToken(&v), look))
}

// comingAnswer reads which of the two buttons was pressed. One network address may answer as often in an hour as it may book.
func (c *call) comingAnswer() (yes bool, err error) {
	if err := c.r.ParseForm(); err != nil {
		return false, formError(err)
	}
	answer := booking.ComingAnswer(c.r.PostForm.Get("answer"))
	if !slices.Contains(booking.ComingAnswers, answer) {
		return false, fault.Invalid("answer", "must be yes or no")
	}
	who := c.client()
	return answer == booking.ComingYes, c.service.Gate.Count(c.r.Context(), gate.Client{Address: who.Address, Most: who.Most, What: "coming "})
}
