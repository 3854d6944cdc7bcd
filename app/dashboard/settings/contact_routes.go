package settings

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// ContactRoutes are the routes of this part, each with the right that it needs.
var ContactRoutes = []web.Route{
	web.On("GET /dashboard/contacts", app.MaySeeContacts, call.contacts),
	web.On("GET /dashboard/contacts/new", app.MayManageContacts, call.newContactForm),
	web.On("POST /dashboard/contacts/new", app.MayManageContacts, call.createContact),
	web.On("GET /dashboard/contacts/export", app.MayManageContacts, call.exportContacts),
	web.On("GET /dashboard/contacts/import", app.MayManageContacts, call.importForm),
	web.On("POST /dashboard/contacts/import", app.MayManageContacts, call.importContacts),
	web.On("GET /dashboard/contacts/import/appointments", app.MayManageContacts, call.appointmentsForm),
	web.On("POST /dashboard/contacts/import/appointments", app.MayManageContacts, call.importAppointments),
	web.On("GET /dashboard/imports/{id}", app.MayManageContacts, call.importPage),
	web.On("POST /dashboard/imports/{id}/undo", app.MayManageContacts, call.undoImport),
	web.On("GET /dashboard/contacts/{id}", app.MaySeeCard, call.contact),
	web.On("POST /dashboard/contacts/{id}/entries", app.MayWriteCard, call.writeEntry),
	web.On("POST /dashboard/contacts/{id}/entries/{entry}/pin", app.MayWriteCard, call.pinEntry),
	web.On("POST /dashboard/contacts/{id}/entries/{entry}/delete", app.MayManageContacts, call.deleteEntry),
	web.On("GET /dashboard/contacts/{id}/consents/new", app.MayWriteConsents, call.signForm),
	web.On("POST /dashboard/contacts/{id}/consents", app.MayWriteConsents, call.recordConsent),
	web.On("GET /dashboard/contacts/{id}/consents/thanks", app.MayWriteConsents, call.signed),
	web.On("GET /dashboard/contacts/{id}/consents/{consent}", app.MaySeeConsents, call.consent),
	web.On("POST /dashboard/contacts/{id}/consents/{consent}/withdraw", app.MayWriteConsents, call.withdrawConsent),
	web.On("POST /dashboard/contacts/{id}/health", app.MayWriteConsents, call.writeHealth),
	web.On("POST /dashboard/contacts/{id}/health/{health}/delete", app.MayManageContacts, call.deleteHealth),
	web.On("POST /dashboard/contacts/{id}/files", app.MayWriteCard, call.addFile),
	web.On("GET /dashboard/contacts/{id}/files/{file}", app.MaySeeCard, call.sendFile),
	web.On("POST /dashboard/contacts/{id}/files/{file}/delete", app.MayWriteCard, call.deleteFile),
	web.On("GET /dashboard/contacts/{id}/edit", app.MayManageContacts, call.contactForm),
	web.On("POST /dashboard/contacts/{id}/edit", app.MayManageContacts, call.saveContact),
	web.On("POST /dashboard/contacts/{id}/fields", app.MayManageContacts, call.takeOver),
	web.On("POST /dashboard/contacts/{id}/notes", app.MayManageContacts, call.contactNotes),
	web.On("POST /dashboard/contacts/{id}/texts", app.MayManageContacts, call.contactTexts),
	web.On("GET /dashboard/contacts/{id}/file", app.MayManageContacts, call.file),
	web.On("GET /dashboard/contacts/{id}/merge", app.MayManageContacts, call.mergeForm),
	web.On("POST /dashboard/contacts/{id}/merge", app.MayManageContacts, call.mergeContact),
	web.On("POST /dashboard/contacts/{id}/delete", app.MayManageContacts, call.deleteContact),
}
