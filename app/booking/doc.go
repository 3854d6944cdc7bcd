// Package booking holds what is stored about bookings: the booking with its states, payment and history, its contact and
// its events, each with its JSON and the checks of its input. Decisions that need the store are in package app.
package booking
