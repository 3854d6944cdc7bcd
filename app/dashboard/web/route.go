package web

import "daybook/app"

// Route is one path and its handler.
type Route struct {
	Pattern string
	Open    bool        // to everybody, signed in or not
	Half    bool        // also to half sessions, with which the handler reckons
	Needs   app.Command // the right that a member needs; unused if Open
	Handle  func(*Call) error
}

// On makes the route of a part's handler, a method of the part's own call, for members who may do what the command
// says. The Service checks again what the handler does.
func On[C ~struct{ *Call }](pattern string, needs app.Command, handle func(C) error) Route {
	return Route{Pattern: pattern, Needs: needs, Handle: func(c *Call) error { return handle(C{c}) }}
}

// Open makes a route that needs no sign-in.
func Open[C ~struct{ *Call }](pattern string, handle func(C) error) Route {
	return Route{Pattern: pattern, Open: true, Handle: func(c *Call) error { return handle(C{c}) }}
}

// Half makes a route for members who are signed in, wholly or half: Call.Actor is nobody for a half session.
func Half[C ~struct{ *Call }](pattern string, handle func(C) error) Route {
	return Route{Pattern: pattern, Half: true, Handle: func(c *Call) error { return handle(C{c}) }}
}

// May reports whether the member has the right, so that a page can leave out what would be refused.
func (c *Call) May(command app.Command) bool { return c.Actor.May(command) == nil }
