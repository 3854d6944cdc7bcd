// Package dash owns the pages of the dashboard: templ components and the models they
// show, one file of each per area that users know (bookings, availability, contacts,
// settings…). What it shares with the booking page (locales, icons, the workspace's
// name and colour) it takes from views; it knows nothing of the domain.
package dash
