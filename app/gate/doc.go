// Package gate limits bookings by visitors: a network address and its network can make only so many in an hour, a proof
// of work is good for one purpose, and a form that is sent twice books once. It counts in the database, so that the
// limits are exact across all servers. It also detects when visitors book so much more than usual that each booking
// must cost some work (rush.go), and makes the keys of forms and the challenges of proofs of work (proof.go). The doors
// ask for the work: page/book.go, rest/public_door.go, assistant/tools.go.
package gate
