package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// BookingRoutes are the routes of this part, each with the right that it needs.
var BookingRoutes = []web.Route{
	web.On("GET /dashboard/bookings", app.MaySeeBookings, call.bookings),
	web.On("GET /dashboard/bookings/new", app.MayBook, call.newBookingForm),
	web.On("POST /dashboard/bookings/new", app.MayBook, call.newBooking),
	web.On("GET /dashboard/bookings/new/people", app.MaySeeContacts, call.people),
	web.On("GET /dashboard/bookings/new/person", app.MaySeeContacts, call.personChosen),
	web.On("GET /dashboard/bookings/{id}", app.MaySeeBooking, call.booking),
	web.On("GET /dashboard/bookings/{id}/session", app.MaySeeBookings, call.session),
	web.On("GET /dashboard/bookings/{id}/move", app.MayMove, call.moveForm),
	web.On("POST /dashboard/bookings/{id}/move", app.MayMove, call.moveBooking),
	web.On("POST /dashboard/bookings/{id}/confirm", app.MayDecide, call.confirm),
	web.On("POST /dashboard/bookings/{id}/decline", app.MayDecide, call.decline),
	web.On("POST /dashboard/bookings/{id}/cancel", app.MayCancel, call.cancel),
	web.On("POST /dashboard/bookings/{id}/edit", app.MayEdit, call.edit),
	web.On("POST /dashboard/bookings/{id}/resend", app.MayEdit, call.resend),
	web.On("POST /dashboard/bookings/{id}/arrived", app.MayMarkAttendance, call.arrived),
	web.On("POST /dashboard/bookings/{id}/done", app.MayMarkAttendance, call.done),
	web.On("POST /dashboard/bookings/{id}/no-show", app.MayMarkAttendance, call.noShow),
	web.On("POST /dashboard/bookings/{id}/undo", app.MayMarkAttendance, call.undoMark),
	web.On("POST /dashboard/bookings/{id}/refund", app.MayRefund, call.refund),
}
