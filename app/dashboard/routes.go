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

	// Availability, contacts, analytics, settings
	{"GET /dashboard/hosts", app.StaffRole, (*Door).hosts},
	{"GET /dashboard/hosts/new", app.ManagerRole, (*Door).newHostForm},
	{"POST /dashboard/hosts/new", app.ManagerRole, (*Door).createHost},
	{"GET /dashboard/hosts/{id}", app.StaffRole, (*Door).hostForm},
	{"POST /dashboard/hosts/{id}", app.StaffRole, (*Door).saveHost},
	{"POST /dashboard/hosts/{id}/active", app.ManagerRole, (*Door).switchHost},
	{"GET /dashboard/hosts/{id}/dates", app.StaffRole, (*Door).hostDates},
	{"POST /dashboard/hosts/{id}/dates", app.StaffRole, (*Door).saveHostDate},
	{"GET /dashboard/hosts/{id}/away", app.StaffRole, (*Door).hostAway},
	{"POST /dashboard/hosts/{id}/away", app.StaffRole, (*Door).addAway},
	{"POST /dashboard/hosts/{id}/away/remove", app.StaffRole, (*Door).removeAway},
	{"GET /dashboard/hosts/{id}/why", app.StaffRole, (*Door).hostWhy},
	{"GET /dashboard/contacts", app.ManagerRole, (*Door).contacts},
	{"GET /dashboard/contacts/new", app.ManagerRole, (*Door).newContactForm},
	{"POST /dashboard/contacts/new", app.ManagerRole, (*Door).createContact},
	{"GET /dashboard/contacts/export", app.ManagerRole, (*Door).exportContacts},
	{"GET /dashboard/contacts/import", app.ManagerRole, (*Door).importForm},
	{"POST /dashboard/contacts/import", app.ManagerRole, (*Door).importContacts},
	{"GET /dashboard/contacts/{id}", app.ManagerRole, (*Door).contact},
	{"GET /dashboard/contacts/{id}/edit", app.ManagerRole, (*Door).contactForm},
	{"POST /dashboard/contacts/{id}/edit", app.ManagerRole, (*Door).saveContact},
	{"POST /dashboard/contacts/{id}/notes", app.ManagerRole, (*Door).contactNotes},
	{"GET /dashboard/contacts/{id}/merge", app.ManagerRole, (*Door).mergeForm},
	{"POST /dashboard/contacts/{id}/merge", app.ManagerRole, (*Door).mergeContact},
	{"POST /dashboard/contacts/{id}/delete", app.ManagerRole, (*Door).deleteContact},
	{"GET /dashboard/analytics", app.ManagerRole, (*Door).analytics},
	{"GET /dashboard/analytics/export", app.ManagerRole, (*Door).exportAnalytics},
	{"GET /dashboard/settings", app.ManagerRole, (*Door).settings},
	{"POST /dashboard/settings", app.ManagerRole, (*Door).saveSettings},
	{"GET /dashboard/settings/brand", app.ManagerRole, (*Door).brand},
	{"POST /dashboard/settings/brand", app.ManagerRole, (*Door).saveBrand},
	{"GET /dashboard/settings/members", app.OwnerRole, (*Door).members},
	{"POST /dashboard/settings/members", app.OwnerRole, (*Door).inviteMember},
	{"POST /dashboard/settings/members/{id}", app.OwnerRole, (*Door).changeMember},
	{"POST /dashboard/settings/members/{id}/invite", app.OwnerRole, (*Door).inviteAgain},
	{"POST /dashboard/settings/members/{id}/remove", app.OwnerRole, (*Door).removeMember},
	{"GET /dashboard/settings/data", app.OwnerRole, (*Door).data},
	{"GET /dashboard/settings/export", app.OwnerRole, (*Door).exportAll},
	{"GET /dashboard/settings/setup", app.OwnerRole, (*Door).exportSetup},
	{"POST /dashboard/settings/delete", app.OwnerRole, (*Door).deleteWorkspace},
}
