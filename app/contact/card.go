package contact

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
)

// TellBy is how a customer likes to be told. The words are stored, so none may be renamed.
type TellBy string

// The ways to tell a customer.
const (
	TellByEmail TellBy = "email"
	TellByText  TellBy = "text"
	TellByCall  TellBy = "call"
)

const (
	// MaxTags is the most tags of a contact.
	MaxTags = 20
	// MaxTag is the most characters of a tag.
	MaxTag = 40
)

// Card is what the person at the chair needs to know of a customer, besides the contact.
type Card struct {
	LastVisit *booking.Booking // the latest that took place and is over; nil
	NextVisit *booking.Booking // the earliest that is to take place; nil
	Spent     []money.Money    // received less given back, tips and sales included, by currency; nil for those who may not see it
	// UsualHost and UsualEventType are those of most visits of the last 24 months, ties the latest; 0 below two visits.
	UsualHost      catalog.HostID
	UsualEventType catalog.EventTypeID
	EveryDays      int    // the median of the days between the last five visits; 0 below two visits
	Formula        *Entry // the latest formula that wasn't corrected; nil
}

// Card returns the card of a contact whose card the actor may see. Staff get the Outline of a visit that isn't theirs, and
// no Spent. Errors: forbidden, not_found.
func (s *Service) Card(ctx context.Context, a app.Actor, contact string) (Card, error) {
	return Card{}, a.May(app.MaySeeCard)
}

// Tags lists the tags of the workspace's contacts with how many have each, those of most contacts first, at most 100.
// Errors: forbidden.
func (s *Service) Tags(ctx context.Context, a app.Actor) ([]TagCount, error) {
	return nil, a.May(app.MaySeeContacts)
}

// TagCount is a tag, and how many contacts have it.
type TagCount struct {
	Tag      string
	Contacts int
}
