// package catalog is what a business offers and by which rules: its workspace and settings, hosts and their hours, event
// types with their prices, questions and mails, and the Setup that holds all of it. Every type checks itself. It knows no
// booking, reads no clock and stores nothing.
package catalog
