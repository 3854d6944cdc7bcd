package dashboard

import (
	"slices"

	"daybook/app"
	"daybook/app/mail"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/views/dash"
)

// trouble is what went wrong lately and is not put right yet: endpoints that fail or were switched off.
func (d *Door) trouble(c *call) (all []dash.Trouble, err error) {
	if !c.actor.Role.AtLeast(app.ManagerRole) {
		return nil, nil
	}
	if all, err = d.mailTrouble(c); err != nil {
		return nil, err
	}
	endpoints, err := d.Webhook.Endpoints(c.Context(), c.actor)
	if err != nil {
		return nil, err
	}
	for i := range endpoints {
		e := &endpoints[i]
		url := dash.WebhookPath(e.ID.String())
		switch {
		case e.DisabledReason == webhook.DisabledGone || e.DisabledReason == webhook.DisabledFailing:
			all = append(all, dash.Trouble{Text: "The webhook to " + hostOf(e.URL) + " was switched off: it failed for too long.", When: c.ago(e.DisabledAt), URL: url, Label: "Look"})
		case e.Enabled && e.FailingSince != 0:
			all = append(all, dash.Trouble{Text: "The webhook to " + hostOf(e.URL) + " fails.", When: "since " + c.ago(e.FailingSince), URL: url, Label: "Look"})
		}
	}
	return all, nil
}

// mailTrouble is what keeps mails from going out, and mails that were given up in the last week.
func (d *Door) mailTrouble(c *call) (all []dash.Trouble, err error) {
	route, err := d.Mail.MailRoute(c.actor.Workspace)
	if err != nil {
		return nil, err
	}
	stuck, err := d.Mail.StuckMails(c.Context(), c.actor.Workspace)
	if err != nil {
		return nil, err
	}
	switch {
	case route == nil:
		all = append(all, dash.Trouble{Text: "No mail server is set up: customers and the team get no mails." + c.stuckText(&stuck), URL: dash.MailPath, Label: "Set up"})
	case stuck.Count > 0:
		all = append(all, dash.Trouble{Text: "Mails can't go out." + c.stuckText(&stuck), URL: dash.MailPath + "?state=waiting", Label: "Look"})
	}
	n := 100
	failed, err := d.Mail.Mails(c.Context(), c.actor.Workspace, mail.ListMailsInput{State: string(mail.MailFailed), Limit: &n})
	if err != nil {
		return nil, err
	}
	recent := slices.DeleteFunc(failed.Data, func(m mail.Mail) bool { return m.CreatedAt <= when.At(d.Now().AddDate(0, 0, -7)) })
	if len(recent) > 0 {
		m := &recent[0]
		text := "A mail to " + m.To + " could not be sent: " + m.Answer
		if len(recent) > 1 {
			text = counted(len(recent), "mail") + " could not be sent in the last week. The latest was to " + m.To + ": " + m.Answer
		}
		all = append(all, dash.Trouble{Text: text, When: c.ago(m.CreatedAt), URL: dash.MailPath + "?state=failed", Label: "Look"})
	}
	return all, nil
}

// stuckText says how many mails wait, since when, why and for how long; "" when none waits.
func (c *call) stuckText(stuck *mail.StuckMails) string {
	if stuck.Count == 0 {
		return ""
	}
	text := " " + counted(stuck.Count, "mail")
	if stuck.More {
		text = " More than " + counted(stuck.Count, "mail")
	}
	text += " waiting, the first since " + c.locale.Time(c.at(stuck.Since), "") + " on " + c.day(c.at(stuck.Since))
	if stuck.Why != "" {
		text += ": " + stuck.Why
	}
	return text + ". The first will be given up " + c.until(stuck.Until) + "."
}
