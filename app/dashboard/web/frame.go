package web

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/views"
	"daybook/views/dash"
)

// sayings are the messages of confirmations that a page can show, by their key in its URL, where they aren't dash_said_
// and the key.
var sayings = map[string]string{
	"saved-not-charged": "dash_said_not_charged",
	"tried":             "push_sent",
	"untold":            "push_removed",
	"factor-added":      "factor_said_added",
	"switched-on":       "dash_said_on",
	"switched-off":      "dash_said_off",
	"test-mail":         "dash_said_test_mail",
	"mail-works":        "connect_mail_said_works",
	"took":              "till_said_took",
	"gave":              "till_said_gave",
	"closed":            "till_said_closed",
	"mailed":            "till_said_mailed",
	"receipt-mailed":    "till_said_by_mail",
	"receipt-texted":    "till_said_by_text",
	"receipt-both":      "till_said_by_both",
	"invited":           "invitation_said_mailed",
	"uninvited":         "invitation_said_revoked",
	"waits":             "waits_said",
	"freed-skipped":     "freed_said_skipped",
	"freed-open":        "freed_said_open",
	"told":              "call_said",
	"wait-ended":        "waits_said_ended",
	"replied":           "inbox_said",
	"linked":            "calsync_said_connected",
	"unlinked":          "calsync_said_ended",
	"read":              "calsync_said_read",
	"unread":            "calsync_said_unread",
	"left":              "calsync_said_left",
	"product-archived":  "product_said_archived",
	"product-back":      "product_said_back",
	"product-gone":      "product_said_gone",
}

type section struct {
	key, label, icon, url string // label is the key of a message
	needs                 app.Command
	inBar                 bool // of a phone
}

var sections = []section{
	{"today", "shell_today", "today", dash.TodayPath, app.MaySeeBookings, true},
	{"calendar", "shell_calendar", "calendar", dash.CalendarPath, app.MaySeeBookings, true},
	{"till", "till_title", "till", dash.TillPath, app.MaySeeTill, false},
	{"bookings", "shell_bookings", "list", dash.BookingsPath, app.MaySeeBookings, false},
	{"types", "shell_types", "types", dash.TypesPath, app.MayManageEventTypes, false},
	{"invitations", "invitation_links", "mail", dash.InvitationsPath, app.MayInvite, false},
	{"hours", "shell_hours", "team", dash.HostsPath, app.MaySeeHosts, false},
	{"contacts", "shell_customers", "contacts", dash.ContactsPath, app.MaySeeContacts, true},
	{"analytics", "shell_analytics", "analytics", dash.AnalyticsPath, app.MaySeeAnalytics, false},
	{"integrations", "shell_integrations", "plug", dash.IntegrationsPath, app.MayConnectCalendars, false},
	{"caught", "caught_title", "mail", dash.CaughtPath, app.MayManageMails, false},
	{"settings", "shell_settings", "settings", dash.SettingsPath, app.MayManageWorkspace, false},
}

var roleKeys = map[app.Role]string{
	app.OwnerRole: "dash_role_owner", app.ManagerRole: "dash_role_manager", app.StaffRole: "dash_role_staff",
}

// RoleName returns the name of a role.
func (c *Call) RoleName(r app.Role) string { return c.T(roleKeys[r]) }

// RoleOptions returns the roles to choose from, that with the fewest rights first.
func (c *Call) RoleOptions() (all []dash.Option) {
	for _, r := range slices.Backward(app.Roles) {
		all = append(all, dash.Option{Value: string(r), Label: c.RoleName(r)})
	}
	return all
}

// Frame returns what surrounds a page, for the member who is signed in.
func (c *Call) Frame(title, at string) dash.Frame {
	d := dash.Frame{Locale: c.Locale, Title: title, Section: at, Theme: c.themeChoice(), Seen: c.Seen}
	d.Said = c.said(c.URL.Query().Get("said"))
	if made := booking.WholeID(c.URL.Query().Get("booked")); made != "" && d.Said != "" {
		d.SaidURL = dash.BookingPath(made)
	}
	if c.Setup == nil {
		return d
	}
	w := &c.Setup.Workspace
	d.Workspace = views.Workspace{Name: w.Name, Color: w.Settings.Color, LogoURL: c.Setup.Logo(), URL: "/" + w.Slug}
	d.Email, d.Role = c.Session.User.Email, c.RoleName(c.Actor.Role)
	for _, s := range sections {
		if s.key == "invitations" && c.May(app.MayManageEventTypes) {
			continue // the page of the event types leads there
		}
		if s.key == "caught" && c.Caught == nil {
			continue
		}
		if c.May(s.needs) {
			d.Nav = append(d.Nav, dash.NavLink{Key: s.key, Label: c.Locale.T(s.label), Icon: s.icon, URL: s.url,
				Current: s.key == at, InBar: s.inBar})
		}
	}
	if c.May(app.MayBook) && len(c.Setup.EventTypes) > 0 && len(c.Setup.Hosts) > 0 {
		d.NewURL = c.walkInURL()
	}
	return d
}

// said returns the confirmation that a page's URL names, "" for none.
func (c *Call) said(name string) string {
	key := cmp.Or(sayings[name], "dash_said_"+name)
	if text := c.T(key); text != key {
		return text
	}
	return ""
}

// walkInURL leads to a booking for somebody who has just come in: now, at the host who is signed in.
func (c *Call) walkInURL() string {
	q := url.Values{"date": {c.Now().Format(time.DateOnly)}, "start": {dash.NextStart}}
	if c.Actor.Host != 0 {
		q.Set("host", c.Actor.Host.String())
	}
	return WithQuery(dash.NewBookingPath, q)
}
