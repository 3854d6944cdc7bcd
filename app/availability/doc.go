// Package availability finds the open times of an event type: which starts can be booked, why others can't, which host
// gets a booking, and how much a search may cost. It reads bookings through its Reader and decides with package slot.
package availability
