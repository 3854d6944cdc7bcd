// Package trade knows what businesses of a trade usually offer: what a new owner is proposed, to correct.
package trade

import "slices"

// Trade is what a business does.
type Trade string

const (
	Hair    Trade = "hair"
	Barber  Trade = "barber"
	Nails   Trade = "nails"
	Beauty  Trade = "beauty"
	Massage Trade = "massage"
	Physio  Trade = "physio"
	Therapy Trade = "therapy"
	Tutor   Trade = "tutoring"
	Fitness Trade = "fitness"
	Studio  Trade = "studio"
	Garage  Trade = "garage"
	Other   Trade = "other" // any other: nothing is proposed
)

// All lists the trades as they are offered.
var All = []Trade{Hair, Barber, Nails, Beauty, Massage, Physio, Therapy, Tutor, Fitness, Studio, Garage, Other}

// Known reports whether there is such a trade.
func (t Trade) Known() bool { return slices.Contains(All, t) }

// Currency is that of the proposed prices. In any other they are worth nothing.
const Currency = "EUR"

// Ticked is how many of the proposed services are ticked at first: those that nearly everybody of the trade offers.
const Ticked = 3

// Service is a proposal.
type Service struct {
	Title   string
	Minutes int
	Price   int64 // usual in cities of western Europe, in whole units of Currency
	Place   Place
}

// Place is where a proposed service takes place.
type Place string

const (
	AtShop Place = ""
	Online Place = "online"
	Away   Place = "away" // where the customer is
)

// places are those of the services that are elsewhere than at the business, by their English titles.
var places = map[string]Place{"Session by video": Online, "Online lesson": Online, "Training by video": Online, "Home visit": Away}

// languages are those of the titles, in their order.
var languages = []string{"en", "de", "fr", "es"}

// Services returns the ten services that are proposed to the trade, those that are ticked first, with titles in the language: English
// where there are none in it. Nothing is proposed to Other.
func (t Trade) Services(language string) []Service {
	at := max(0, slices.Index(languages, language))
	all := make([]Service, 0, len(usual[t]))
	for _, u := range usual[t] {
		all = append(all, Service{Title: u.titles[at], Minutes: u.minutes, Price: u.price,
			Place: places[u.titles[0]]})
	}
	return all
}

type proposal struct {
	minutes int
	price   int64
	titles  [4]string
}
