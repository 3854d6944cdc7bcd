package dash

import (
	"context"

	"daybook/assets"
)

// Who asks whom a new booking is for.
type Who struct {
	Card   *PersonCard // who was chosen; nil for nobody
	Asked  bool        // the form was sent to find somebody, without a script
	People []Person    // who was found then
}

func (v Who) script() string { return assets.Path("lookup.js") }

// Person is a contact to choose.
type Person struct {
	ID, Name    string
	Email       string
	Phone       string // as it is kept
	PhoneShown  string
	Last        string // when they were there or come, in words
	NoShows     int
	NoShowsText string
}

// reach returns how the person can be reached.
func (p Person) reach() string {
	if p.Email != "" && p.PhoneShown != "" {
		return p.Email + " · " + p.PhoneShown
	}
	return p.Email + p.PhoneShown
}

// PersonCard is what helps whoever books for a contact.
type PersonCard struct {
	Person
	URL   string
	Past  []string
	Notes string
	// Usual is the service that they mostly have, "" for none. A tap on it picks it where UsualURL leads to it, or
	// where UsualValue is what the form around the card is to be sent with.
	Usual, UsualURL, UsualValue string
}

// foundText says how many people were found.
func foundText(ctx context.Context, n int) string {
	if n == 0 {
		return tr(ctx, "contact_found_none")
	}
	return tr(ctx, "contact_found", "Count", n)
}
