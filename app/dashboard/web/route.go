package web

import "daybook/app"

// Route is one address, the least role that may use it, and what answers. The role "" is for everybody.
type Route struct {
	Pattern string
	Least   app.Role
	Handle  func(*Call) error
}

// On makes the route of a part's handler, a method of the part's own call.
func On[C ~struct{ *Call }](pattern string, least app.Role, handle func(C) error) Route {
	return Route{pattern, least, func(c *Call) error { return handle(C{c}) }}
}
