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
func showBooking(v *visit) error {
	b, err := v.open()
	if err != nil {
		return err
	}
	if done, err := v.goesOn(&b); done || err != nil {
		return err
	}
	return v.showBooking(http.StatusOK, &b)
}

func (v *visit) showBooking(status int, b *booking.Booking) error {
	link := token(b)
	p := views.BookingPage{
		Page: v.page(), ID: b.ID.String(), Status: string(b.Status), Live: b.Status.Live(), Event: v.bookedView(b),
		Start: v.local(b.Start), End: v.local(b.End),
		Zone: v.zone.String(), Email: b.Invitee.Email, Answers: v.answers(b), Past: b.End < when.At(v.service.Now()),
		CalendarURL: views.CalendarPath(link), Calendar: v.calendarEvent(b),
	}
	p.Title = p.Event.Title
	if p.Query.Fresh {
		p.ContinueURL = v.onward(b)
	}
	if b.RescheduleCount > 0 {
		p.Previous = v.local(b.PreviousStart)
		p.Moved, p.Query.Fresh = p.Query.Fresh, false // the booking was just moved, not made
	}
	if b.PendingReason != nil {
		p.Pending = string(*b.PendingReason)
		p.ExpiresAt = v.local(b.ExpiresAt)
	}
	if b.Payment != nil && b.Payment.URL != "" {
		p.PayURL = views.PayPath(link)
	}
	if c := b.Cancellation; c != nil {
		p.Cancelled = views.Cancelled{ByBusiness: c.By != booking.ByInvitee && c.By != booking.BySystem,
			Lapsed: c.By == booking.BySystem}
		if !p.Cancelled.Lapsed {
			p.Cancelled.Reason = c.Reason
		}
		p.Cancelled.Refund = refunded(b)
	}
	addLateFee(&p, b, link)
	if err := v.tellOfMail(&p, b); err != nil {
		return err
	}
	if err := v.offerChanges(&p, b, link); err != nil {
		return err
	}
	return v.show(status, views.BookingView(p))
}

// tellOfMail says whether a mail is on its way, and shows the link that the invitee can keep without one.
func (v *visit) tellOfMail(p *views.BookingPage, b *booking.Booking) error {
	p.URL = b.ManageURL
	outlook, err := v.service.Mail.MailOutlook(v.r.Context(), b)
	if err != nil {
		return err
	}
	p.Mail = string(outlook)
	p.TellsLater, err = v.service.Mail.TellsOfApproval(v.r.Context(), b)
	return err
}

// offerChanges adds what the invitee can still do.
func (v *visit) offerChanges(p *views.BookingPage, b *booking.Booking, link string) error {
	e := v.setup.EventTypeByID(b.EventTypeID)
	bookable := e != nil && e.Active
	look := v.query.Look()
	if v.changeable(b) {
		p.CancelURL = views.CancelPath(link, look)
		if bookable {
			p.MoveURL = views.MovePath(link, look)
		}
	} else if e != nil {
		p.NoticeHours = (e.CancellationNoticeMinutes + 59) / 60
		fee, err := v.lateFee(b)
		if err != nil {
			return err
		}
		if fee != nil {
			p.CancelURL, p.LateFee = views.CancelPath(link, look), shownMoney(fee)
		}
	}
	if bookable && !e.Hidden {
		if look.TimeZone == "" && b.Invitee.TimeZone != "" {
			look.TimeZone = v.zone.String()
		}
		p.AgainURL = views.EventPath(v.slug(), e.Slug, look)
	}
	return nil
}

// changeable reports whether the invitee may still move or cancel.
func (v *visit) changeable(b *booking.Booking) bool {
	return b.Status.Live() && when.At(v.service.Now()) <= b.ChangeableUntil(v.setup)
}

// answers are the invitee's answers, in the order of the questions.
func (v *visit) answers(b *booking.Booking) []views.Answer {
	all := []views.Answer{{Label: v.locale.T("field_name"), Value: b.Invitee.Name}}
	if e := v.setup.EventTypeByID(b.EventTypeID); e != nil {
		for _, q := range e.Questions {
			if text := answerText(b.Answers[q.Key]); text != "" {
				all = append(all, views.Answer{Label: q.Label, Value: text})
			}
		}
	}
	if len(b.Participants) > 0 {
		all = append(all, views.Answer{Label: v.locale.T("choice_person"), Value: strings.Join(b.Participants, ", ")})
	}
	if b.Notes != "" {
		all = append(all, views.Answer{Label: v.locale.T("field_notes"), Value: b.Notes})
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

func refunded(b *booking.Booking) *views.Money {
	if b.Payment == nil || b.Payment.RefundedAmount == 0 {
		return nil
	}
	return &views.Money{Amount: b.Payment.RefundedAmount, Currency: b.Payment.Currency}
}

func (v *visit) calendarEvent(b *booking.Booking) views.CalendarEvent {
	return views.CalendarEvent{
		Title: v.calendarTitle(b), Text: v.calendarNote(b), Location: b.Spot(), Start: b.Start.Time(),
		End: b.End.Time().Truncate(time.Second),
	}
}

// calendarNote is the text of the calendar event: the link to the booking, and the telephone number of the business.
func (v *visit) calendarNote(b *booking.Booking) string {
	text := v.locale.T("need_to_change") + " " + b.ManageURL
	if phone := v.setup.Workspace.Settings.Phone; phone != "" {
		text += "\n" + v.locale.Labelled(v.setup.Workspace.Name, phone)
	}
	return text
}

func (v *visit) calendarTitle(b *booking.Booking) string {
	title := b.EventType
	if e := v.setup.EventTypeByID(b.EventTypeID); e != nil {
		title = e.Title
	}
	return title + " · " + v.setup.Workspace.Name
}
