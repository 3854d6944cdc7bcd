package calendar

import (
	"net/url"

	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

func (c call) arrived() error {
	_, err := c.Subjects.MarkArrived(c.Context(), c.Actor, c.PathValue("id"))
	return c.marked(err, string(app.ArrivedMark))
}

func (c call) done() error {
	_, err := c.Subjects.MarkDone(c.Context(), c.Actor, c.PathValue("id"))
	return c.marked(err, string(app.DoneMark))
}

func (c call) noShow() error {
	_, err := c.Subjects.MarkNoShow(c.Context(), c.Actor, c.PathValue("id"))
	return c.marked(err, string(app.NoShowMark))
}

// undoMark takes back what the form names, so that a second tap takes nothing else back.
func (c call) undoMark() error {
	_, err := c.Subjects.UndoMark(c.Context(), c.Actor, c.PathValue("id"), app.Mark(c.FormValue("of")))
	return c.marked(err, "undone")
}

// marked goes back to where the mark was made. Today names the booking and offers to take it back.
func (c call) marked(err error, what string) error {
	if err == nil && c.PostFormValue("back") == "today" {
		return c.Redirect(web.WithQuery(dash.TodayPath, url.Values{"host": {c.PostFormValue("host")}}),
			what+"."+c.PathValue("id"))
	}
	return c.did(err, map[string]string{"no_show": "noshow", "undone": "undone"}[what])
}
