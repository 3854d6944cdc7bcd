// package dashboard is the door for the people who run a workspace: owner, managers and staff.
//
// It is divided like its navigation. Each part lists its own paths, with the right that each needs, in its routes.go:
//
//	today/         Today
//	calendar/      calendar
//	agenda/        bookings
//	till/          money at the counter: payments, receipts, the day's close
//	shop/          event types, availability
//	contacts/      contacts
//	analytics/     analytics
//	integrations/  calendars, mail, payments, website, developers
//	settings/      workspace, brand, members, data
//	web/           what they share: the request with its member, the frame, forms, formats
//
// This package puts the parts together. It finds out who is signed in (admit.go), keeps open pages up to date
// (live.go), and has the pages that belong to no part: sign-in, set-up, first steps and one's own account. Parts never
// import each other.
//
// A handler turns a request into calls of app.Service and its rooms, and their results into a view model of package
// views/dash; every rule is the Service's. No package here imports store, another door, or SQL.
//
// Pages are whole documents that work without scripts; assets/dash.js replaces their main part in place, so that
// nothing reloads. A refused form is answered with 422 and keeps everything that was typed.
package dashboard
