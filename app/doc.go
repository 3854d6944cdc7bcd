// Package app is the core of Daybook: bookings, their history and events, and the one Service by which every door reads
// and changes them. Its types carry the JSON names of the v1 contract (contract.md). It knows nothing of HTTP, SQL or
// pages. Where it stands among the other packages is shown by map.md.
//
// # Where to look
//
//	permit.go   every command, and which roles and keys may give it
//	booking_*   what is done with a booking, a file each; pending_*, mark_*, edit*, hold* likewise
//	change.go   the only way in which a booking changes: Lock keeps two transactions, also of two servers, from booking
//	            a host at the same time; a Change saves the booking, its history and the events for webhooks
//	follow.go   how mail, notifications and calendars follow the history after the commit
//	team.go     who of the team is told of a change, by whatever channel
//	once.go     what an Idempotency-Key does: one answer, kept with the change that it is of
//	till.go     what the core asks of payments, such as a fee for cancelling late
//	service.go  the Service, and what subjects add to it
//
// # The way of a change
//
// A door calls a method of Service, such as Reschedule. It asks permit.go, locks the hosts (Service.Lock), and gets a
// Change, whose search (package availability) judges the new time. Change.save writes the booking with its history and,
// for each webhook endpoint that wants it, a delivery, in one transaction. Followers read the history after the commit
// and queue what is to be sent: mail/plan.go decides which mails the invitee and the team get, push/queue.go which
// notifications, calsync/copy.go which copies. Loops of package work send what is queued.
package app
