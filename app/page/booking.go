package page

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/when"
	"daybook/views"
)

// showBooking shows a showBooking to the person who has its link.
func showBooking(c *call) error {
	b, err := c.open()
	if err != nil {
		return err
	}
	if done, err := c.goesOn(&b); done || err != nil {
		return err
	}
	return c.showBooking(http.StatusOK, &b)
}

func (c *call) showBooking(status int, b *booking.Booking) error { return c.showNoted(status, b, "") }

// showNoted is showBooking with a note on what was just done.
func (c *call) showNoted(status int, b *booking.Booking, note string) error {
	link := token(b)
	p := views.BookingPage{
		Page: c.page(), ID: b.ID.String(), Status: string(b.Status), Live: b.Status.Live(), Event: c.bookedView(b),
		Start: c.local(b.Start), End: c.local(b.End),
		Zone: c.zone.String(), Email: b.Invitee.Email, Answers: c.answers(b), Past: b.End < when.At(c.service.Now()),
		CalendarURL: views.CalendarPath(link), Calendar: c.calendarEvent(b),
	}
	p.Title, p.OwnURL, p.Note = p.Event.Title, c.ownURL(), note
	if note == "" {
		var err error
		if p.Note, err = c.textsStopped(b); err != nil {
			return err
		}
	}
	if !b.InVisit() { // else its visit's page lists them
		var err error
		if p.Series, err = c.seriesList(b); err != nil {
			return err
		}
	}
	if b.Visit != nil {
		p.VisitID = b.Visit.ID.String()
	}
	if c.query.Visit != "" {
		p.VisitURL = views.VisitPath(c.query.Visit, c.query.Look())
	}
	if p.Query.Fresh {
		p.ContinueURL = c.onward(b)
	}
	if b.RescheduleCount > 0 {
		p.Previous = c.local(b.PreviousStart)
		p.Moved, p.Query.Fresh = p.Query.Fresh, false // the booking was just moved, not made
	}
	if b.PendingReason != nil {
		p.Pending = string(*b.PendingReason)
		p.ExpiresAt = c.local(b.ExpiresAt)
	}
	if b.Payment != nil && b.Payment.URL != "" {
		p.PayURL = views.PayPath(link)
	}
	if p.Pending == string(booking.ForPayment) && (b.InVisit() || b.Series != nil) { // all of them are paid at once
		p.PayURL, p.PaysVisit = views.PayPath(link), true
		var err error
		if p.PaySum, err = c.dueOf(b); err != nil {
			return err
		}
	}
	if b.PayLink != nil && !b.InVisit() { // else its visit's page has it
		p.PayURL, p.PayAhead = views.PayPath(link), &views.Money{Amount: b.PayLink.Amount, Currency: b.PayLink.Currency}
	}
	if b.Cancellation != nil {
		ended, dates := []booking.Booking{*b}, 1
		if !b.InVisit() {
			var err error
			if ended, dates, err = c.cancelledWith(b); err != nil {
				return err
			}
		}
		if err := c.tellOfEnd(&p, b, ended, dates); err != nil {
			return err
		}
	}
	addLateFee(&p, b, link)
	if err := c.tellOfMail(&p, b); err != nil {
		return err
	}
	if err := c.offerChanges(&p, b, link); err != nil {
		return err
	}
	return c.show(status, views.BookingView(p))
}

// tellOfMail says whether a mail is on its way, and shows the link that the invitee can keep without one.
func (c *call) tellOfMail(p *views.BookingPage, b *booking.Booking) error {
	p.URL = b.ManageURL
	outlook, err := c.service.Mail.MailOutlook(c.r.Context(), b)
	if err != nil {
		return err
	}
	p.Mail = string(outlook)
	p.TellsLater, err = c.service.Mail.TellsOfApproval(c.r.Context(), b)
	return err
}

// offerChanges adds what the invitee can still do.
func (c *call) offerChanges(p *views.BookingPage, b *booking.Booking, link string) error {
	e := c.setup.EventTypeByID(b.EventTypeID)
	bookable := e != nil && e.Active
	look := c.query.OfBooking()
	if c.changeable(b) {
		p.FreeUntil = c.freeUntil(b)
		p.CancelURL = views.CancelPath(link, look)
		if bookable {
			p.MoveURL = views.MovePath(link, look)
		}
	} else if e != nil {
		p.NoticeHours = (e.CancellationNoticeMinutes + 59) / 60
		fee, err := c.lateFee(b)
		if err != nil {
			return err
		}
		if fee != nil {
			p.CancelURL, p.LateFee = views.CancelPath(link, look), shownMoney(fee)
		}
	}
	if bookable && !e.Hidden {
		look = c.query.Look()
		if look.TimeZone == "" && b.Invitee.TimeZone != "" {
			look.TimeZone = c.zone.String()
		}
		p.AgainURL = views.EventPath(c.slug(), e.Slug, look)
	}
	return nil
}

// changeable reports whether the invitee may still move or cancel.
func (c *call) changeable(b *booking.Booking) bool {
	return b.Status.Live() && when.At(c.service.Now()) <= b.ChangeableUntil(c.setup)
}

// answers returns the invitee's answers, in the order of the questions.
func (c *call) answers(b *booking.Booking) []views.Answer {
	all := []views.Answer{{Label: c.locale.T("field_name"), Value: b.Invitee.Name}}
	if e := c.setup.EventTypeByID(b.EventTypeID); e != nil {
		for _, q := range e.Questions {
			if text := answerText(b.Answers[q.Key]); text != "" {
				all = append(all, views.Answer{Label: q.Label, Value: text})
			}
		}
	}
	if len(b.Participants) > 0 {
		all = append(all, views.Answer{Label: c.locale.T("choice_person"), Value: strings.Join(b.Participants, ", ")})
	}
	if b.Notes != "" {
		all = append(all, views.Answer{Label: c.locale.T("field_notes"), Value: b.Notes})
	}
	return all
}

func answerText(answer any) string {
	switch a := answer.(type) {
	case nil:
		return ""
	case bool:
		if a {
			return "✓"
		}
		return ""
	case float64:
		return strconv.FormatFloat(a, 'f', -1, 64)
	}
	return fmt.Sprint(answer)
}

// tellOfEnd says who cancelled b, how many dates were cancelled at once, and what becomes of what was paid online for those
// bookings.
func (c *call) tellOfEnd(p *views.BookingPage, b *booking.Booking, ended []booking.Booking, dates int) error {
	x := b.Cancellation
	p.Cancelled = views.Cancelled{ByBusiness: x.By != booking.ByInvitee && x.By != booking.BySystem,
		Lapsed: x.By == booking.BySystem, Dates: dates}
	if !p.Cancelled.Lapsed {
		p.Cancelled.Reason = x.Reason
	}
	for i := range ended {
		if ended[i].Status != booking.Cancelled {
			continue
		}
		back, kept, err := c.service.Payment.GoesBack(c.r.Context(), &ended[i])
		if err != nil {
			return err
		}
		p.Cancelled.Refund = addMoney(p.Cancelled.Refund, shownMoney(back))
		p.Cancelled.Kept = addMoney(p.Cancelled.Kept, shownMoney(kept))
	}
	return nil
}

// paidOnline returns what was paid online for bookings that take place and has not gone back; nil is nothing.
func paidOnline(of []booking.Booking) (sum *views.Money) {
	for i := range of {
		b := &of[i]
		if amount, back := b.PaidOnline(); b.Status != booking.Cancelled && amount > back {
			sum = addMoney(sum, &views.Money{Amount: amount - back, Currency: b.Payment.Currency})
		}
	}
	return sum
}

// freeUntil returns until when the invitee may change the first of the bookings for nothing; "" where a fee is due later,
// of which the page tells elsewhere.
func (c *call) freeUntil(all ...*booking.Booking) string {
	until := when.Instant(0)
	for _, b := range all {
		if b.LateFee != nil {
			return ""
		}
		if at := b.ChangeableUntil(c.setup); until == 0 || at < until {
			until = at
		}
	}
	t := c.local(until)
	return c.locale.ShortDay(t) + ", " + c.locale.Time(t, c.query.Clock)
}

func (c *call) calendarEvent(b *booking.Booking) views.CalendarEvent {
	return views.CalendarEvent{
		Title: c.calendarTitle(b), Text: c.calendarNote(b), Location: b.Spot(), Start: b.Start.Time(),
		End: b.End.Time().Truncate(time.Second),
	}
}

// calendarNote returns the text of the calendar event: the link to the booking, and the telephone number of the
// business.
func (c *call) calendarNote(b *booking.Booking) string {
	text := c.locale.T("need_to_change") + " " + b.ManageURL
	if phone := c.setup.Workspace.Settings.Phone; phone != "" {
		text += "\n" + c.locale.Labelled(c.setup.Workspace.Name, phone)
	}
	return text
}

func (c *call) calendarTitle(b *booking.Booking) string {
	title := b.EventType
	if e := c.setup.EventTypeByID(b.EventTypeID); e != nil {
		title = e.Title
	}
	return title + " · " + c.setup.Workspace.Name
}
