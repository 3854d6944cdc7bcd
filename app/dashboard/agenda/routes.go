// package agenda shows Today, the bookings as a list and as a calendar, and what can be done to a booking.
package agenda

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the addresses of this part, with the least role that may use each.
var Routes = []web.Route{
	web.On("GET /dashboard", app.StaffRole, call.today),

	web.On("GET /dashboard/bookings", app.StaffRole, call.bookings),
	web.On("GET /dashboard/bookings/calendar", app.StaffRole, call.calendar),
	web.On("GET /dashboard/bookings/new", app.StaffRole, call.newBookingForm),
	web.On("POST /dashboard/bookings/new", app.StaffRole, call.newBooking),
	web.On("GET /dashboard/bookings/{id}", app.StaffRole, call.booking),
	web.On("GET /dashboard/bookings/{id}/move", app.StaffRole, call.moveForm),
	web.On("POST /dashboard/bookings/{id}/move", app.StaffRole, call.move),
	web.On("POST /dashboard/bookings/{id}/confirm", app.StaffRole, call.confirm),
	web.On("POST /dashboard/bookings/{id}/decline", app.StaffRole, call.decline),
	web.On("POST /dashboard/bookings/{id}/cancel", app.StaffRole, call.cancel),
	web.On("POST /dashboard/bookings/{id}/no-show", app.StaffRole, call.noShow),
	web.On("POST /dashboard/bookings/{id}/undo-no-show", app.StaffRole, call.undoNoShow),
	web.On("POST /dashboard/bookings/{id}/refund", app.ManagerRole, call.refund),
}
