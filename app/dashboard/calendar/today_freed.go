package calendar

import (
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/app/waitlist"
	"daybook/views/dash"
)

// freedRoutes are what the business does about a time that came free while somebody waits.
var freedRoutes = []web.Route{
	web.On("POST /dashboard/freed/{id}/skip", app.MayBook, call.skipOffered),
	web.On("POST /dashboard/freed/{id}/open", app.MayBook, call.openFreed),
}

// freedTimes are the times that came free, with to whom each is offered, and who comes then.
func (c call) freedTimes() (rows []dash.FreedRow, err error) {
	if !c.Setup.Workspace.Waits {
		return nil, nil
	}
	all, err := c.Subjects.Waitlist.FreedTimes(c.Context(), c.Actor)
	if err != nil {
		return nil, err
	}
	for i := range all {
		rows = append(rows, c.freedRow(&all[i]))
	}
	return rows, nil
}

func (c call) freedRow(f *waitlist.FreedTime) dash.FreedRow {
	from, to := f.Start.Time().In(c.Zone()), f.End.Time().In(c.Zone())
	row := dash.FreedRow{Title: c.Locale.Span(from, to, ""), Text: c.T("freed_looking")}
	for _, name := range []string{f.Room, f.Host.Name} {
		if name != "" {
			row.Title += " · " + name
		}
	}
	if !web.SameDay(from, c.Now()) {
		row.Title = c.Day(from) + ", " + row.Title
	}
	switch {
	case f.Offered != nil && f.Offered.Taken(): // nobody else can have it until that is decided
		row.Text = c.T("freed_taken", "Name", f.Offered.Invitee.Name)
		return row
	case f.Offered != nil && f.Offered.Offer != nil:
		row.Text = c.T("freed_offered", "Name", f.Offered.Invitee.Name, "Time", c.Clock(f.Offered.Offer.Until))
	case f.Next != nil:
		row.Text = c.T("freed_next", "Name", f.Next.Invitee.Name)
	}
	if f.Offered != nil && f.Next != nil && f.Next.ID != f.Offered.ID {
		row.Text += " · " + c.T("freed_then", "Name", f.Next.Invitee.Name)
	}
	if c.May(app.MayBook) {
		of := url.Values{"date": {from.Format(time.DateOnly)}, "start": {f.Start.String()}}
		if f.Host.ID != 0 {
			of.Set("host", f.Host.ID.String())
		}
		row.BookURL = web.WithQuery(dash.NewBookingPath, of)
		if f.Offered != nil {
			row.SkipURL = dash.FreedSkipPath(f.ID.String())
		}
		row.OpenURL = dash.FreedOpenPath(f.ID.String())
	}
	return row
}

func (c call) skipOffered() error {
	if err := c.Subjects.Waitlist.SkipOffered(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.TodayPath, "freed-skipped")
}

func (c call) openFreed() error {
	if err := c.Subjects.Waitlist.OpenFreed(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.TodayPath, "freed-open")
}
