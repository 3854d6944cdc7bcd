// Package push holds the rules of notifications on members' devices: which browser of whom wants to hear of which bookings,
// and the loop that sends them by the Push API (W3C), the push protocol (RFC 8030), its encryption (RFC 8291) and the
// server's identification (VAPID, RFC 8292).
//
// A subscription belongs to a sign-in and ends with it, and so with the membership. A push service that answers 404 or
// 410 has forgotten the device: its subscription is deleted. A notification says service and time only, unless the
// member wants the customer's name on the lock screen too.
//
// The history of all bookings is followed as the mails do (app.Follower), but only while anybody has subscribed: a
// database without subscriptions pays nothing.
package push
