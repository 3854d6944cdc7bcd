package views

import "github.com/a-h/templ"

// Icon returns a drawing of our own, by its name. It is one function for all pages that have it: the compiler would put
// a copy of a component into each.
//
//go:noinline
func Icon(name string) templ.Component { return iconOnce(name) }
