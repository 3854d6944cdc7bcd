// package notice names what a business tells of its bookings, and whom: the kinds of mails, with the owner's own words
// in them, and the kinds of webhook events.
package notice
