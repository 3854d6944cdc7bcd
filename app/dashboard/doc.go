// package dashboard is the door of the people who run a workspace: owner, managers and staff.
//
// It is divided as its navigation is. Each part lists its own addresses, with the role that each needs, in its routes.go:
//
//	agenda/        Today, bookings, calendar
//	shop/          event types, availability
//	contacts/      contacts
//	analytics/     analytics
//	integrations/  calendars, mail, payments, web site, developers
//	settings/      workspace, brand, members, data
//	web/           what they share: the request with who asks, frame, forms, formats
//
// This package puts the parts together: it finds who asks (admit.go), keeps open pages up to date (live.go), and has the
// way in: sign-in, set-up, first steps and one's own account. Parts never import each other.
//
// A handler turns a request into calls of app.Service and its rooms, and those answers into a view model of package
// views/dash; every rule is the Service's. No package here imports store, another door, or SQL.
//
// Pages are whole documents that work without scripts; assets/dash.js exchanges their main part in place, so that
// nothing reloads. A refused form is answered with 422 and comes back with everything that was typed.
package dashboard
