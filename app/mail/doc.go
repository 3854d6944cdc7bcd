// Package mail holds Daybook's mails: it decides who gets which, writes each from the facts in the queue, and saves its
// outcome. The templates are in views; package smtp hands the mails to mail servers.
//
// It follows the history of all bookings (app.Follower): the loop reads the new entries, plans their mails, and queues
// these in the transaction that saves how far it has read. So the mails about each change are queued once, even if the
// process is killed.
//
// Mails are claimed with a lease, sent and settled one after the other, on one connection per server. So a process that
// is killed leaves at most one mail per server that was sent but not settled; it is sent again under the same
// Message-ID. No mail is lost.
package mail
