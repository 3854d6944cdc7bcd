// package analytics shows the figures of a span of days, and exports them.
package analytics

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the routes of this part, each with the right that it needs.
var Routes = []web.Route{
	web.On("GET /dashboard/analytics", app.MaySeeAnalytics, call.analytics),
	web.On("GET /dashboard/analytics/export", app.MaySeeAnalytics, call.exportAnalytics),
}
