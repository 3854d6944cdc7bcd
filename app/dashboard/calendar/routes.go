// package calendar shows the bookings as a calendar to work in: a day, a week or a month, with a panel beside it for a
// booking, a gap or a time off.
package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the routes of this part, each with the right that it needs.
var Routes = []web.Route{
	web.On("GET /dashboard/bookings/calendar", app.MaySeeBookings, call.calendar),
	web.On("POST /dashboard/bookings/calendar/move", app.MayMove, call.move),
	web.On("POST /dashboard/bookings/calendar/grow", app.MayEdit, call.grow),
	web.On("POST /dashboard/bookings/calendar/block", app.MaySetHours, call.block),
	web.On("POST /dashboard/bookings/calendar/free", app.MaySetHours, call.free),
}
