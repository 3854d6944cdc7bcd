package integrations

import (
	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/app/oauth"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the routes of this part, each with the right that it needs.
var Routes = []web.Route{
	web.On("GET /dashboard/integrations", app.MayConnectCalendars, call.integrations),

	web.On("GET /dashboard/integrations/calendars", app.MayConnectCalendars, call.calendars),
	web.On("GET /dashboard/integrations/calendars/new", app.MayConnectCalendars, call.newCalendars),
	web.On("POST /dashboard/integrations/calendars/new", app.MayConnectCalendars, call.connectCalendars),
	web.On("POST /dashboard/integrations/calendars/unknown", app.MaySetHours, call.whenUnknown),
	web.On("POST /dashboard/integrations/calendars/{id}/leave", app.MayConnectCalendars, call.leaveBooking),
	web.On("GET /dashboard/integrations/calendars/{id}", app.MayConnectCalendars, call.connection),
	web.On("POST /dashboard/integrations/calendars/{id}", app.MayConnectCalendars, call.chooseCalendars),
	web.On("POST /dashboard/integrations/calendars/{id}/read", app.MayConnectCalendars, call.readCalendars),
	web.On("GET /dashboard/integrations/calendars/{id}/disconnect", app.MayConnectCalendars, call.endCalendarsForm),
	web.On("POST /dashboard/integrations/calendars/{id}/disconnect", app.MayConnectCalendars, call.endCalendars),
	web.On("GET /dashboard/integrations/calendars/{kind}/client", app.MayManageWorkspace, call.client),
	web.On("POST /dashboard/integrations/calendars/{kind}/client", app.MayManageWorkspace, call.saveClient),
	web.On("POST /dashboard/integrations/calendars/{kind}/client/remove", app.MayManageWorkspace, call.removeClient),
	web.On("GET /dashboard/integrations/calendars/{kind}/start", app.MayConnectCalendars, call.startSignIn),
	web.On("GET /dashboard/integrations/calendars/{kind}/callback", app.MayConnectCalendars, call.endSignIn),

	web.On("GET /dashboard/developers", app.MaySeeEndpoints, call.developers),
	web.On("GET /dashboard/developers/keys/new", app.MayManageKeys, call.newKeyForm),
	web.On("POST /dashboard/developers/keys/new", app.MayManageKeys, call.newKey),
	web.On("GET /dashboard/developers/keys/docs", app.MayManageKeys, call.docsKeyForm),
	web.On("POST /dashboard/developers/keys/docs", app.MayManageKeys, call.docsKey),
	web.On("POST /dashboard/developers/keys/{id}/rotate", app.MayManageKeys, call.rotateKey),
	web.On("POST /dashboard/developers/keys/{id}/revoke", app.MayManageKeys, call.revokeKey),
	web.On("GET /dashboard/developers/webhooks", app.MaySeeEndpoints, call.webhooks),
	web.On("GET /dashboard/developers/webhooks/new", app.MayManageEndpoints, call.newWebhookForm),
	web.On("POST /dashboard/developers/webhooks/new", app.MayManageEndpoints, call.newWebhook),
	web.On("GET /dashboard/developers/webhooks/{id}", app.MaySeeEndpoints, call.webhook),
	web.On("POST /dashboard/developers/webhooks/{id}/test", app.MayManageEndpoints, call.testWebhook),
	web.On("POST /dashboard/developers/webhooks/{id}/on", app.MayManageEndpoints, call.webhookOn),
	web.On("POST /dashboard/developers/webhooks/{id}/off", app.MayManageEndpoints, call.webhookOff),
	web.On("POST /dashboard/developers/webhooks/{id}/rotate", app.MayManageEndpoints, call.rotateSecret),
	web.On("POST /dashboard/developers/webhooks/{id}/delete", app.MayManageEndpoints, call.deleteWebhook),
	web.On("GET /dashboard/developers/webhooks/{id}/deliveries/{delivery}", app.MaySeeEndpoints, call.delivery),
	web.On("POST /dashboard/developers/webhooks/{id}/deliveries/{delivery}/again", app.MayManageEndpoints,
		call.deliverAgain),
	web.On("GET "+oauth.AuthorizePath, app.MaySeeSessions, call.consent),
	web.On("POST "+oauth.AuthorizePath, app.MaySeeSessions, call.decideConsent),
	web.On("POST /dashboard/connections/{id}/end", app.MaySeeSessions, call.endGrant),
	web.On("GET /dashboard/developers/agents", app.MaySeeEndpoints, call.agents),
	web.On("GET /dashboard/developers/embed", app.MayManageWorkspace, call.embed),
	web.On("GET /dashboard/developers/embed/preview", app.MayManageWorkspace, call.embedPreview),

	web.On("GET /dashboard/caught", app.MayManageMails, call.caught),
	web.On("GET /dashboard/caught/{id}", app.MayManageMails, call.caught),
	web.On("GET /dashboard/caught/{id}/read", app.MayManageMails, call.readCaught),
	web.On("GET /dashboard/caught/{id}/invitation/{n}", app.MayManageMails, call.caughtInvitation),

	web.On("GET /dashboard/settings/mail", app.MayManageMails, call.mail),
	web.On("POST /dashboard/settings/mail", app.MayManageMails, call.saveMail),
	web.On("POST /dashboard/settings/mail/kinds", app.MayManageMails, call.saveMailKinds),
	web.On("POST /dashboard/settings/mail/find", app.MayManageMails, call.findMail),
	web.On("POST /dashboard/settings/mail/connect", app.MayManageMails, call.connectMail),
	web.On("POST /dashboard/settings/mail/code", app.MayManageMails, call.confirmMail),
	web.On("POST /dashboard/settings/mail/send-code", app.MayManageMails, call.sendMailCode),
	web.On("POST /dashboard/settings/mail/test", app.MayManageMails, call.testMail),
	web.On("POST /dashboard/settings/mail/{id}/again", app.MayManageMails, call.mailAgain),
	web.On("GET /dashboard/settings/texts", app.MayManageMails, call.texts),
	web.On("GET /dashboard/settings/texts/by/{preset}", app.MayManageMails, call.textsSender),
	web.On("POST /dashboard/settings/texts/by/{preset}", app.MayManageMails, call.saveTextsSender),
	web.On("POST /dashboard/settings/texts/remove", app.MayManageMails, call.removeTextsSender),
	web.On("POST /dashboard/settings/texts/address", app.MayManageMails, call.newTextRoute),
	web.On("POST /dashboard/settings/texts/test", app.MayManageMails, call.testText),
	web.On("GET /dashboard/settings/texts/rules", app.MayManageMails, call.textsRules),
	web.On("POST /dashboard/settings/texts/rules", app.MayManageMails, call.saveTextsRules),
	web.On("POST /dashboard/settings/texts/again/{id}", app.MayManageMails, call.textAgain),
	web.On("GET /dashboard/settings/payments", app.MayManagePayments, call.payments),
	web.On("POST /dashboard/settings/payments", app.MayManagePayments, call.connectPayments),
	web.On("POST /dashboard/settings/payments/disconnect", app.MayManagePayments, call.disconnectPayments),
	web.On("GET /dashboard/settings/feeds", app.MayManageFeeds, call.feeds),
	web.On("POST /dashboard/settings/feeds", app.MayManageFeeds, call.changeFeed),
}
