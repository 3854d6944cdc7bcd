// Package integrations connects bookings with calendars, mail, payments, websites and programs.
package integrations
