package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// CalendarRoutes are the routes of this part, each with the right that it needs.
var CalendarRoutes = []web.Route{
	web.On("GET /dashboard/bookings/calendar", app.MaySeeBookings, call.calendar),
	web.On("POST /dashboard/bookings/calendar/move", app.MayMove, call.move),
	web.On("POST /dashboard/bookings/calendar/grow", app.MayEdit, call.grow),
	web.On("POST /dashboard/bookings/calendar/block", app.MaySetHours, call.block),
	web.On("POST /dashboard/bookings/calendar/free", app.MaySetHours, call.free),
}
