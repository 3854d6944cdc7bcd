// package record is what is kept of bookings: the booking with its states, payment and history, the contact who made it,
// and the events that tell of it, each with its JSON and the checks of what callers say. It decides nothing that needs
// the storage: package app does.
package record
