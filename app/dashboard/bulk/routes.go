// package bulk cancels several bookings at once: those of a day or of some hours, and those in a time off.
package bulk

import (
	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the routes of this part, each with the right that it needs.
var Routes = []web.Route{
	web.On("GET "+dash.CancelPath, app.MayCancel, call.list),
	web.On("POST "+dash.CancelPath, app.MayCancel, call.cancel),
	web.On("GET /dashboard/hosts/{id}/away/bookings", app.MaySetHours, call.list),
	web.On("POST /dashboard/hosts/{id}/away/bookings", app.MayCancel, call.cancel),
	web.On("GET /dashboard/cancellations/{id}", app.MayCancel, call.cancellation),
	web.On("POST /dashboard/cancellations/{id}/undo", app.MayCancel, call.undo),
	web.On("POST /dashboard/cancellations/{id}/seen", app.MayCancel, call.seen),
}
