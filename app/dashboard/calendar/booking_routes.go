package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// BookingRoutes are the routes of this part, each with the right that it needs: those of operations, and these.
var BookingRoutes = append(operationRoutes(),
	web.On("GET /dashboard/bookings", app.MaySeeBookings, call.bookings),
	web.On("GET /dashboard/bookings/new", app.MayBook, call.newBookingForm),
	web.On("POST /dashboard/bookings/new", app.MayBook, call.newBooking),
	web.On("GET /dashboard/bookings/new/people", app.MaySeeContacts, call.people),
	web.On("GET /dashboard/bookings/new/person", app.MaySeeContacts, call.personChosen),
	web.On("GET /dashboard/bookings/{id}", app.MaySeeBooking, call.booking),
	web.On("GET /dashboard/bookings/{id}/session", app.MaySeeBookings, call.session),
	web.On("GET /dashboard/bookings/{id}/move", app.MayMove, call.moveForm),
	web.On("POST /dashboard/bookings/{id}/move", app.MayMove, call.moveBooking),
	web.On("POST /dashboard/bookings/{id}/refund", app.MayRefund, call.refund),
)
