// package analytics shows the figures of a span of days, and exports them.
package analytics

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the addresses of this part, with the least role that may use each.
var Routes = []web.Route{
	web.On("GET /dashboard/analytics", app.ManagerRole, call.analytics),
	web.On("GET /dashboard/analytics/export", app.ManagerRole, call.exportAnalytics),
}
