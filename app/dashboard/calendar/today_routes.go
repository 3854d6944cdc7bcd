package calendar

import (
	"slices"

	"daybook/app"
	"daybook/app/dashboard/web"
)

// TodayRoutes are the routes of this part, each with the right that it needs.
var TodayRoutes = slices.Concat([]web.Route{
	web.On("GET /dashboard", app.MaySeeBookings, call.today),
}, freedRoutes, callRoutes)
