package shop

import (
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/shop"
	"daybook/app/when"
	"daybook/views/dash"
)

// team shows everybody whose time is booked, and to those who manage members also who else signs in.
func (c call) team() error {
	v := dash.TeamPage{Frame: c.Frame(c.T("dash_availability"), "hours"), RoomsURL: dash.ResourcesPath}
	if c.May(app.MayManageHosts) {
		v.NewURL, v.ClosedURL = dash.NewHostPath, dash.HostAwayPath(shop.Everybody)
	}
	members, err := c.members()
	if err != nil {
		return err
	}
	calendars, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		if !c.Actor.Sees(h.ID) {
			continue
		}
		row := dash.TeamRow{Name: h.Name, Portrait: c.Portrait(h), URL: dash.HostPath(h.ID.String()), Off: !h.Active,
			Calendar: c.calendarsOf(h.ID, calendars)}
		row.Does, row.DoesNone = c.doesText(h.ID, shownServices)
		c.sayToday(&row, h)
		if c.May(app.MayManageMembers) {
			row.SignIn = c.signInText(membersOf(members, h.ID))
		}
		v.Rows = append(v.Rows, row)
	}
	if c.May(app.MayManageMembers) {
		v.SignersURL = dash.MembersPath
		for i := range members {
			if u := &members[i]; c.Setup.Host(u.HostID) == nil {
				v.Signers = append(v.Signers, dash.SignerRow{Email: u.Email, State: c.memberText(u), URL: dash.MembersPath})
			}
		}
	}
	return c.Show(200, dash.Team(v))
}

// members returns all members, or none to those who may not manage them.
func (c call) members() ([]app.User, error) {
	if !c.May(app.MayManageMembers) {
		return nil, nil
	}
	return c.Subjects.Account.Members(c.Context(), c.Actor)
}

// membersOf returns the members that sign in as the host.
func membersOf(all []app.User, host catalog.HostID) (some []app.User) {
	for _, u := range all {
		if u.HostID == host {
			some = append(some, u)
		}
	}
	return some
}

// signsInAs are the messages that say as what a member signs in.
var signsInAs = map[app.Role]string{app.OwnerRole: "team_signs_in_owner", app.ManagerRole: "team_signs_in_manager",
	app.StaffRole: "team_signs_in_staff"}

// memberText says as what a member signs in, or that they haven't yet.
func (c call) memberText(u *app.User) string {
	if u.PasswordHash == "" {
		return c.T("team_invited")
	}
	return c.T(signsInAs[u.Role])
}

func (c call) signInText(members []app.User) string {
	if len(members) == 0 {
		return c.T("team_signs_in_not")
	}
	return c.memberText(&members[0])
}

// shownServices is how many services the card of a person names.
const shownServices = 4

// doesText names what can be booked with a host, of a longer list the first most.
func (c call) doesText(host catalog.HostID, most int) (text string, none bool) {
	all := c.served(host)
	served := slices.DeleteFunc(slices.Clone(all), func(e *catalog.EventType) bool { return !e.Active })
	var names []string
	for i, e := range served {
		if i < most || len(served) == most+1 { // "and 1 more" is no shorter
			names = append(names, e.Title)
		}
	}
	switch {
	case len(served) == 0 && len(all) > 0:
		return c.T("team_does_off"), true
	case len(served) == 0:
		return c.T("team_does_none"), true
	case len(names) < len(served):
		return c.T("team_does_more", "Names", strings.Join(names, ", "), "Count", len(served)-len(names)), false
	}
	return strings.Join(names, ", "), false
}

// sayToday says when the host works today, or until when they are off, and what comes next that is not as usual.
func (c call) sayToday(row *dash.TeamRow, h *catalog.Host) {
	now := c.Subjects.Now().In(h.Location())
	until := now
	for range 31 { // one time off after the other
		next := until
		for _, a := range h.Away(until, until.Add(time.Millisecond)) {
			if end := a.End.Time(); end.After(next) {
				next = end.In(h.Location())
			}
		}
		if next.Equal(until) {
			break
		}
		until = next
	}
	if until.After(now) {
		row.Away, row.Today = true, c.T("team_off_until", "Until", c.untilText(until))
		row.Next = c.nextChange(h, until)
		return
	}
	hours, _ := h.DayHours(now)
	row.Today, row.Next = c.T("team_today_off"), c.nextChange(h, now)
	if len(hours) > 0 {
		row.Today = c.Locale.Labelled(c.T("team_today"), c.hoursText(hours))
	}
}

// untilText is the day on which somebody is back, with the time unless it begins.
func (c call) untilText(at time.Time) string {
	if at.Equal(when.DayOf(at)) {
		return c.Day(at)
	}
	return c.Day(at) + ", " + c.Locale.Time(at, "")
}

// calendarsOf says whether calendars of the host are connected, and whether one can't be read.
func (c call) calendarsOf(host catalog.HostID, all []calsync.Connection) (b dash.Badge) {
	for i := range all {
		switch x := &all[i]; {
		case x.Host != host:
		case x.Problem != "":
			return dash.Badge{Text: c.T("team_calendar_broken"), Tone: "warn"}
		default:
			b = dash.Badge{Text: c.T("team_calendar"), Tone: "good"}
		}
	}
	return b
}
