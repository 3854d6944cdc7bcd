package calendar

import (
	"daybook/views/dash"
)

// serverTrouble returns what is wrong with the server, for owners who look after it.
func (c call) serverTrouble() (all []dash.Trouble, err error) {
	found, err := c.Subjects.Health.Trouble(c.Context(), c.Actor)
	for i := range found {
		if f := &found[i]; f.Check != "mail" { // the mails of the workspace are told besides
			all = append(all, dash.Trouble{Text: f.Message(c.Locale, c.Setup.Zone), URL: dash.HealthPath,
				Label: c.T("health_open")})
		}
	}
	return all, err
}
