// Package calcom reads what a business has in Cal.com: from a copy of its PostgreSQL database, or by its API.
//
//	database.go  the tables
//	api.go       the API, version 2
//	account.go   what both fill, in Cal.com's words
//	business.go  that as a movein.Business; service.go, hours.go, booking.go: the parts of it
package calcom

// Source is what bookings say where they come from.
const Source = "calcom"
