// Package page is the door for people who book: the pages of a workspace and its event types, an invitee's own page
// (view, move, cancel), and the scripts that sites load to embed them.
//
// door.go has the routes; each handler has a file named after it. call.go carries one request through a handler, and
// respond.go sends the page. calendar.go makes a month, details.go and book.go the form, booking.go an invitee's page.
// profile.go has what its pages say of a business as a whole; hold.go keeps the time of a form while somebody fills it
// in. Package gate makes the keys of forms, counts bookings and keeps results; book.go asks for a proof of work where
// gate says so.
//
// It owns no rule of booking: rules and changes are the Service's. The look and the texts of pages are in package
// views. It sets no cookie and needs none, so cross-site requests can't be forged, and it works in frames whose cookies
// are blocked. The exception is the page of one's own (own.go, own_device.go): it is open on a device by a cookie, which no
// request of another site carries, and which counts for no page in a frame. It never imports the store or another door.
package page
