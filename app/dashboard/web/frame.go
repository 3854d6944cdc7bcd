package web

import (
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
	key, label, icon, url string
	needs                 app.Command
}

var sections = []section{
	{"today", "Today", "today", dash.TodayPath, app.MaySeeBookings},
	{"calendar", "Calendar", "calendar", dash.CalendarPath, app.MaySeeBookings},
	{"bookings", "Bookings", "list", dash.BookingsPath, app.MaySeeBookings},
	{"types", "Event types", "types", dash.TypesPath, app.MayManageEventTypes},
	{"hours", "Availability", "hours", dash.HostsPath, app.MaySeeHosts},
	{"contacts", "Contacts", "contacts", dash.ContactsPath, app.MaySeeContacts},
	{"analytics", "Analytics", "analytics", dash.AnalyticsPath, app.MaySeeAnalytics},
	{"integrations", "Integrations", "plug", dash.IntegrationsPath, app.MayManageWorkspace},
	{"settings", "Settings", "settings", dash.SettingsPath, app.MayManageWorkspace},
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
			d.Nav = append(d.Nav, dash.NavLink{Key: s.key, Label: s.label, Icon: s.icon, URL: s.url, Current: s.key == at})
		}
	}
	return d
}
