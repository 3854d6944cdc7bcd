package web

import (
	"net/url"
	"time"

	"daybook/app"
	"daybook/views"
	"daybook/views/dash"
)

// sayings are the confirmations that a page can show, by their key in its URL.
var sayings = map[string]string{
	"saved-not-charged": "Saved. Stripe is not connected: until it is, the price is paid on site and no fee is charged.",
	"saved":             "Saved.", "created": "Created.", "deleted": "Deleted.",
	"copied":    "Copied. It is switched off until you are done.",
	"confirmed": "Approved. The booking is confirmed.", "declined": "Declined. The time is free again.",
	"cancelled": "Cancelled. The time is free again.",
	"moved":     "Moved.", "noshow": "Marked as a no-show.", "undone": "Taken back.", "booked": "Booked.",
	"password": "Your password is changed. Other browsers were signed out.",
	"revoked":  "Revoked. The key stopped working.", "sent": "Sent. The result will show up in the log.",
	"switched-on": "Switched on.", "switched-off": "Switched off.",
	"test-mail": "Sent. The mail server took the test mail; look in your inbox.",
	"imported":  "Imported.", "merged": "Merged.", "removed": "Removed.", "member": "Changed.",
	"connected": "Stripe is connected.", "disconnected": "Stripe is disconnected.",
	"refunded": "The refund is on its way. It shows here once Stripe has confirmed it.",
}

type section struct {
	key, label, icon, url string // label is the key of a message
	needs                 app.Command
	inBar                 bool // of a phone
}

var sections = []section{
	{"today", "shell_today", "today", dash.TodayPath, app.MaySeeBookings, true},
	{"calendar", "shell_calendar", "calendar", dash.CalendarPath, app.MaySeeBookings, true},
	{"bookings", "shell_bookings", "list", dash.BookingsPath, app.MaySeeBookings, false},
	{"types", "shell_types", "types", dash.TypesPath, app.MayManageEventTypes, false},
	{"hours", "shell_hours", "hours", dash.HostsPath, app.MaySeeHosts, false},
	{"contacts", "shell_customers", "contacts", dash.ContactsPath, app.MaySeeContacts, true},
	{"analytics", "shell_analytics", "analytics", dash.AnalyticsPath, app.MaySeeAnalytics, false},
	{"integrations", "shell_integrations", "plug", dash.IntegrationsPath, app.MayManageWorkspace, false},
	{"settings", "shell_settings", "settings", dash.SettingsPath, app.MayManageWorkspace, false},
}

// RoleNames are the names of the roles.
var RoleNames = map[app.Role]string{app.OwnerRole: "Owner", app.ManagerRole: "Manager", app.StaffRole: "Staff"}

// Frame is what surrounds a page, for the member who is signed in.
func (c *Call) Frame(title, at string) dash.Frame {
	d := dash.Frame{Locale: c.Locale, Title: title, Section: at, Theme: c.themeChoice(),
		Said: sayings[c.URL.Query().Get("said")]}
	if c.Setup == nil {
		return d
	}
	w := &c.Setup.Workspace
	d.Workspace = views.Workspace{Name: w.Name, Color: w.Settings.Color, LogoURL: w.Settings.LogoURL, URL: "/" + w.Slug}
	d.Email, d.Role = c.Session.User.Email, RoleNames[c.Actor.Role]
	for _, s := range sections {
		if c.May(s.needs) {
			d.Nav = append(d.Nav, dash.NavLink{Key: s.key, Label: c.Locale.T(s.label), Icon: s.icon, URL: s.url,
				Current: s.key == at, InBar: s.inBar})
		}
	}
	if c.May(app.MayBook) {
		d.NewURL = c.walkInURL()
	}
	return d
}

// walkInURL leads to a booking for somebody who has just come in: now, at the host who is signed in.
func (c *Call) walkInURL() string {
	q := url.Values{"date": {c.Now().Format(time.DateOnly)}, "start": {dash.NextStart}}
	if c.Actor.Host != 0 {
		q.Set("host", c.Actor.Host.String())
	}
	return WithQuery(dash.NewBookingPath, q)
}
