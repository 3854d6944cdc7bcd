package calendar

import (
	"os"
	"testing"
	"time"
)

func sample() Invitation {
	zone, _ := time.LoadLocation("Europe/Berlin")
	return Invitation{
		UID: "bk_1@book.example", Title: "Färben, Schneiden; \"mehr\"\r\nX-Evil: 1", Description: "Zeile 1\nZeile 2, mit: allem; \\ und einer sehr langen Reihe von Wörtern, die gefaltet werden muss: äöüäöüäöüäöüäöüäöü",
		Location: "Straße 1, Berlin", URL: "https://book.example/booking/abc",
		Start: time.Date(2026, 3, 29, 0, 30, 0, 0, time.UTC), End: time.Date(2026, 3, 29, 2, 30, 0, 0, time.UTC), Zone: zone,
		Organizer: Person{"Höst, \"Salon\": GmbH", "book@salon.example"}, Attendees: []Person{{"Bo; B,", "bo@mail.example"}},
		Alarm: time.Hour, Stamp: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	}
}

func TestPrint(t *testing.T) {
	i := sample()
	os.Stdout.WriteString(i.Text())
}
