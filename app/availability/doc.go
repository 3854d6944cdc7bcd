// package availability finds the open times of an event type: which starts can be booked, why others can't, with whom a
// booking goes, and what a search may cost. It reads bookings through its Reader and decides by package slot.
package availability
