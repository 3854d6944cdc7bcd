package web

import "daybook/app"

// Route is one address and the handler that answers it.
type Route struct {
	Pattern string
	Open    bool        // to everybody, signed in or not
	Needs   app.Command // of the others: what the member must be allowed
	Handle  func(*Call) error
}

// On makes the route of a part's handler, a method of the part's own call, for members who may do what the command
// says. The Service asks again for what the handler does.
func On[C ~struct{ *Call }](pattern string, needs app.Command, handle func(C) error) Route {
	return Route{Pattern: pattern, Needs: needs, Handle: func(c *Call) error { return handle(C{c}) }}
}

// Open makes a route that needs no sign-in.
func Open[C ~struct{ *Call }](pattern string, handle func(C) error) Route {
	return Route{Pattern: pattern, Open: true, Handle: func(c *Call) error { return handle(C{c}) }}
}

// May reports whether the member may do what the command says, so that a page leaves out what would be refused.
func (c *Call) May(command app.Command) bool { return c.Actor.May(command) == nil }
