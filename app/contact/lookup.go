package contact

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/phone"
	"daybook/app/when"
)

// LookupMost is the most contacts that Lookup returns.
const LookupMost = 8

// lookupFrom is from how many characters on a text is looked up.
const lookupFrom = 2

// Lookup returns contacts that match a text while it is being typed, at most LookupMost: those for which each word of
// the text begins a word of the name or the e-mail address, or, from four letters on, stands within one; or the text begins
// the telephone number, in any usual form of it, or is its end, from three digits on. Accents don't count, see FoldSearch.
// What begins with the text comes first. A text of fewer than two characters finds nothing. The cost does not grow with the number of contacts.
// Errors: forbidden, bad_request (a text of more than fault.MaxSearch characters).
func (s *Service) Lookup(ctx context.Context, a app.Actor, typed string) ([]booking.Contact, error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return nil, err
	}
	typed, err := fault.CheckLine("q", typed, 0, fault.MaxSearch)
	if err != nil || utf8.RuneCountInString(typed) < lookupFrom {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	if forms := phoneForms(typed, setup.Workspace.PhoneCountry()); len(forms) > 0 {
		return s.beginning(ctx, a, forms, nil)
	}
	words := strings.Fields(FoldSearch(typed))
	if len(words) == 0 {
		return nil, nil
	}
	longest := 0 // it begins the fewest names
	for i, word := range words {
		if len(word) > len(words[longest]) {
			longest = i
		}
	}
	word := words[longest]
	var others [][]string
	for _, other := range slices.Delete(words, longest, longest+1)[:min(len(words)-1, lookupWords)] {
		others = append(others, Beginnings(other))
	}
	return s.beginning(ctx, a, Beginnings(word), others)
}

// beginning finds contacts by the beginnings of their terms, see finder.
func (s *Service) beginning(ctx context.Context, a app.Actor, some []string, all [][]string) ([]booking.Contact, error) {
	r := s.Reader(ctx)
	found, err := r.ContactsBeginning(a.Workspace, some, all, LookupMost)
	if err != nil {
		return nil, err
	}
	return found, s.shown(r, a, found)
}

// lookupWords is how many words beside the longest one are looked at.
const lookupWords = 4

// phoneForms returns with what the terms of a contact may begin whose telephone number begins as was typed, or ends so;
// nothing for a text that is no number.
func phoneForms(typed, country string) []string {
	var digits strings.Builder
	for _, r := range strings.ReplaceAll(typed, "(0)", "") {
		switch {
		case r >= '0' && r <= '9':
			digits.WriteRune(r)
		case unicode.IsLetter(r) || r == '@':
			return nil
		}
	}
	d := digits.String()
	if len(d) < lookupFrom {
		return nil
	}
	forms := []string{d}
	if rest, abroad := strings.CutPrefix(d, "00"); abroad && rest != "" {
		forms = []string{rest, d}
	}
	if e164, whole := phone.Parse(typed, country); whole {
		forms = append(phone.Forms(e164), forms...)
	}
	slices.Sort(forms)
	if forms = slices.Compact(forms); len(d) >= lastFrom {
		forms = append(forms, fromEnd+reversed(d))
	}
	return forms
}

// Known is a contact with past bookings, for members who book for it.
type Known struct {
	booking.Contact
	Past  []booking.Booking   // the last that took place, at most three, the latest first
	Usual catalog.EventTypeID // that of most of the last ten that took place; 0 for none
}

const (
	pastShown   = 3
	pastCounted = 10
)

// Known returns a contact that the actor sees by ContactByID, with its past bookings. Errors: forbidden, not_found.
func (s *Service) Known(ctx context.Context, a app.Actor, ref string) (k Known, err error) {
	if k.Contact, err = s.ContactByID(ctx, a, ref); err != nil {
		return k, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return k, err
	}
	now := when.At(s.Core.Now())
	k.Past, err = s.Reader(ctx).Bookings(a.Workspace, booking.BookingFilter{Contact: k.ID, EndsBy: now, Descending: true,
		Statuses: booking.StandingStatuses, Limit: pastCounted})
	k.Usual = usual(k.Past)
	k.Past = k.Past[:min(len(k.Past), pastShown)]
	for i := range k.Past {
		s.Core.Present(setup, a, &k.Past[i])
		if !a.SeesBooking(&k.Past[i]) {
			k.Past[i] = k.Past[i].Outline()
		}
	}
	return k, err
}

// usual returns the event type of most of past, the latest of those with equally many; 0 if past is empty.
func usual(past []booking.Booking) (most catalog.EventTypeID) {
	count := map[catalog.EventTypeID]int{}
	for i := range past {
		count[past[i].EventTypeID]++
	}
	for i := range past {
		if id := past[i].EventTypeID; count[id] > count[most] {
			most = id
		}
	}
	return most
}
