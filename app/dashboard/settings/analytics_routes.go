package settings

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// AnalyticsRoutes are the routes of this part, each with the right that it needs.
var AnalyticsRoutes = []web.Route{
	web.On("GET /dashboard/analytics", app.MaySeeAnalytics, call.analytics),
	web.On("GET /dashboard/analytics/export", app.MaySeeAnalytics, call.exportAnalytics),
	web.On("GET /dashboard/analytics/month", app.MaySeeFigures, call.statement),
	web.On("GET /dashboard/analytics/month/export", app.MaySeeFigures, call.exportStatement),
}
