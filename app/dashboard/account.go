package dashboard

import (
	"bytes"
	"strings"

	"daybook/app/fault"
	"daybook/views/dash"
)

func (d *Door) account(c *call) error { return c.showAccount(nil) }

func (c *call) showAccount(e *fault.Error) error {
	sessions, err := c.door.Account.Sessions(c.actor)
	if err != nil {
		return err
	}
	v := dash.AccountPage{Frame: c.frame("Your account", "account"), Groups: []dash.Group{{Inputs: []dash.Input{
		{Name: "old", Label: "Present password", Kind: "password", Required: true},
		{Name: "password", Label: "New password", Kind: "new-password", Required: true, Hint: "At least 10 characters. A sentence is fine."},
	}}}}
	v.Problem = fill(v.Groups, nil, e)
	for _, s := range sessions {
		v.Sessions = append(v.Sessions, dash.SessionRow{
			Browser: browserName(s.Agent), Seen: "Signed in " + c.ago(s.CreatedAt) + ", last used " + c.ago(s.SeenAt), Current: bytes.Equal(s.Hash, c.session.Hash),
		})
	}
	return c.show(refusedStatus(e), dash.Account(v))
}

func (d *Door) changePassword(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	err = d.Account.ChangePassword(c.Context(), c.session, form.Get("old"), form.Get("password"))
	if e := refused(err); e != nil {
		return c.showAccount(e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.AccountPath, "password")
}

// browserName makes two words of what a browser says of itself.
func browserName(agent string) string {
	find := func(names ...string) string {
		for i := 0; i+1 < len(names); i += 2 {
			if strings.Contains(agent, names[i]) {
				return names[i+1]
			}
		}
		return ""
	}
	browser := find("Edg/", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari")
	system := find("iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS", "macOS", "Linux", "Linux")
	switch {
	case browser == "":
		return "Unknown browser"
	case system == "":
		return browser
	}
	return browser + " on " + system
}
