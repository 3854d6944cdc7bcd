// Package views owns how Daybook's pages look and read: templ components, the view
// models they take, the texts in four languages, and the forms of dates, times,
// money and addresses.
//
// A view model is shaped like the page, holds plain values and ready addresses, and
// knows nothing of the domain: a door fills it, a component shows it. Pages carry no
// inline style and no inline script, so that a strict Content-Security-Policy holds
// (see CSP). Every component is //go:noinline: the compiler puts a copy of a whole
// component into each that calls it, which made the program 0.95 MB larger. The
// package imports app/money and assets, and nothing else of Daybook.
package views
