package demo

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/subjects"
	"daybook/app/when"
)

// known is what the salon wrote on the card of a customer.
type known struct {
	woman   bool
	tags    []string
	born    int // the birthday is in so many days
	year    string
	tellBy  contact.TellBy
	entries []written
}

// written is an entry that was written at the end of a visit, counted from the last one back; a formula, of one for which
// something was mixed.
type written struct {
	back   int
	kind   contact.EntryKind
	text   string
	pinned bool
}

// tagOfPhotos is the tag of the customer of whom there are photographs.
const tagOfPhotos = "Bob"

// cards are those of customers who come today, or soon.
var cards = []known{
	{woman: true, tags: []string{tagOfPhotos, "Colour", "Regular"}, born: 3, year: "1987", tellBy: contact.TellByText, entries: []written{
		{1, contact.FormulaEntry, "6/0 + 6/71 (2:1), 6 %, 30 min", false},
		{1, contact.NoteEntry, "Sensitive scalp: nothing on the skin, fragrance-free shampoo.", true},
		{1, contact.NoteEntry, "Wants the length at the chin from now on. Showed her two bobs.", false},
		{0, contact.FormulaEntry, "6/0 + 6/34 (1:1), 6 %, 35 min\nLengths: 7/0 with 1.9 %, 10 min", false},
	}},
	{tags: []string{"Regular"}, born: 40, tellBy: contact.TellByCall, entries: []written{
		{0, contact.NoteEntry, "Sides 6 mm, top by scissors. Takes his coffee black.", true},
	}},
	{woman: true, tags: []string{"Colour", "New in town"}, born: 0, year: "1994", entries: []written{
		{0, contact.FormulaEntry, "8/1 gloss, 1.9 %, 15 min", false},
		{0, contact.NoteEntry, "Comes by train: never before ten.", false},
	}},
}

// fillCards writes the cards of the first customers from today on who have been there before, as the owner did it after
// their visits.
func (p *past) fillCards(ctx context.Context, owner app.Actor) error {
	coming, err := p.service.Bookings(ctx, owner, booking.ListBookingsInput{From: when.DayOf(p.until).Format(time.RFC3339), Limit: new(100)})
	if err != nil {
		return err
	}
	defer func() { p.at = p.until }()
	left, seen := slices.Clone(cards), []booking.ContactID{0}
	for i := range coming.Data {
		who := coming.Data[i].ContactID
		if slices.Contains(seen, who) || !coming.Data[i].Status.Live() {
			continue
		}
		seen = append(seen, who)
		next := slices.IndexFunc(left, func(k known) bool { return k.woman == isWoman(coming.Data[i].Invitee.Name) })
		if next < 0 {
			continue
		}
		visits, err := p.visitsOf(ctx, owner, who)
		if err != nil {
			return err
		}
		if len(visits) == 0 || left[next].woman && len(coloured(visits)) == 0 {
			continue
		}
		if err := p.fillCard(ctx, owner, who, visits, &left[next]); err != nil {
			return err
		}
		left = slices.Delete(left, next, next+1)
	}
	return nil
}

// isWoman reports whether the name begins with a woman's of firstNames, which take turns with men's.
func isWoman(name string) bool {
	first, _, _ := strings.Cut(name, " ")
	return slices.Index(firstNames, first)%2 == 0
}

// visitsOf returns the visits of a customer that are over, the latest first.
func (p *past) visitsOf(ctx context.Context, owner app.Actor, who booking.ContactID) ([]booking.Booking, error) {
	history, err := p.service.People.ContactBookings(ctx, owner, who.String(), "")
	return slices.DeleteFunc(history.Data, func(b booking.Booking) bool {
		return !b.Status.Stands() || b.End.Time().After(p.until)
	}), err
}

// coloured returns those of visits for which something was mixed.
func coloured(visits []booking.Booking) []booking.Booking {
	return slices.DeleteFunc(slices.Clone(visits), func(b booking.Booking) bool { return b.EventType != "colour" })
}

func (p *past) fillCard(ctx context.Context, owner app.Actor, who booking.ContactID, visits []booking.Booking, k *known) error {
	people := p.service.People
	day := p.until.AddDate(0, 0, k.born).Format("-01-02")
	birthday, tellBy := k.year+day, string(k.tellBy)
	if k.year == "" {
		birthday = "-" + day
	}
	_, err := people.ChangeContact(ctx, owner, who.String(), func(c *booking.Contact) (booking.ContactInput, error) {
		if c.Phone == "" && tellBy != "" { // nobody texts or calls somebody without a number
			tellBy = string(contact.TellByEmail)
		}
		return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, TimeZone: c.TimeZone, Notes: c.Notes,
			Tags: k.tags, Birthday: &birthday, TellBy: &tellBy}, nil
	})
	if err != nil {
		return err
	}
	for i, e := range k.entries {
		of := visits
		if e.kind == contact.FormulaEntry {
			of = coloured(visits)
		}
		visit := &of[min(e.back, len(of)-1)]
		p.at = visit.End.Time().Add(time.Duration(i) * time.Minute)
		if _, err := people.AddEntry(ctx, owner, who.String(), contact.EntryInput{Kind: e.kind, Text: e.text,
			Booking: visit.ID.String(), Pinned: e.pinned}); err != nil {
			return err
		}
	}
	return nil
}

//go:embed cards/before.jpg
var before []byte

// addPhotographs adds those of the customer who had their hair cut to a bob, before and after: drawn ones, as all pictures
// of the demo are.
func addPhotographs(ctx context.Context, s *subjects.Set, owner app.Actor) error {
	found, err := s.People.Contacts(ctx, owner, contact.Filter{Tags: []string{tagOfPhotos}}, new(1), "")
	if err != nil || len(found.Data) == 0 {
		return err
	}
	who := found.Data[0].ID.String()
	card, err := s.People.Card(ctx, owner, who)
	if err != nil {
		return err
	}
	after, err := pictures.ReadFile("pictures/photo-3.jpg")
	if err != nil {
		return err
	}
	for _, photo := range []struct {
		kind contact.PhotoKind
		file []byte
	}{{contact.BeforePhoto, before}, {contact.AfterPhoto, after}} {
		data, err := s.People.ReadFile(ctx, owner, photo.file)
		if err != nil {
			return err
		}
		in := contact.FileInput{Kind: photo.kind}
		if card.LastVisit != nil {
			in.Booking = card.LastVisit.ID.String()
		}
		if _, err := s.People.AddFile(ctx, owner, who, in, data); err != nil {
			return err
		}
	}
	return nil
}
