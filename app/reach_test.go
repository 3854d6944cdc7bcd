package app_test

import (
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// Staff who name a colleague are refused, wherever a host can be named; they are never given their own host instead.
func TestStaffWhoNameAColleague(t *testing.T) {
	w := newWorld(t)
	const ana, bob = catalog.HostID(1), catalog.HostID(2)
	w.offer("cut", 2, nil)
	staff := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 7, Role: app.StaffRole, Host: bob}
	agent := staff
	agent.Kind = booking.ByAgent
	for name, a := range map[string]app.Actor{"dashboard": staff, "tool": agent} {
		book := func(at, host string) error {
			_, err := w.Book(t.Context(), a, booking.BookInput{EventType: "cut", Start: apptest.At(at), Host: host,
				Invitee: booking.Invitee{Name: "Pat", Email: name + at + "@x.example"}})
			return err
		}
		w.Must(book("1T09", map[string]string{"dashboard": "", "tool": bob.String()}[name]))
		mine, err := w.Bookings(t.Context(), a, booking.ListBookingsInput{Status: "confirmed"})
		w.Must(err)
		for what, do := range map[string]func(host string) error{
			"times": func(host string) error {
				_, err := w.Availability(t.Context(), a, availability.Input{EventType: "cut", Host: host})
				return err
			},
			"book": func(host string) error { return book("2T09", host) },
			"hold": func(host string) error {
				_, err := w.Hold(t.Context(), a, app.HoldInput{EventType: "cut", Start: apptest.At("3T09"), Host: host})
				return err
			},
			"move": func(host string) error {
				_, err := w.Reschedule(t.Context(), a, mine.Data[0].ID.String(), booking.RescheduleInput{Start: apptest.At("4T09"), Host: host})
				return err
			},
			"list": func(host string) error {
				_, err := w.Bookings(t.Context(), a, booking.ListBookingsInput{Host: host})
				return err
			},
		} {
			if err := do(ana.String()); fault.As(err) == nil || fault.As(err).Code != fault.Forbidden {
				t.Errorf("%s: %s with a colleague: %v", name, what, err)
			}
			if err := do("hs_nobody"); fault.As(err) == nil || fault.As(err).Code != fault.NotFound {
				t.Errorf("%s: %s with nobody: %v", name, what, err)
			}
		}
		all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed"})
		w.Must(err)
		if len(all.Data) != 1 || all.Data[0].Host.ID != bob {
			t.Errorf("%s: booked %+v", name, all.Data)
		}
		_, err = w.Cancel(t.Context(), w.Owner, all.Data[0].ID.String(), app.CancelInput{})
		w.Must(err)
	}
}
