package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// CancelRoutes are the routes of this part, each with the right that it needs.
var CancelRoutes = []web.Route{
	web.On("GET "+dash.CancelPath, app.MayCancel, call.listToCancel),
	web.On("POST "+dash.CancelPath, app.MayCancel, call.cancelListed),
	web.On("GET /dashboard/hosts/{id}/away/bookings", app.MaySetHours, call.listToCancel),
	web.On("POST /dashboard/hosts/{id}/away/bookings", app.MayCancel, call.cancelListed),
	web.On("GET /dashboard/cancellations/{id}", app.MayCancel, call.cancellation),
	web.On("POST /dashboard/cancellations/{id}/undo", app.MayCancel, call.undoCancellation),
	web.On("POST /dashboard/cancellations/{id}/seen", app.MayCancel, call.seen),
}
