package dashboard

import "daybook/app"

// route is one address, the least role that may use it, and what answers. The role "" is for everybody.
type route struct {
	pattern string
	least   app.Role
	handle  func(*Door, *call) error
}

var routes = []route{
	{"GET /login", "", (*Door).loginForm},
	{"POST /login", "", (*Door).login},
	{"GET /setup/{token}", "", (*Door).setupForm},
	{"POST /setup/{token}", "", (*Door).setup},
	{"GET /invite/{token}", "", (*Door).inviteForm},
	{"POST /invite/{token}", "", (*Door).takeInvite},
	{"POST /logout", app.StaffRole, (*Door).logout},

	{"GET /dashboard/start/hours", app.OwnerRole, (*Door).startHoursForm},
	{"POST /dashboard/start/hours", app.OwnerRole, (*Door).startHours},
	{"GET /dashboard/start/service", app.OwnerRole, (*Door).startServiceForm},
	{"POST /dashboard/start/service", app.OwnerRole, (*Door).startService},
	{"GET /dashboard/start/done", app.OwnerRole, (*Door).startDone},

	{"GET /dashboard", app.StaffRole, (*Door).today},
	{"POST /dashboard/theme", app.StaffRole, (*Door).theme},
	{"GET /dashboard/account", app.StaffRole, (*Door).account},
	{"POST /dashboard/account/password", app.StaffRole, (*Door).changePassword},
	{"POST /dashboard/account/everywhere", app.StaffRole, (*Door).logoutEverywhere},

	{"GET /dashboard/bookings", app.StaffRole, (*Door).bookings},
	{"GET /dashboard/bookings/calendar", app.StaffRole, (*Door).calendar},
	{"GET /dashboard/bookings/new", app.StaffRole, (*Door).newBookingForm},
	{"POST /dashboard/bookings/new", app.StaffRole, (*Door).newBooking},
	{"GET /dashboard/bookings/{id}", app.StaffRole, (*Door).booking},
	{"GET /dashboard/bookings/{id}/move", app.StaffRole, (*Door).moveForm},
	{"POST /dashboard/bookings/{id}/move", app.StaffRole, (*Door).move},
	{"POST /dashboard/bookings/{id}/confirm", app.StaffRole, (*Door).confirm},
	{"POST /dashboard/bookings/{id}/decline", app.StaffRole, (*Door).decline},
	{"POST /dashboard/bookings/{id}/cancel", app.StaffRole, (*Door).cancel},
	{"POST /dashboard/bookings/{id}/no-show", app.StaffRole, (*Door).noShow},
	{"POST /dashboard/bookings/{id}/undo-no-show", app.StaffRole, (*Door).undoNoShow},

	{"GET /dashboard/developers", app.ManagerRole, (*Door).developers},
	{"GET /dashboard/developers/keys/new", app.OwnerRole, (*Door).newKeyForm},
	{"POST /dashboard/developers/keys/new", app.OwnerRole, (*Door).newKey},
	{"POST /dashboard/developers/keys/{id}/rotate", app.OwnerRole, (*Door).rotateKey},
	{"POST /dashboard/developers/keys/{id}/revoke", app.OwnerRole, (*Door).revokeKey},
	{"GET /dashboard/developers/webhooks", app.ManagerRole, (*Door).webhooks},
	{"GET /dashboard/developers/webhooks/new", app.ManagerRole, (*Door).newWebhookForm},
	{"POST /dashboard/developers/webhooks/new", app.ManagerRole, (*Door).newWebhook},
	{"GET /dashboard/developers/webhooks/{id}", app.ManagerRole, (*Door).webhook},
	{"POST /dashboard/developers/webhooks/{id}/test", app.ManagerRole, (*Door).testWebhook},
	{"POST /dashboard/developers/webhooks/{id}/on", app.ManagerRole, (*Door).webhookOn},
	{"POST /dashboard/developers/webhooks/{id}/off", app.ManagerRole, (*Door).webhookOff},
	{"POST /dashboard/developers/webhooks/{id}/rotate", app.ManagerRole, (*Door).rotateSecret},
	{"POST /dashboard/developers/webhooks/{id}/delete", app.ManagerRole, (*Door).deleteWebhook},
	{"GET /dashboard/developers/webhooks/{id}/deliveries/{delivery}", app.ManagerRole, (*Door).delivery},
	{"POST /dashboard/developers/webhooks/{id}/deliveries/{delivery}/again", app.ManagerRole, (*Door).deliverAgain},
	{"GET /dashboard/developers/agents", app.ManagerRole, (*Door).agents},
	{"GET /dashboard/developers/embed", app.ManagerRole, (*Door).embed},

	{"GET /dashboard/types", app.ManagerRole, (*Door).types},
	{"GET /dashboard/types/new", app.ManagerRole, (*Door).newTypeForm},
	{"POST /dashboard/types/new", app.ManagerRole, (*Door).newType},
	{"GET /dashboard/types/{id}", app.ManagerRole, (*Door).typeForm},
	{"POST /dashboard/types/{id}", app.ManagerRole, (*Door).saveType},
	{"POST /dashboard/types/{id}/up", app.ManagerRole, (*Door).typeUp},
	{"POST /dashboard/types/{id}/down", app.ManagerRole, (*Door).typeDown},
	{"POST /dashboard/types/{id}/switch", app.ManagerRole, (*Door).switchType},
	{"POST /dashboard/types/{id}/copy", app.ManagerRole, (*Door).copyType},

	{"GET /dashboard/hosts", app.StaffRole, (*Door).hosts},
	{"GET /dashboard/hosts/new", app.ManagerRole, (*Door).newHostForm},
	{"POST /dashboard/hosts/new", app.ManagerRole, (*Door).newHost},
	{"GET /dashboard/hosts/{id}", app.StaffRole, (*Door).hostForm},
	{"POST /dashboard/hosts/{id}", app.StaffRole, (*Door).saveHost},
	{"GET /dashboard/hosts/{id}/month", app.StaffRole, (*Door).hostMonth},
	{"GET /dashboard/hosts/{id}/day", app.StaffRole, (*Door).hostDayForm},
	{"POST /dashboard/hosts/{id}/day", app.StaffRole, (*Door).saveHostDay},
	{"GET /dashboard/hosts/{id}/away", app.StaffRole, (*Door).hostAway},
	{"POST /dashboard/hosts/{id}/away", app.StaffRole, (*Door).saveAway},
	{"GET /dashboard/hosts/{id}/why", app.StaffRole, (*Door).hostWhy},

	{"GET /dashboard/contacts", app.ManagerRole, (*Door).contacts},
	{"GET /dashboard/contacts/new", app.ManagerRole, (*Door).newContactForm},
	{"POST /dashboard/contacts/new", app.ManagerRole, (*Door).newContact},
	{"GET /dashboard/contacts/export", app.ManagerRole, (*Door).exportContacts},
	{"GET /dashboard/contacts/import", app.ManagerRole, (*Door).importForm},
	{"POST /dashboard/contacts/import", app.ManagerRole, (*Door).importContacts},
	{"GET /dashboard/contacts/{id}", app.ManagerRole, (*Door).contact},
	{"GET /dashboard/contacts/{id}/edit", app.ManagerRole, (*Door).editContactForm},
	{"POST /dashboard/contacts/{id}/edit", app.ManagerRole, (*Door).editContact},
	{"POST /dashboard/contacts/{id}/merge", app.ManagerRole, (*Door).mergeContact},
	{"POST /dashboard/contacts/{id}/delete", app.ManagerRole, (*Door).deleteContact},

	{"GET /dashboard/analytics", app.ManagerRole, (*Door).analytics},
	{"GET /dashboard/analytics/csv", app.ManagerRole, (*Door).analyticsCSV},
}
