// package mail sends Daybook's mails: it writes what each says from the facts in the queue, hands it to an SMTP server,
// and settles what became of it. The rules of who is told of what are app's; the looks are views'.
//
// It follows the history of all bookings (package follow): the loop reads the entries that it has not dealt with, plans
// their mails, and puts these into the queue in the transaction that keeps how far it has read. So each change is
// written about once, whatever ends the process.
//
// A mail is claimed with a lease, sent, and settled at once, one after the other on one connection per server. So a
// process that is killed leaves at most one mail per server sent and unsettled, which is then sent again under the same
// Message-ID, and loses none.
package mail
