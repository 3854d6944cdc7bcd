package catalog

import "daybook/app/phone"

// Asks says which contact details the booking page asks for.
type Asks string

const (
	AskEmail  Asks = "email"
	AskPhone  Asks = "phone"
	AskEither Asks = "either" // one of the two is enough
	AskBoth   Asks = "both"
)

// AllAsks lists the values of Asks.
var AllAsks = []Asks{AskEmail, AskPhone, AskEither, AskBoth}

// Email reports whether an e-mail address is asked for, though perhaps not required.
func (a Asks) Email() bool { return a != AskPhone }

// Phone reports whether a telephone number is asked for, though perhaps not required.
func (a Asks) Phone() bool { return a == AskPhone || a == AskEither || a == AskBoth }

// PhoneCountry returns the ISO 3166 code of the country for telephone numbers without a country code: the one that was
// chosen, else that of the time zone; "" if there is none.
func (w *Workspace) PhoneCountry() string {
	if w.Country != "" {
		return w.Country
	}
	return phone.CountryOf(w.TimeZone)
}
