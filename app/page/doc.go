// package page is the door of those who book: the pages of a workspace and its event types, an invitee's own page
// (see, move, cancel), and what sites that embed them load.
//
// door.go has the routes; each handler has a file named after it. visit.go is one request on its way through a handler,
// respond.go sends what it shows. calendar.go makes a month, details.go and book.go the form, booking.go an invitee's
// page. challenge.go marks the forms and asks for work; package form counts and keeps what was sent.
//
// It owns no rule of booking: those are the Service's, as are all changes. What pages look like and say is views'. It
// sets no cookie and needs none, so there is nothing to forge across sites, and frames whose cookies are blocked work.
// It never imports the store or another door.
package page
