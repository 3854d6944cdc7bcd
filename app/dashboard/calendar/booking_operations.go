package calendar

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/payment"
	"daybook/app/slot"
	"daybook/views"
	"daybook/views/dash"
)

// operation is something that a form with one button does about a booking: on its page, in the calendar's panel, on
// Today. Its route, its address and its button follow from its row of operations, and so does what the next page says.
type operation struct {
	name  dash.Operation
	needs app.Command // the right without which it is neither offered nor done
	do    func(c call, id string) error
	all   func(c call, visit string) error // does it for all of a visit at once; nil where that isn't offered
	offer func(o *offering) error          // adds the button or the form while it can be done
	said  string                           // what the next page says, the end of a message: dash_said_…; "" for nothing
	toast string                           // what Today says of the booking instead, see toast; "" for the same
}

// operations are offered in this order.
var operations = []operation{
	{name: dash.DoConfirm, needs: app.MayDecide, do: call.confirm, offer: offerConfirm, said: "confirmed"},
	{name: dash.DoDecline, needs: app.MayDecide, do: call.decline, offer: offerDecline, said: "declined"},
	{name: dash.DoArrived, needs: app.MayMarkAttendance, do: plainly((*app.Service).MarkArrived), offer: offerArrived,
		all:   markAll(app.ArrivedMark),
		toast: string(app.ArrivedMark)},
	{name: dash.DoDone, needs: app.MayMarkAttendance, do: plainly((*app.Service).MarkDone), offer: offerDone,
		all:   markAll(app.DoneMark),
		toast: string(app.DoneMark)},
	{name: dash.DoNoShow, needs: app.MayMarkAttendance, do: plainly((*app.Service).MarkNoShow), offer: offerNoShow,
		all: markAll(app.NoShowMark), said: "noshow", toast: string(app.NoShowMark)},
	{name: dash.DoUndo, needs: app.MayMarkAttendance, do: call.undoMark, all: call.undoMarks, offer: offerUndo, said: "undone", toast: "undone"},
	{name: dash.DoComing, needs: app.MayAnswer, do: answered(true), offer: offerComing, said: "coming"},
	{name: dash.DoNotComing, needs: app.MayAnswer, do: answered(false), offer: offerNotComing, said: "not_coming"},
	{name: dash.DoAskComing, needs: app.MayAskComing, do: call.askComing, offer: offerAskComing, said: "asked"},
	{name: dash.DoEdit, needs: app.MayEdit, do: call.edited, offer: offerEdit, said: "saved"},
	{name: dash.DoResend, needs: app.MayEdit, do: call.resend, offer: offerResend, said: "sent"},
	{name: dash.DoCancel, needs: app.MayCancel, do: call.cancel, offer: offerCancel, said: "cancelled"},
}

// plainly returns an operation that a method of the core does, without anything from the form.
func plainly(do func(*app.Service, context.Context, app.Actor, string) (booking.Booking, error)) func(call, string) error {
	return func(c call, id string) error {
		_, err := do(c.Subjects.Service, c.Context(), c.Actor, id)
		return err
	}
}

// operationRoutes are the routes of operations.
func operationRoutes() (all []web.Route) {
	for _, o := range operations {
		all = append(all, web.On("POST "+dash.BookingDoPath("{id}", o.name), o.needs, o.handle))
	}
	return all
}

// handle does the operation, and goes back to where its button was.
func (o operation) handle(c call) error {
	id, whole := c.PathValue("id"), ""
	var b booking.Booking
	var err error
	if o.all != nil && c.PostFormValue("visit") != "" {
		b, err = c.Subjects.Booking(c.Context(), c.Actor, id)
	}
	switch {
	case err != nil:
	case b.Visit != nil:
		whole, err = wholeVisit, o.all(c, b.Visit.ID.String())
	default:
		err = o.do(c, id)
	}
	if err == nil && o.toast != "" && c.PostFormValue("back") == "today" {
		return c.Redirect(web.WithQuery(dash.TodayPath, url.Values{"host": {c.PostFormValue("host")}}),
			o.toast+"."+id+whole)
	}
	return c.did(err, o.said)
}

// wholeVisit ends what Today says of a booking, where it is said of all of its visit.
const wholeVisit = ".visit"

// markAll returns an operation that marks all of a visit.
func markAll(mark app.Mark) func(call, string) error {
	return func(c call, visit string) error {
		_, err := c.Subjects.MarkVisit(c.Context(), c.Actor, visit, mark)
		return err
	}
}

// undoMarks takes back from all of a visit what the form names.
func (c call) undoMarks(visit string) error {
	_, err := c.Subjects.UndoVisitMark(c.Context(), c.Actor, visit, app.Mark(c.FormValue("of")))
	return err
}

// offering is a booking to which operations are added.
type offering struct {
	call
	b       *booking.Booking
	outlook payment.FeeOutlook
	marks   dash.Marks
	url     string // of the operation
	v       *dash.BookingDetail
}

// offers adds to a booking what can be done about it now.
func (c call) offers(b *booking.Booking, outlook payment.FeeOutlook, v *dash.BookingDetail) error {
	o := &offering{call: c, b: b, outlook: outlook, marks: c.marks(b), v: v}
	for _, one := range operations {
		if !c.May(one.needs) {
			continue
		}
		o.url = dash.BookingDoPath(v.ID, one.name)
		if err := one.offer(o); err != nil {
			return err
		}
	}
	return nil
}

// tap adds a button that does the operation at once.
func (o *offering) tap(label, class string) {
	o.v.Taps = append(o.v.Taps, dash.Tap{URL: o.url, Label: label, Class: class})
}

// ask adds a form that asks first.
func (o *offering) ask(form dash.Danger) {
	form.Action = o.url
	o.v.Actions = append(o.v.Actions, form)
}

// reason is an input for why it is done, of which the invitee is told.
func (o *offering) reason() dash.Input {
	return dash.Input{Name: "reason", Label: o.T("dash_reason"), Kind: "area", Rows: 2, Hint: o.T("dash_told_reason")}
}

func offerConfirm(o *offering) error {
	if o.b.Status != booking.Pending || o.b.PendingReason == nil || *o.b.PendingReason == booking.ForPayment {
		return nil
	}
	missing, err := o.missing()
	if err != nil {
		return err
	}
	if missing == "" {
		o.tap(o.T("dash_approve"), "button-main")
		return nil
	}
	o.ask(dash.Danger{Title: o.T("dash_approve"), Text: o.T("agree_lacks", "What", missing), Submit: o.T("agree_confirm_anyway"),
		Hidden: web.Overrides(slot.ReasonsOf(slot.Requirement)), Quiet: true})
	return nil
}

// missing are the names of the consents that the services of what is confirmed require and the customer lacks.
func (o *offering) missing() (names string, err error) {
	all, err := o.Subjects.RequirementsOf(o.Context(), o.Actor, o.b.ID.String())
	var lacks []string
	for _, r := range all {
		if r.Met {
			continue
		}
		name := r.Consent
		if kind := o.Setup.Workspace.Settings.Consent(r.Consent); kind != nil {
			name = kind.Name
		}
		if !slices.Contains(lacks, name) {
			lacks = append(lacks, name)
		}
	}
	return strings.Join(lacks, ", "), err
}

func (c call) confirm(id string) error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Confirm(c.Context(), c.Actor, id, form["override"]...)
	return err
}

func offerDecline(o *offering) error {
	if o.b.Status == booking.Pending && o.b.PendingReason != nil {
		o.ask(dash.Danger{Title: o.T("dash_decline"), Text: o.T("dash_told"), Submit: o.T("dash_decline"),
			Inputs: []dash.Input{o.reason()}})
	}
	return nil
}

func (c call) decline(id string) error {
	_, err := c.Subjects.Decline(c.Context(), c.Actor, id, c.PostFormValue("reason"))
	return err
}

func offerArrived(o *offering) error {
	if o.marks.Arrived {
		o.tap(o.T("today_arrived"), main(!o.marks.DoneFirst))
	}
	return nil
}

func offerDone(o *offering) error {
	if o.marks.Done {
		o.tap(o.T("today_done"), main(o.marks.DoneFirst))
	}
	return nil
}

// main is the class of the one button that comes next, "" for others.
func main(next bool) string {
	if next {
		return "button-main"
	}
	return ""
}

func offerNoShow(o *offering) error {
	if !o.marks.NoShow {
		return nil
	}
	fee := o.Money(o.b.NoShowFee)
	text := map[payment.FeeOutlook]string{
		payment.NoFee:     o.T("today_no_show_text"),
		payment.FeeNoCard: o.T("today_no_show_no_card", "Fee", fee),
		payment.FeeWaits:  o.T("today_no_show_waits", "Fee", fee),
		payment.FeeCharge: o.T("today_no_show_charge", "Fee", fee),
	}[o.outlook]
	o.ask(dash.Danger{Title: o.T("today_no_show"), Text: text, Submit: o.T("today_no_show_mark")})
	return nil
}

func offerUndo(o *offering) error {
	switch o.marks.Undo {
	case string(app.ArrivedMark), string(app.DoneMark):
		o.url = web.WithQuery(o.url, url.Values{"of": {o.marks.Undo}})
		o.tap(o.T("today_undo_"+o.marks.Undo), "")
	case string(app.NoShowMark): // may give money back, so it is asked first
		o.ask(dash.Danger{Title: o.T("today_undo_no_show"), Text: o.T("today_undo_no_show_text"),
			Submit: o.T("today_undo_no_show"), Quiet: true})
	}
	return nil
}

// undoMark takes back what the form names, so that a second tap takes nothing else back.
func (c call) undoMark(id string) error {
	_, err := c.Subjects.UndoMark(c.Context(), c.Actor, id, app.Mark(c.FormValue("of")))
	return err
}

func offerEdit(o *offering) error {
	if !o.b.Invitee.Erased() {
		form := o.editForm(o.b)
		form.Rare = o.v.Over
		o.ask(form)
	}
	return nil
}

// offerResend offers to send the invitee the latest mail of the booking again.
func offerResend(o *offering) error {
	if o.b.Status.Live() && o.b.Invitee.Email != "" && !o.b.Invitee.Erased() {
		o.ask(dash.Danger{Title: o.T("edit_resend"), Text: o.T("edit_resend_text", "Email", o.b.Invitee.Email),
			Submit: o.T("edit_resend_do"), Quiet: true, Rare: o.v.Over})
	}
	return nil
}

func (c call) resend(id string) error {
	_, err := c.Subjects.Mail.SendAgain(c.Context(), c.Actor, id)
	return err
}

func offerCancel(o *offering) error {
	if !o.b.Status.Stands() || !o.b.Status.MayBecome(booking.Cancelled) {
		return nil
	}
	form := dash.Danger{Title: o.T("dash_cancel_booking"), Text: o.T("dash_told"), Submit: o.T("dash_cancel_booking"),
		Inputs: []dash.Input{o.reason()}, Rare: o.v.Over}
	made, err := o.seriesOf(o.b)
	if err != nil {
		return err
	}
	scope, of := o.scopeInput(o.b, made, ""), []booking.Booking{*o.b}
	if scope != nil {
		form.Inputs = append(append([]dash.Input{*scope}, form.Inputs...), o.offersInput(false)...)
		of = append(of, slices.DeleteFunc(slices.Clone(made.Bookings), func(b booking.Booking) bool { return !o.toCome(&b) })...)
	}
	if slices.ContainsFunc(of, paid) {
		form.Inputs = append(form.Inputs,
			dash.Input{Name: "refund", Label: o.T("dash_refund_payment"), Kind: "check", Checked: true})
		form.Hidden = append(form.Hidden, views.Pair{Name: asksRefund, Value: "1"})
	}
	if err := o.chargeLate(o.b, &form); err != nil {
		return err
	}
	o.ask(form)
	return nil
}

// asksRefund is the field of a form that asks whether what was paid is refunded: without it nothing was paid when it was shown.
const asksRefund = "asksRefund"

// paid reports whether there is something to refund of the booking.
func paid(b booking.Booking) bool {
	return b.Payment != nil && (b.Payment.Status == "paid" || b.Payment.Status == "partially_refunded")
}

func (c call) cancel(id string) error {
	in := app.CancelInput{Reason: c.PostFormValue("reason"), ChargeLateFee: c.PostForm.Has("chargeLateFee")}
	if c.PostForm.Has(asksRefund) {
		refund := c.PostForm.Has("refund")
		in.Refund = &refund
	}
	series, scope, err := c.scopeOf(id, c.PostForm)
	if err != nil {
		return err
	}
	if series != "" {
		return c.cancelDates(series, id, scope, in)
	}
	_, err = c.Subjects.Cancel(c.Context(), c.Actor, id, in)
	return err
}

// chargeLate offers to charge what cancelling late costs, where it is late and a card was saved.
func (c call) chargeLate(b *booking.Booking, cancel *dash.Danger) error {
	fee, err := c.Subjects.Payment.LateFee(c.Context(), b)
	if err != nil || fee == nil {
		return err
	}
	cancel.Inputs = append(cancel.Inputs, dash.Input{Name: "chargeLateFee", Kind: "check",
		Label: c.T("deposit_panel_charge", "Fee", c.Money(fee)),
		Hint:  c.T("deposit_panel_hint", "Until", c.Day(c.At(b.FreeUntil()))+", "+c.Clock(b.FreeUntil()))})
	return nil
}
