package dashboard

import (
	"slices"

	"daybook/app"
	"daybook/app/dashboard/agenda"
	"daybook/app/dashboard/analytics"
	"daybook/app/dashboard/bulk"
	"daybook/app/dashboard/calendar"
	"daybook/app/dashboard/contacts"
	"daybook/app/dashboard/integrations"
	"daybook/app/dashboard/invitations"
	"daybook/app/dashboard/settings"
	"daybook/app/dashboard/shop"
	"daybook/app/dashboard/till"
	"daybook/app/dashboard/today"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// call is one request for a page outside the parts: sign-in, set-up and one's own account.
type call struct{ *web.Call }

// routes are all routes of the dashboard: those outside the parts, and those of each part.
var routes = slices.Concat(
	entrance, today.Routes, calendar.Routes, agenda.Routes, bulk.Routes, till.Routes, shop.Routes, contacts.Routes,
	invitations.Routes, analytics.Routes, integrations.Routes, settings.Routes,
)

var entrance = []web.Route{
	web.Open("GET /login", call.loginForm),
	web.Open("POST /login", call.login),
	web.Open("GET /setup/{token}", call.setupForm),
	web.Open("POST /setup/{token}", call.takeSetup),
	web.Open("GET /invite/{token}", call.inviteForm),
	web.Open("POST /invite/{token}", call.takeInvite),
	web.Open("GET "+dash.ManifestPath, call.manifest),
	web.Open("GET "+dash.WorkerPath, call.worker),
	web.Open("GET "+dash.OfflinePath, call.offline),
	web.On("POST /logout", app.MaySeeSessions, call.logout),
	web.On("GET /dashboard/start/hours", app.MayManageHosts, call.startHoursForm),
	web.On("POST /dashboard/start/hours", app.MayManageHosts, call.startHours),
	web.On("GET /dashboard/start/service", app.MayManageEventTypes, call.startServiceForm),
	web.On("POST /dashboard/start/service", app.MayManageEventTypes, call.startService),
	web.On("GET /dashboard/start/done", app.MayManageEventTypes, call.startDone),
	web.On("POST /dashboard/theme", app.MaySeeSessions, call.theme),
	web.On("GET /dashboard/account", app.MaySeeSessions, call.account),
	web.On("POST /dashboard/account/language", app.MaySeeSessions, call.language),
	web.On("POST /dashboard/account/password", app.MaySeeSessions, call.changePassword),
	web.On("POST /dashboard/account/push", app.MaySeeSessions, call.subscribe),
	web.On("POST /dashboard/account/push/key", app.MaySeeSessions, call.pushKey),
	web.On("POST /dashboard/account/push/{device}", app.MaySeeSessions, call.device),
	web.On("POST /dashboard/account/everywhere", app.MaySeeSessions, call.logoutEverywhere),
}
