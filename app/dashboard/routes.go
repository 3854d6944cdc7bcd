package dashboard

import (
	"slices"

	"daybook/app"
	"daybook/app/dashboard/agenda"
	"daybook/app/dashboard/analytics"
	"daybook/app/dashboard/contacts"
	"daybook/app/dashboard/integrations"
	"daybook/app/dashboard/settings"
	"daybook/app/dashboard/shop"
	"daybook/app/dashboard/web"
)

// call is one request for a page of the way in: sign-in, set-up and one's own account.
type call struct{ *web.Call }

// routes are all addresses of the dashboard: those of the way in, and those of each part.
var routes = slices.Concat(
	entrance, agenda.Routes, shop.Routes, contacts.Routes, analytics.Routes, integrations.Routes, settings.Routes,
)

var entrance = []web.Route{
	web.On("GET /login", "", call.loginForm),
	web.On("POST /login", "", call.login),
	web.On("GET /setup/{token}", "", call.setupForm),
	web.On("POST /setup/{token}", "", call.takeSetup),
	web.On("GET /invite/{token}", "", call.inviteForm),
	web.On("POST /invite/{token}", "", call.takeInvite),
	web.On("POST /logout", app.StaffRole, call.logout),
	web.On("GET /dashboard/start/hours", app.OwnerRole, call.startHoursForm),
	web.On("POST /dashboard/start/hours", app.OwnerRole, call.startHours),
	web.On("GET /dashboard/start/service", app.OwnerRole, call.startServiceForm),
	web.On("POST /dashboard/start/service", app.OwnerRole, call.startService),
	web.On("GET /dashboard/start/done", app.OwnerRole, call.startDone),
	web.On("POST /dashboard/theme", app.StaffRole, call.theme),
	web.On("GET /dashboard/account", app.StaffRole, call.account),
	web.On("POST /dashboard/account/password", app.StaffRole, call.changePassword),
	web.On("POST /dashboard/account/everywhere", app.StaffRole, call.logoutEverywhere),
}
