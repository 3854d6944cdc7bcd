package dash

import "github.com/a-h/templ"

// The compiler puts a copy of a component into each that has it. These are large or used often, so that their copies
// came to half a megabyte; through a function that is never copied there is one of each.

//go:noinline
func inputField(in Input) templ.Component { return inputFieldOnce(in) }

//go:noinline
func icon(name string) templ.Component { return iconOnce(name) }

//go:noinline
func glyph(path string) templ.Component { return glyphOnce(path) }

//go:noinline
func badgeMark(b Badge) templ.Component { return badgeMarkOnce(b) }

//go:noinline
func signedIn(d Frame) templ.Component { return signedInOnce(d) }
