// Package dashboard is the door for the people who run a workspace: owner, managers and staff.
//
// It is divided like its navigation. Each part lists its own paths, with the right that each needs, in its routes.go:
//
//	calendar/      Today, the calendar, bookings, money at the counter
//	shop/          services, the team and its hours, rooms
//	integrations/  calendars, mail, payments, website, developers
//	settings/      workspace, brand, members, data, contacts, invitations, analytics, health
//	web/           what they share: the request with its member, the frame, forms, formats
//
// This package puts the parts together. It finds out who is signed in (admit.go), keeps open pages up to date
// (live.go), and has the pages that belong to no part: sign-in, set-up, first steps and one's own account. Parts never
// import each other.
//
// A handler turns a request into calls of app.Service and the subjects, and their results into a view model of package
// views/dash; every rule is the Service's. No package here imports store, another door, or SQL.
//
// Pages are whole documents that work without scripts; assets/dash.js replaces their main part in place, so that
// nothing reloads. A refused form is answered with 422 and keeps everything that was typed.
//
// # What the commonest tasks take
//
// Clicks on a desktop of 1440 pixels and taps on a phone of 390, from Today, or for an invitee from the page of a
// service; behind "+" the fields typed into. A drag is one. TestTaps does each task in a browser, counts, and fails
// where this table says something else. The last column is what other products need, as far as people who know them
// say; nobody counted it on their screens, and "?" is not known.
//
//	task                               1440  390   others
//	an invitee books                   2+2   2+2   Cal.com 3-4
//	next available for a regular       3+1   3+1   Square 3, with a search
//	book a regular who calls           5+1   5+1   Square 3, with a search
//	book who calls, at a gap on Today  3+1   3+1   ?
//	book somebody who walks in         2     2     Square, Acuity 2-3
//	block an hour                      2     2     1-2
//	move a booking by an hour          2     2     2
//	mark who is due now as a no-show   1     1     2
//	mark a no-show an hour later       2     2     2
//	change a price                     2+1   3+1   3-4
//	new service, picture, two add-ons  5+7   6+7   6+7
//	see who it is and what they had    1     1     1
//	take what is due in cash           1     1     ?
//	give back what was paid today      2     2     3-4
//	take cash with a tip               2+1   2+1   ?
//	cancel a booking                   3     3     ?
//	cancel what is left of a day       5     5     4-6
//	close the day                      2+1   3+1   3-4
//	close for a week                   3+2   4+2   ?
//	new stylist who signs in           3+2   4+2   ?
//	two weeks off                      4+2   5+2   ?
package dashboard
