// package settings is about the workspace itself: its address, its brand, its members and its data.
package settings

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the addresses of this part, with the least role that may use each.
var Routes = []web.Route{
	web.On("GET /dashboard/settings", app.ManagerRole, call.settings),
	web.On("POST /dashboard/settings", app.ManagerRole, call.saveSettings),
	web.On("GET /dashboard/settings/brand", app.ManagerRole, call.brand),
	web.On("POST /dashboard/settings/brand", app.ManagerRole, call.saveBrand),
	web.On("GET /dashboard/settings/members", app.OwnerRole, call.members),
	web.On("POST /dashboard/settings/members", app.OwnerRole, call.inviteMember),
	web.On("POST /dashboard/settings/members/{id}", app.OwnerRole, call.changeMember),
	web.On("POST /dashboard/settings/members/{id}/invite", app.OwnerRole, call.inviteAgain),
	web.On("POST /dashboard/settings/members/{id}/remove", app.OwnerRole, call.removeMember),
	web.On("GET /dashboard/settings/data", app.OwnerRole, call.data),
	web.On("GET /dashboard/settings/export", app.OwnerRole, call.exportAll),
	web.On("GET /dashboard/settings/setup", app.OwnerRole, call.exportSetup),
	web.On("POST /dashboard/settings/delete", app.OwnerRole, call.deleteWorkspace),
}
