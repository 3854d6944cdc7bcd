// package today shows the day: what each host does, what waits for an answer and what went wrong.
package today

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the routes of this part, each with the right that it needs.
var Routes = []web.Route{
	web.On("GET /dashboard", app.MaySeeBookings, call.today),
}
