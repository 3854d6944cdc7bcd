// Package catalog holds what a business offers, and its rules: workspace and settings, hosts and their hours, event
// types with prices, questions and mails, the kinds of mails and events that can be chosen, and the Setup that holds
// them all. Every type checks itself. The package knows no bookings, reads no clock and stores nothing.
package catalog
