package dashboard

import (
	"daybook/app"
	"daybook/views"
)

// trouble is what went wrong lately and is not put right yet: endpoints that fail or were switched off.
func (d *Door) trouble(c *call) (all []views.Trouble, err error) {
	if !c.actor.Role.AtLeast(app.ManagerRole) {
		return nil, nil
	}
	endpoints, err := d.Endpoints(c.Context(), c.actor)
	if err != nil {
		return nil, err
	}
	for i := range endpoints {
		e := &endpoints[i]
		url := "/dashboard/developers/webhooks/" + e.ID.String()
		switch {
		case e.DisabledReason == app.DisabledGone || e.DisabledReason == app.DisabledFailing:
			all = append(all, views.Trouble{Text: "The webhook to " + hostOf(e.URL) + " was switched off: it failed for too long.", When: c.ago(e.DisabledAt), URL: url, Label: "Look"})
		case e.Enabled && e.FailingSince != 0:
			all = append(all, views.Trouble{Text: "The webhook to " + hostOf(e.URL) + " fails.", When: "since " + c.ago(e.FailingSince), URL: url, Label: "Look"})
		}
	}
	n := 1
	failed, err := d.Mails(c.Context(), c.actor.Workspace, app.ListMailsInput{State: string(app.MailFailed), Limit: &n})
	if err != nil {
		return nil, err
	}
	for i := range failed.Data {
		if m := &failed.Data[i]; m.CreatedAt > app.At(d.Now().AddDate(0, 0, -7)) {
			all = append(all, views.Trouble{Text: "A mail to " + m.To + " could not be sent: " + m.Answer, When: c.ago(m.CreatedAt), URL: mailPath + "?state=failed", Label: "Look"})
		}
	}
	return all, nil
}
