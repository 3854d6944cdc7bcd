package dashboard

import (
	"slices"

	"daybook/app"
	"daybook/app/dashboard/calendar"
	"daybook/app/dashboard/integrations"
	"daybook/app/dashboard/settings"
	"daybook/app/dashboard/shop"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// call is one request for a page outside the parts: sign-in, set-up and one's own account.
type call struct{ *web.Call }

// routes are all routes of the dashboard: those outside the parts, and those of each part.
var routes = slices.Concat(
	entrance, calendar.TodayRoutes, calendar.CalendarRoutes, calendar.BookingRoutes, calendar.CancelRoutes, calendar.TillRoutes, shop.Routes, settings.ContactRoutes,
	settings.InvitationRoutes, settings.WaitlistRoutes, settings.MessageRoutes, settings.AnalyticsRoutes, integrations.Routes, settings.SettingsRoutes,
)

var entrance = []web.Route{
	web.Open("POST /login/passkey", call.askSignIn),
	web.Open("POST /login/passkey/answer", call.signInByPasskey),
	web.Half("GET /login/second", call.secondForm),
	web.Half("POST /login/second", call.second),
	web.Half("POST /login/second/passkey", call.askSecond),
	web.Half("POST /login/second/passkey/answer", call.secondByPasskey),
	web.Half("GET /dashboard/account/security", call.security),
	web.Half("GET /dashboard/account/security/confirm", call.confirmForm),
	web.Half("POST /dashboard/account/security/confirm", call.confirm),
	web.Half("POST /dashboard/account/security/confirm/passkey", call.askConfirm),
	web.Half("POST /dashboard/account/security/confirm/passkey/answer", call.confirmByPasskey),
	web.Half("GET /dashboard/account/security/app", call.appForm),
	web.Half("POST /dashboard/account/security/app", call.addApp),
	web.On("POST /dashboard/account/security/app/remove", app.MaySeeSessions, call.removeApp),
	web.On("POST /dashboard/account/security/codes", app.MaySeeSessions, call.newCodes),
	web.Half("POST /dashboard/account/security/passkeys/ask", call.askPasskey),
	web.Half("POST /dashboard/account/security/passkeys", call.addPasskey),
	web.On("POST /dashboard/account/security/passkeys/{id}", app.MaySeeSessions, call.renamePasskey),
	web.On("POST /dashboard/account/security/passkeys/{id}/remove", app.MaySeeSessions, call.removePasskey),
	web.Open("GET /login", call.loginForm),
	web.Open("POST /login", call.login),
	web.Open("GET /setup/{token}", call.setupForm),
	web.Open("POST /setup/{token}", call.takeSetup),
	web.Open("GET /invite/{token}", call.inviteForm),
	web.Open("POST /invite/{token}", call.takeInvite),
	web.Open("GET "+dash.ManifestPath, call.manifest),
	web.Open("GET "+dash.WorkerPath, call.worker),
	web.Open("GET "+dash.OfflinePath, call.offline),
	web.Half("POST /logout", call.logout),
	web.On("GET /dashboard/start/hours", app.MayManageHosts, call.startHoursForm),
	web.On("POST /dashboard/start/hours", app.MayManageHosts, call.startHours),
	web.On("GET /dashboard/start/trade", app.MayManageEventTypes, call.startTrade),
	web.On("GET /dashboard/start/services", app.MayManageEventTypes, call.startServicesForm),
	web.On("POST /dashboard/start/services", app.MayManageEventTypes, call.startServices),
	web.On("GET /dashboard/start/shop", app.MayManageHosts, call.startShopForm),
	web.On("POST /dashboard/start/shop", app.MayManageHosts, call.startShop),
	web.On("POST /dashboard/start/picture", app.MayManageHosts, call.startPicture),
	web.On("POST /dashboard/start/picture/remove", app.MayManageHosts, call.startNoPicture),
	web.On("GET /dashboard/poster", app.MayManageEventTypes, call.poster),
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
	web.On("GET /dashboard/{path...}", app.MaySeeSessions, call.nowhere),
	web.On("POST /dashboard/{path...}", app.MaySeeSessions, call.nowhere), // a form of an older page
}

// nowhere answers at addresses that no page has.
func (c call) nowhere() error { return fault.Missing("page", c.URL.Path) }
