package calendar

import (
	"slices"

	"daybook/views/dash"
)

// serverTrouble returns what is wrong with the server, a line for each check, for owners who look after it. What to do
// about it stands on the page Health.
func (c call) serverTrouble() (all []dash.Trouble, err error) {
	found, err := c.Subjects.Health.Trouble(c.Context(), c.Actor)
	for i := range found {
		text := found[i].Plain(c.Locale)
		if found[i].Check == "mail" || slices.ContainsFunc(all, func(t dash.Trouble) bool { return t.Text == text }) {
			continue // the mails of the workspace are told besides
		}
		all = append(all, dash.Trouble{Text: text, URL: dash.HealthPath, Label: c.T("health_open")})
	}
	return all, err
}
