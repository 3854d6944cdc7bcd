package dashboard

import (
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/payment"
	"daybook/views/dash"
)

func (d *Door) payments(c *call) error { return c.showPayments(nil) }

// showPayments never shows what was typed: both fields are secrets.
func (c *call) showPayments(e *fault.Error) error {
	check := c.URL.Query().Has("check")
	is, err := c.door.Payment.PaymentConnection(c.Context(), c.setup.Workspace, check)
	if err != nil {
		return err
	}
	v := dash.SettingsListsPage{Submit: "Connect"}
	v.SettingsFrame, v.Action = c.integrationFrame("Payments", dash.PaymentsPath), dash.PaymentsPath
	row := dash.SettingsRow{Title: "Stripe", Text: "Not connected"}
	text := "Until Stripe is connected, prices are paid on site, and no-show fees are not charged."
	keys := dash.Group{Title: "2. Enter the keys", Hint: "Payments go to your own Stripe account. The keys are kept sealed and never shown again."}
	if is.Connected {
		v.Submit = "Replace the keys"
		keys.Title = "2. Enter other keys"
		text, row.Text, row.Small = "", "Connected", "Stripe’s last event: "+c.ago(is.LastEventAt)
		if is.Account != "" {
			row.Text += " to " + is.Account
		}
		row.State = dash.Badge{Text: "Test mode", Tone: "warn"}
		if is.Mode == "live" {
			row.State = dash.Badge{Text: "Live mode", Tone: "good"}
		}
		row.URL, row.URLLabel = dash.PaymentsPath+"?check", "Check the key"
		if check {
			row.Small = "Checked just now: the key works."
			if !is.KeyWorks {
				row.Small = "Checked just now: the key does not work. " + is.Problem
			}
		}
		row.Actions = []dash.Danger{{Title: "Disconnect", Text: "Daybook forgets the keys. Prices are paid on site from then on, and nothing can be refunded from here.", Action: dash.DisconnectPath, Submit: "Disconnect Stripe"}}
	}
	keys.Inputs = []dash.Input{
		{Name: "secretKey", Label: "Secret key", Kind: "new-password", Required: true, Half: true, Hint: "Begins with sk_ or rk_."},
		{Name: "signingSecret", Label: "Signing secret of the webhook", Kind: "new-password", Required: true, Half: true, Hint: "Begins with whsec_."},
	}
	v.Groups = []dash.Group{keys}
	v.Problem = fill(v.Groups, nil, e)
	v.First = []dash.SettingsList{
		{Title: "Connection", Text: text, Rows: []dash.SettingsRow{row}},
		{
			Title: "1. Add the webhook at Stripe",
			Text:  "In Stripe’s dashboard, under Developers, Webhooks, add an endpoint with this address and these events. Stripe then shows its signing secret.",
			Rows:  []dash.SettingsRow{{Title: "Webhook address", Copy: is.WebhookURL}, {Title: "Events", Copy: strings.Join(payment.PaymentEventKinds, ",")}},
		},
	}
	if err := c.recentPayments(&v); err != nil {
		return err
	}
	return c.show(refusedStatus(e), dash.SettingsLists(v))
}

// recentPayments lists the payments, or those with a dispute.
func (c *call) recentPayments(v *dash.SettingsListsPage) error {
	q := c.URL.Query()
	disputed, n := q.Get("state") == "disputed", 25
	page, err := c.door.Payment.Payments(c.Context(), c.actor, disputed, &n, q.Get("cursor"))
	if err != nil && refused(err) == nil {
		return err
	}
	list := dash.SettingsList{Title: "Payments", Icon: "check", Empty: "Payments show up here as bookings are paid online."}
	if disputed {
		list.Empty = "No payment is disputed."
	}
	list.Tabs = []dash.Tab{{Label: "All", URL: dash.PaymentsPath, Current: !disputed}, {Label: "Disputed", URL: dash.PaymentsPath + "?state=disputed", Current: disputed}}
	for i := range page.Data {
		p := &page.Data[i]
		list.Rows = append(list.Rows, dash.SettingsRow{
			Title: paymentName(p), Text: c.paymentText(p), Small: c.day(c.at(p.CreatedAt)) + ", " + c.clock(p.CreatedAt), State: paymentBadge(p), URL: dash.BookingPath(p.BookingID.String()),
		})
	}
	if page.NextCursor != nil {
		list.Pager.NextURL = withQuery(dash.PaymentsPath, q, "cursor", *page.NextCursor)
	}
	v.Lists = append(v.Lists, list)
	return nil
}

func (d *Door) connectPayments(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	keys := payment.PaymentKeys{SecretKey: form.Get("secretKey"), SigningSecret: form.Get("signingSecret")}
	_, err = d.Payment.ConnectPayments(c.Context(), c.setup.Workspace, keys)
	if e := refused(err); e != nil {
		return c.showPayments(e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.PaymentsPath, "connected")
}

func (d *Door) disconnectPayments(c *call) error {
	if err := d.Payment.DisconnectPayments(c.Context(), c.setup.Workspace); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return c.redirect(dash.PaymentsPath, "disconnected")
}

func paymentName(p *payment.PaymentRecord) string {
	if p.Kind == payment.PaysFee {
		return "No-show fee"
	}
	return "Price"
}

// paymentText is the amount, what went back or is on its way, and what is wrong.
func (c *call) paymentText(p *payment.PaymentRecord) string {
	money := func(amount int64) string { return c.money(&app.Money{Amount: amount, Currency: p.Currency}) }
	text := money(p.Amount)
	if p.RefundedAmount > 0 {
		text += ", " + money(p.RefundedAmount) + " went back"
	}
	if p.Refunding > 0 {
		text += ", " + money(p.Refunding) + " on its way back"
	}
	if p.Dispute != "" {
		text += ", disputed: " + strings.ReplaceAll(p.Dispute, "_", " ")
	}
	if p.Error != "" {
		text += ". " + p.Error
	}
	return text
}

func paymentBadge(p *payment.PaymentRecord) dash.Badge {
	switch p.Status {
	case app.PaymentPaid:
		switch {
		case p.Dispute != "" && p.Dispute != "won":
			return dash.Badge{Text: "Disputed", Tone: "bad"}
		case p.RefundedAmount >= p.Amount:
			return dash.Badge{Text: "Refunded"}
		case p.RefundedAmount > 0:
			return dash.Badge{Text: "Partly refunded", Tone: "good"}
		}
		return dash.Badge{Text: "Paid", Tone: "good"}
	case app.PaymentProcessing:
		return dash.Badge{Text: "On its way", Tone: "warn"}
	case app.PaymentFailed:
		return dash.Badge{Text: "Failed", Tone: "bad"}
	case app.PaymentNeedsYou:
		return dash.Badge{Text: "Waits for the cardholder", Tone: "warn"}
	case app.PaymentVoid:
		return dash.Badge{Text: "Void"}
	}
	if p.Kind == payment.PaysFee {
		return dash.Badge{Text: "Is being charged", Tone: "warn"}
	}
	return dash.Badge{Text: "Unpaid", Tone: "warn"}
}

// bookingMoney shows the payments of a booking, and the ways to give them back.
func (c *call) bookingMoney(b *app.Booking, v *dash.BookingDetail) error {
	all, err := c.door.Payment.BookingPayments(c.Context(), c.actor, b.ID.String())
	if err != nil {
		return err
	}
	for i := range all {
		p := &all[i]
		f := dash.Fact{Name: paymentName(p), Value: paymentBadge(p).Text + ": " + c.paymentText(p)}
		if p.PaidAt != 0 {
			f.Value += " (paid " + c.day(c.at(p.PaidAt)) + ", " + c.clock(p.PaidAt) + ")"
		}
		v.Payments = append(v.Payments, f)
	}
	if n := b.NoShow; n != nil && n.Fee != nil && n.Fee.URL != "" {
		v.Payments = append(v.Payments, dash.Fact{Name: "To pay the fee", Value: n.Fee.URL, URL: n.Fee.URL})
	}
	if !c.actor.Role.AtLeast(app.ManagerRole) {
		return nil
	}
	price, fee, err := c.door.Payment.Refundable(c.Context(), c.actor, b.ID.String())
	if err != nil {
		return err
	}
	for _, r := range []struct {
		of, title string
		left      *app.Money
	}{{"price", "Refund", price}, {"fee", "Refund the fee", fee}} {
		if r.left == nil {
			continue
		}
		v.Actions = append(v.Actions, dash.Danger{
			Title: r.title, Text: "Goes back to the card it was paid with. " + c.money(r.left) + " is left.",
			Action: dash.BookingRefundPath(b.ID.String(), r.of), Submit: "Refund",
			Inputs: []dash.Input{{ID: "refund-" + r.of, Name: "amount", Label: "Amount", Required: true, Value: amountText(r.left), Suffix: r.left.Currency}},
		})
	}
	return nil
}

func (d *Door) refund(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	left, fee, err := d.Payment.Refundable(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	give := d.Payment.Refund
	if c.URL.Query().Get("of") == "fee" {
		left, give = fee, d.Payment.RefundFee
	}
	if left == nil {
		return c.did(&fault.Error{Code: fault.Conflict, Reason: "nothing_to_refund", Message: "Nothing is left to refund."}, "")
	}
	amount, err := c.refundAmount(form, left)
	if err == nil {
		_, err = give(c.Context(), c.actor, c.PathValue("id"), &amount)
	}
	return c.did(err, "refunded")
}

// refundAmount is how much of what is left the form wants back. Nothing typed is an error: it could mean all or none.
func (c *call) refundAmount(form url.Values, left *app.Money) (int64, error) {
	r := reader{form: form, currency: left.Currency}
	m := r.money("amount")
	if r.err != nil || m == nil || m.Amount < 1 {
		return 0, &fault.Error{Code: fault.BadRequest, Message: "The amount of the refund must be given, such as 45 or 45.50."}
	}
	if m.Amount > left.Amount {
		return 0, &fault.Error{Code: fault.BadRequest, Message: "Only " + c.money(left) + " of the payment is left to refund."}
	}
	return m.Amount, nil
}
