// package shop is where event types are made and where the hours of hosts are set.
package shop

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the addresses of this part, with the least role that may use each.
var Routes = []web.Route{
	web.On("GET /dashboard/types", app.ManagerRole, call.types),
	web.On("GET /dashboard/types/new", app.ManagerRole, call.newTypeForm),
	web.On("POST /dashboard/types/new", app.ManagerRole, call.newType),
	web.On("GET /dashboard/types/{id}", app.ManagerRole, call.typeForm),
	web.On("POST /dashboard/types/{id}", app.ManagerRole, call.changeType),
	web.On("POST /dashboard/types/{id}/up", app.ManagerRole, call.typeUp),
	web.On("POST /dashboard/types/{id}/down", app.ManagerRole, call.typeDown),
	web.On("POST /dashboard/types/{id}/switch", app.ManagerRole, call.switchType),
	web.On("POST /dashboard/types/{id}/copy", app.ManagerRole, call.copyType),

	web.On("GET /dashboard/hosts", app.StaffRole, call.hosts),
	web.On("GET /dashboard/hosts/new", app.ManagerRole, call.newHostForm),
	web.On("POST /dashboard/hosts/new", app.ManagerRole, call.createHost),
	web.On("GET /dashboard/hosts/{id}", app.StaffRole, call.hostForm),
	web.On("POST /dashboard/hosts/{id}", app.StaffRole, call.saveHost),
	web.On("POST /dashboard/hosts/{id}/active", app.ManagerRole, call.switchHost),
	web.On("GET /dashboard/hosts/{id}/dates", app.StaffRole, call.hostDates),
	web.On("POST /dashboard/hosts/{id}/dates", app.StaffRole, call.saveHostDate),
	web.On("GET /dashboard/hosts/{id}/away", app.StaffRole, call.hostAway),
	web.On("POST /dashboard/hosts/{id}/away", app.StaffRole, call.addAway),
	web.On("POST /dashboard/hosts/{id}/away/remove", app.StaffRole, call.removeAway),
	web.On("GET /dashboard/hosts/{id}/why", app.StaffRole, call.hostWhy),
}
