// package contacts shows the people who book: list, notes, import, merge, deletion.
package contacts

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the addresses of this part, with the least role that may use each.
var Routes = []web.Route{
	web.On("GET /dashboard/contacts", app.ManagerRole, call.contacts),
	web.On("GET /dashboard/contacts/new", app.ManagerRole, call.newContactForm),
	web.On("POST /dashboard/contacts/new", app.ManagerRole, call.createContact),
	web.On("GET /dashboard/contacts/export", app.ManagerRole, call.exportContacts),
	web.On("GET /dashboard/contacts/import", app.ManagerRole, call.importForm),
	web.On("POST /dashboard/contacts/import", app.ManagerRole, call.importContacts),
	web.On("GET /dashboard/contacts/{id}", app.ManagerRole, call.contact),
	web.On("GET /dashboard/contacts/{id}/edit", app.ManagerRole, call.contactForm),
	web.On("POST /dashboard/contacts/{id}/edit", app.ManagerRole, call.saveContact),
	web.On("POST /dashboard/contacts/{id}/notes", app.ManagerRole, call.contactNotes),
	web.On("GET /dashboard/contacts/{id}/merge", app.ManagerRole, call.mergeForm),
	web.On("POST /dashboard/contacts/{id}/merge", app.ManagerRole, call.mergeContact),
	web.On("POST /dashboard/contacts/{id}/delete", app.ManagerRole, call.deleteContact),
}
