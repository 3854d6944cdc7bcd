// Package push holds the rules of notifications on members' devices: which browsers get notifications of which
// bookings, and the loop that sends them by the Push API (W3C), the push protocol (RFC 8030), its encryption (RFC 8291)
// and the server's identification (VAPID, RFC 8292).
//
// A subscription belongs to a sign-in and ends with it, and so with the membership. A push service that answers 404 or
// 410 no longer knows the device: its subscription is deleted. A notification shows service and time only, unless the
// member wants the customer's name on the lock screen, too. It follows the history of all bookings as the mails do
// (app.Follower), but only while anybody has subscribed: without subscriptions it costs nothing.
package push
