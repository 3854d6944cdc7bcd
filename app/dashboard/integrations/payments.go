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
	is, err := c.Subjects.Payment.Connection(c.Context(), c.Actor, check)
	if err != nil {
		return err
	}
	v := dash.SettingsListsPage{Submit: c.T("connect_stripe")}
	v.SettingsFrame, v.Action = c.integrationFrame(c.T("connect_payments"), dash.PaymentsPath), dash.PaymentsPath
	row := dash.SettingsRow{Title: "Stripe", Text: c.T("connect_off")}
	text := c.T("connect_stripe_off_text")
	keys := dash.Group{Title: c.T("connect_stripe_keys"), Hint: c.T("connect_stripe_keys_hint")}
	if is.Connected {
		v.Submit = c.T("connect_stripe_replace")
		keys.Title = c.T("connect_stripe_keys_other")
		text, row.Text = "", c.T("connect_on")
		if is.Account != "" {
			row.Text = c.T("connect_stripe_to", "Name", is.Account)
		}
		row.State = dash.Badge{Text: c.T("connect_stripe_test"), Tone: "warn"}
		if is.Mode == "live" {
			row.State = dash.Badge{Text: c.T("connect_stripe_live"), Tone: "good"}
		}
		row.URL, row.URLLabel = dash.PaymentsPath+"?check", c.T("connect_stripe_check")
		if check {
			row.Small = c.T("connect_stripe_works")
			if !is.KeyWorks {
				row.Small = c.T("connect_stripe_fails", "Why", is.Problem)
			}
		}
		row.Actions = []dash.Danger{{Title: c.T("connect_stripe_end"), Text: c.T("connect_stripe_end_text"),
			Action: dash.DisconnectPath, Submit: c.T("connect_stripe_end")}}
	}
	keys.Inputs = []dash.Input{
		{Name: "secretKey", Label: c.T("connect_stripe_secret"), Kind: "new-password", Required: true, Half: true,
			Hint: c.T("connect_stripe_secret_hint")},
		{Name: "signingSecret", Label: c.T("connect_stripe_signing"), Kind: "new-password", Required: true,
			Half: true,
			Hint: c.T("connect_stripe_signing_hint")},
	}
	v.Groups = []dash.Group{keys}
	v.Problem = c.Fill(v.Groups, nil, e)
	hook := dash.SettingsList{
		Title: c.T("connect_stripe_webhook"), Text: c.T("connect_stripe_webhook_text"),
		Rows: []dash.SettingsRow{{Title: c.T("connect_stripe_webhook_address"), Copy: is.WebhookURL},
			{Title: c.T("connect_fact_events"), Copy: strings.Join(stripe.EventKinds, "\n")}},
	}
	if is.Connected {
		hook.Rows = append(hook.Rows, c.eventsArrive(is))
	}
	v.First = []dash.SettingsList{{Title: c.T("connect_connection"), Text: text, Rows: []dash.SettingsRow{row}}, hook}
	if err := c.recentPayments(&v); err != nil {
		return err
	}
	return c.Show(web.RefusedStatus(e), dash.SettingsLists(v))
}

// eventsArrive says when an event that Stripe signed with the secret that is saved last arrived.
func (c call) eventsArrive(is payment.Connection) dash.SettingsRow {
	row := dash.SettingsRow{Title: c.T("connect_stripe_arrive"), URL: dash.PaymentsPath, URLLabel: c.T("connect_stripe_again")}
	if is.LastEventAt == 0 || is.LastEventAt < is.ConnectedAt {
		row.Text, row.State = c.T("connect_stripe_none_text"), dash.Badge{Text: c.T("connect_stripe_none"), Tone: "warn"}
		return row
	}
	row.Text, row.Small = c.T("connect_stripe_event", "When", c.Ago(is.LastEventAt)), is.LastEvent
	row.State = dash.Badge{Text: c.T("connect_stripe_arrived"), Tone: "good"}
	return row
}

// recentPayments lists the payments, or those with a dispute.
func (c call) recentPayments(v *dash.SettingsListsPage) error {
	q := c.URL.Query()
	disputed, n := q.Get("state") == "disputed", 25
	page, err := c.Subjects.Payment.Payments(c.Context(), c.Actor, disputed, &n, q.Get("cursor"))
	if err != nil && web.Refused(err) == nil {
		return err
	}
	list := dash.SettingsList{Title: c.T("connect_payments"), Icon: "check",
		EmptyTitle: c.T("connect_pays_none"), Empty: c.T("connect_pays_none_text")}
	if disputed {
		list.EmptyTitle, list.Empty = c.T("connect_disputes_none"), c.T("connect_disputes_none_text")
	}
	list.Tabs = []dash.Tab{{Label: c.T("connect_tab_all"), URL: dash.PaymentsPath, Current: !disputed},
		{Label: c.T("connect_disputed"), URL: dash.PaymentsPath + "?state=disputed", Current: disputed}}
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
	_, err = c.Subjects.Payment.ConnectPayments(c.Context(), c.Actor, keys)
	if e := web.Refused(err); e != nil {
		return c.showPayments(e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.PaymentsPath, "connected")
}

func (c call) disconnectPayments() error {
	if err := c.Subjects.Payment.DisconnectPayments(c.Context(), c.Actor); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return c.Redirect(dash.PaymentsPath, "disconnected")
}
