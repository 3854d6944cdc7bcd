package integrations

import (
	"strings"

	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/views/dash"
)

func (c call) payments() error { return c.showPayments(nil) }

// showPayments never shows what was typed: both fields are secrets.
func (c call) showPayments(e *fault.Error) error {
	check := c.URL.Query().Has("check")
	is, err := c.Rooms.Payment.Connection(c.Context(), c.Actor, check)
	if err != nil {
		return err
	}
	v := dash.SettingsListsPage{Submit: "Connect Stripe"}
	v.SettingsFrame, v.Action = c.integrationFrame("Payments", dash.PaymentsPath), dash.PaymentsPath
	row := dash.SettingsRow{Title: "Stripe", Text: "Not connected"}
	text := "Until Stripe is connected, prices are paid on site, and no-show fees are not charged."
	keys := dash.Group{Title: "2. Enter the keys",
		Hint: "Payments go to your own Stripe account. The keys are stored encrypted and never shown again."}
	if is.Connected {
		v.Submit = "Replace keys"
		keys.Title = "2. Enter other keys"
		text, row.Text, row.Small = "", "Connected", "Stripe’s last event: "+c.Ago(is.LastEventAt)
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
		row.Actions = []dash.Danger{{Title: "Disconnect Stripe",
			Text:   "Daybook deletes the keys. From then on customers pay on site, and nothing can be refunded here.",
			Action: dash.DisconnectPath, Submit: "Disconnect Stripe"}}
	}
	keys.Inputs = []dash.Input{
		{Name: "secretKey", Label: "Secret key", Kind: "new-password", Required: true, Half: true,
			Hint: "Begins with sk_ or rk_."},
		{Name: "signingSecret", Label: "Signing secret of the webhook", Kind: "new-password", Required: true, Half: true,
			Hint: "Begins with whsec_."},
	}
	v.Groups = []dash.Group{keys}
	v.Problem = c.Fill(v.Groups, nil, e)
	v.First = []dash.SettingsList{
		{Title: "Connection", Text: text, Rows: []dash.SettingsRow{row}},
		{
			Title: "1. Add the webhook at Stripe",
			Text: "In Stripe’s dashboard, under Developers, Webhooks, add an endpoint with this address and these events. " +
				"Stripe then shows its signing secret.",
			Rows: []dash.SettingsRow{{Title: "Webhook address", Copy: is.WebhookURL},
				{Title: "Events", Copy: strings.Join(stripe.EventKinds, ",")}},
		},
	}
	if err := c.recentPayments(&v); err != nil {
		return err
	}
	return c.Show(web.RefusedStatus(e), dash.SettingsLists(v))
}

// recentPayments lists the payments, or those with a dispute.
func (c call) recentPayments(v *dash.SettingsListsPage) error {
	q := c.URL.Query()
	disputed, n := q.Get("state") == "disputed", 25
	page, err := c.Rooms.Payment.Payments(c.Context(), c.Actor, disputed, &n, q.Get("cursor"))
	if err != nil && web.Refused(err) == nil {
		return err
	}
	list := dash.SettingsList{Title: "Payments", Icon: "check",
		EmptyTitle: "No payments yet", Empty: "Payments show up here as bookings are paid online."}
	if disputed {
		list.EmptyTitle, list.Empty = "No disputes", "A payment that a customer disputes at their bank shows up here."
	}
	list.Tabs = []dash.Tab{{Label: "All", URL: dash.PaymentsPath, Current: !disputed},
		{Label: "Disputed", URL: dash.PaymentsPath + "?state=disputed", Current: disputed}}
	for i := range page.Data {
		p := &page.Data[i]
		list.Rows = append(list.Rows, dash.SettingsRow{
			Title: c.PaymentName(p), Text: c.PaymentText(p), Small: c.Day(c.At(p.CreatedAt)) + ", " +
				c.Clock(p.CreatedAt), State: c.PaymentBadge(p), URL: dash.BookingPath(p.BookingID.String()),
		})
	}
	if page.NextCursor != nil {
		list.Pager.NextURL = web.WithQuery(dash.PaymentsPath, q, "cursor", *page.NextCursor)
	}
	v.Lists = append(v.Lists, list)
	return nil
}

func (c call) connectPayments() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	keys := payment.Keys{SecretKey: form.Get("secretKey"), SigningSecret: form.Get("signingSecret")}
	_, err = c.Rooms.Payment.ConnectPayments(c.Context(), c.Actor, keys)
	if e := web.Refused(err); e != nil {
		return c.showPayments(e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.PaymentsPath, "connected")
}

func (c call) disconnectPayments() error {
	if err := c.Rooms.Payment.DisconnectPayments(c.Context(), c.Actor); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return c.Redirect(dash.PaymentsPath, "disconnected")
}
