package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
)

// The week of the dashboard's calendar is another business's: every host has as many bookings a day as a cell of the
// week shows, so that the page shows all 1,400.
const (
	team        = 25
	bookedInDay = 8
	memberEmail = "ana@salon.example"
	memberPass  = "correct horse battery"
)

// monday is when that week begins: the first that is whole in the time to come.
func (b *bench) monday() time.Time {
	return b.first.Add(time.Duration(8-int(b.first.Weekday())) % 8 * day)
}

// salonFile is that business's set-up.
func salonFile() []byte {
	type object = map[string]any
	var people, types []object
	var emails []string
	for i := range team {
		week := object{}
		for _, name := range catalog.Weekdays {
			week[name] = []string{"08:00-12:30", "13:00-18:00"}
		}
		emails = append(emails, fmt.Sprintf("host%d@salon.example", i))
		people = append(people, object{"name": hostNames[i%len(hostNames)] + " " + lastNames[i*7%len(lastNames)],
			"email": emails[i], "timeZone": "Europe/Berlin", "weekly": week})
	}
	for i, title := range []string{"Cut", "Cut and blow-dry", "Colour", "Balayage", "Beard trim", "Manicure"} {
		types = append(types, object{"slug": fmt.Sprint("service-", i), "title": title, "durationMinutes": 30,
			"slotStepMinutes": 15, "bookingWindowDays": 90, "hosts": emails})
	}
	file, err := json.Marshal(object{
		"workspace": object{"slug": "salon", "name": "Salon", "timeZone": "Europe/Berlin", "currency": "EUR"},
		"hosts":     people, "eventTypes": types,
	})
	if err != nil {
		panic(err) // maps of texts and numbers always encode
	}
	return file
}

var (
	hostNames = []string{"Ana", "Bea", "Cem", "Dora", "Emil", "Finn", "Greta", "Hugo", "Ida", "Jan", "Kim", "Lena", "Mia"}
	lastNames = []string{"Keller", "Berg", "Schmidt", "Öztürk", "Novak", "Rossi", "Dubois", "Jensen", "Wolf", "Krause",
		"Lindqvist", "Meyer", "Pohl", "Hartmann", "Sauer", "Vogt", "Brandt", "Albers", "Nowak", "Silva", "Moreau"}
)

// setUpSalon makes that business and its owner.
func (b *bench) setUpSalon(ctx context.Context) error {
	file := filepath.Join(b.dir, "salon.json")
	if err := os.WriteFile(file, salonFile(), 0o600); err != nil {
		return err
	}
	if _, err := b.daybook(ctx, "", "workspace", "apply", file, "--new-database"); err != nil {
		return err
	}
	_, err := b.daybook(ctx, memberPass+"\n", "user", "create", memberEmail, "--workspace", "salon", "--role", "owner")
	return err
}

// seedWeek writes the week's bookings.
func (b *bench) seedWeek(tx app.Tx, setup *catalog.Setup) error {
	w, zone := setup.Workspace.ID, setup.Zone
	at := when.At(b.first.Add(-30 * day))
	for i := range team * 7 * bookedInDay {
		n := b.o.rows + i + 1
		host, inDay := setup.Hosts[i%team], i/team%bookedInDay
		d := b.monday().AddDate(0, 0, i/team/bookedInDay)
		start := time.Date(d.Year(), d.Month(), d.Day(), 8+inDay+inDay/5, i*13%3*15, 0, 0, zone)
		name := hostNames[i*5%len(hostNames)] + " " + lastNames[i*11%len(lastNames)]
		contact := booking.Contact{ID: booking.ContactID(n), WorkspaceID: w, Name: name, CreatedAt: at,
			Email: fmt.Sprintf("guest%d@mail.example", i)}
		if err := tx.InsertContact(&contact); err != nil {
			return err
		}
		e := &setup.EventTypes[i*7%len(setup.EventTypes)]
		k := booking.Booking{
			ID: booking.BookingID(int64(n)<<20 + int64(i)*7919%(1<<20)), WorkspaceID: w, EventTypeID: e.ID, ContactID: contact.ID,
			Taken: booking.Taken{Start: when.At(start), End: when.At(start.Add(30 * time.Minute))}, Status: booking.Confirmed,
			Host: catalog.HostRef{ID: host.ID}, Seats: 1, CreatedAt: at, UpdatedAt: at,
			Invitee: booking.Invitee{Name: name, Email: contact.Email, TimeZone: "Europe/Berlin", Locale: "de"},
			Price:   &money.Money{Amount: 4500, Currency: "EUR"}, UIDDomain: "door.example",
		}
		k.BusyStart, k.BusyEnd = k.Start, k.End
		if err := tx.SaveBooking(&k, true, nil); err != nil {
			return err
		}
	}
	return nil
}

// signIn signs the owner in, and returns the header that says so.
func (b *bench) signIn(ctx context.Context, address string) (string, error) {
	b.product.wake()
	defer b.product.sleep()
	form := url.Values{"email": {memberEmail}, "password": {memberPass}}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+address+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		if c.Value != "" && res.StatusCode == http.StatusSeeOther {
			return "Cookie: " + c.Name + "=" + c.Value + "\r\n", nil
		}
	}
	return "", errors.Join(fmt.Errorf("the owner can't sign in: %s", res.Status), b.product.Said())
}

// week is a request for the calendar's week of all hosts, packed, as browsers ask for it.
func (b *bench) week() string {
	return Get("/dashboard/bookings/calendar?span=week&date="+b.monday().Format(time.DateOnly)) +
		b.member + "Accept-Encoding: gzip\r\n\r\n"
}
