// package integrations connects bookings with calendars, mail, payments, web sites and programs.
package integrations

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the addresses of this part, with the least role that may use each.
var Routes = []web.Route{
	web.On("GET /dashboard/integrations", app.ManagerRole, call.integrations),

	web.On("GET /dashboard/developers", app.ManagerRole, call.developers),
	web.On("GET /dashboard/developers/keys/new", app.OwnerRole, call.newKeyForm),
	web.On("POST /dashboard/developers/keys/new", app.OwnerRole, call.newKey),
	web.On("POST /dashboard/developers/keys/{id}/rotate", app.OwnerRole, call.rotateKey),
	web.On("POST /dashboard/developers/keys/{id}/revoke", app.OwnerRole, call.revokeKey),
	web.On("GET /dashboard/developers/webhooks", app.ManagerRole, call.webhooks),
	web.On("GET /dashboard/developers/webhooks/new", app.ManagerRole, call.newWebhookForm),
	web.On("POST /dashboard/developers/webhooks/new", app.ManagerRole, call.newWebhook),
	web.On("GET /dashboard/developers/webhooks/{id}", app.ManagerRole, call.webhook),
	web.On("POST /dashboard/developers/webhooks/{id}/test", app.ManagerRole, call.testWebhook),
	web.On("POST /dashboard/developers/webhooks/{id}/on", app.ManagerRole, call.webhookOn),
	web.On("POST /dashboard/developers/webhooks/{id}/off", app.ManagerRole, call.webhookOff),
	web.On("POST /dashboard/developers/webhooks/{id}/rotate", app.ManagerRole, call.rotateSecret),
	web.On("POST /dashboard/developers/webhooks/{id}/delete", app.ManagerRole, call.deleteWebhook),
	web.On("GET /dashboard/developers/webhooks/{id}/deliveries/{delivery}", app.ManagerRole, call.delivery),
	web.On("POST /dashboard/developers/webhooks/{id}/deliveries/{delivery}/again", app.ManagerRole, call.deliverAgain),
	web.On("GET /dashboard/developers/agents", app.ManagerRole, call.agents),
	web.On("GET /dashboard/developers/embed", app.ManagerRole, call.embed),

	web.On("GET /dashboard/settings/mail", app.ManagerRole, call.mail),
	web.On("POST /dashboard/settings/mail", app.ManagerRole, call.saveMail),
	web.On("POST /dashboard/settings/mail/test", app.ManagerRole, call.testMail),
	web.On("POST /dashboard/settings/mail/{id}/again", app.ManagerRole, call.mailAgain),
	web.On("GET /dashboard/settings/payments", app.OwnerRole, call.payments),
	web.On("POST /dashboard/settings/payments", app.OwnerRole, call.connectPayments),
	web.On("POST /dashboard/settings/payments/disconnect", app.OwnerRole, call.disconnectPayments),
	web.On("GET /dashboard/settings/feeds", app.ManagerRole, call.feeds),
	web.On("POST /dashboard/settings/feeds", app.ManagerRole, call.changeFeed),
}
