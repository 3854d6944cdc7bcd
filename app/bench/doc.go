// package bench loads a server with what guests, programs and assistants ask of it, measures how long that takes and
// where the time goes, and judges it. All that it does is in one workspace, a sandbox (see app/sandbox), which whoever
// calls it makes by SetUp and ends. It knows the server by its address only and imports no rule of booking.
//
// What it measures is the server as it is used: over real connections, each of which asks again as soon as it has its
// answer. A booking writes all that an ordinary one does: the contact, the history, the event, the webhook's delivery
// and, behind it, the mails; and those are composed, claimed and settled. Only the sending itself is left out.
//
//	load.go    the connections: so many, for so long
//	paths.go   what is asked
//	report.go  what came of it
//	judge.go   what that means
package bench
