// Package gate limits bookings by visitors: how many a network address and its network make in an hour,
// one purpose for each proof of work, and one booking for a form that is sent twice. It counts in the database, so that
// the limits are exact across all servers. It also tells when visitors book so much more than usual that each booking
// must cost some work, and makes the keys of forms and the challenges of proofs of work.
package gate
