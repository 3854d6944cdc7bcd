// Package catalog holds what a business offers, and its rules: workspace and settings, hosts and their hours, event
// types with prices, questions and mails, the kinds of mails and events that can be chosen, and the Setup that holds
// them all. Every type checks itself. The package knows no bookings, reads no clock and stores nothing.
//
//	eventtype*.go  an event type; _fields describes, _check judges; _limits, _question, _dates, _where: its parts
//	addon.go       what add-ons that were chosen do to length and price; addon_group.go: add-ons and their groups
//	terms.go       a host's own length and price; deposit.go, payment.go: what is paid when
//	host*.go       a host and their hours; timeoff.go, absence.go, holidays.go, closed_day.go: when they are away
//	workspace.go   a workspace; settings.go: what it has set; setup.go: all of it together
//	mail*.go, event_kind.go  the kinds of mails and of webhooks' events
package catalog
