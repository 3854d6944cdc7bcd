package web

import (
	"cmp"
	"strings"

	"daybook/app"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/views/dash"
)

// ResourceConnections returns the connections to calendars of a resource, for those who may connect them.
func (c *Call) ResourceConnections(id catalog.ResourceID) (rows []dash.ConnectionRow, err error) {
	if !c.May(app.MayConnectCalendars) {
		return nil, nil
	}
	all, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	for i := range all {
		if all[i].Resource == id {
			rows = append(rows, c.ConnectionRow(&all[i]))
		}
	}
	return rows, err
}

// ConnectionRow returns a connection in the list.
func (c *Call) ConnectionRow(x *calsync.Connection) dash.ConnectionRow {
	id := x.ID.String()
	return dash.ConnectionRow{Name: x.Name, Text: c.usedText(x), Age: c.readText(x),
		Problem: c.CalendarProblem(x.Kind, x.Problem), State: c.ConnectionBadge(x),
		URL: dash.CalendarsConnectionPath(id), ReadURL: dash.CalendarsReadPath(id)}
}

// usedText says what a connection is for: "iCalendar · blocks: Home, Work · bookings go into Work".
func (c *Call) usedText(x *calsync.Connection) string {
	var blocks []string
	target := ""
	for _, k := range x.Calendars {
		name := cmp.Or(k.Name, x.Name)
		if k.Blocks {
			blocks = append(blocks, name)
		}
		if k.Target {
			target = name
		}
	}
	texts := []string{c.CalendarKind(x.Kind)}
	if len(blocks) > 0 {
		texts = append(texts, c.T("calsync_blocks_these", "Names", strings.Join(blocks, ", ")))
	}
	if target != "" {
		texts = append(texts, c.T("calsync_target_is", "Name", target))
	}
	return strings.Join(texts, " · ")
}

// CalendarKind returns what a kind of connections is called.
func (c *Call) CalendarKind(k calsync.Kind) string {
	switch k {
	case calsync.CalDAV:
		return "CalDAV"
	case calsync.Google:
		return "Google"
	case calsync.Microsoft:
		return "Microsoft"
	}
	return c.T("calsync_place_ics")
}

// readText returns how old that is what was read.
func (c *Call) readText(x *calsync.Connection) string {
	if x.ReadAt == 0 {
		return c.T("calsync_never_read")
	}
	return c.T("calsync_read", "When", c.Ago(x.ReadAt))
}

// ConnectionBadge says how a connection works.
func (c *Call) ConnectionBadge(x *calsync.Connection) dash.Badge {
	switch x.State {
	case calsync.OK:
		return dash.Badge{Text: c.T("calsync_state_ok"), Tone: "good"}
	case calsync.Failing:
		return dash.Badge{Text: c.T("calsync_state_failing"), Tone: "warn"}
	case calsync.Refused:
		return dash.Badge{Text: c.T("calsync_state_refused"), Tone: "bad"}
	}
	return dash.Badge{Text: c.T("calsync_state_new")}
}
