package catalog

import (
	"fmt"
	"slices"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
)

// PassTerms say what a pass pays for that is sold as a product: so many bookings, or an amount.
type PassTerms struct {
	Credits    int64         `json:"credits"`    // how many bookings, a seat each; 0 where it has an amount
	Amount     int64         `json:"amount"`     // in minor units of the product's currency; 0 where it has credits
	EventTypes []EventTypeID `json:"eventTypes"` // for which it pays; empty is all
	Days       int           `json:"days"`       // how long it is good from the day it is sold, in the workspace's zone; 0 is no end
}

// The most that a pass has.
const (
	MaxCredits      = 1000
	maxPassServices = 50
	maxPassDays     = 3660
)

// PassTermsFields describes the terms of passes.
var PassTermsFields = field.Resource{
	Text: "What a pass pays for: `credits` or `amount`.",
	Fields: []field.Field{
		{Name: "credits", Text: "How many bookings, a seat each, at any host's price; 0 where it has an amount.", Most: MaxCredits, InFile: true},
		{Name: "amount", Text: "How much, in minor units; 0 where it has credits.", Most: money.MaxAmount, InFile: true},
		{Name: "eventTypes", Text: "Ids of the event types that it pays for; empty is all.", InFile: true},
		{Name: "days", Text: "For how many days it is good, from the one on which it is sold; 0 is no end.", Most: maxPassDays, InFile: true},
	},
}

// check returns bad_request for terms that say too little or too much.
func (p *PassTerms) check(at string) error {
	if p == nil {
		return nil
	}
	var all fault.Problems
	if (p.Credits == 0) == (p.Amount == 0) {
		all.Add(fault.Invalid(at, "needs credits or amount, and not both"))
	}
	if p.Credits < 0 || p.Credits > MaxCredits {
		all.Add(fault.Invalid(at+".credits", "must lie between 0 and %d", MaxCredits))
	}
	if p.Amount < 0 || p.Amount > money.MaxAmount {
		all.Add(fault.Invalid(at+".amount", "must lie between 0 and %d minor units", money.MaxAmount))
	}
	if p.Days < 0 || p.Days > maxPassDays {
		all.Add(fault.Invalid(at+".days", "must lie between 0 and %d", maxPassDays))
	}
	if len(p.EventTypes) > maxPassServices {
		all.Add(fault.Invalid(at+".eventTypes", "must be at most %d", maxPassServices))
	}
	if p.EventTypes == nil {
		p.EventTypes = []EventTypeID{}
	}
	slices.Sort(p.EventTypes)
	p.EventTypes = slices.Compact(p.EventTypes)
	return all.Err()
}

// Known returns bad_request for terms that name an event type which isn't known.
func (p *PassTerms) Known(at string, known func(EventTypeID) bool) error {
	if p == nil {
		return nil
	}
	for i, e := range p.EventTypes {
		if !known(e) {
			return fault.Invalid(fmt.Sprintf("%s.eventTypes[%d]", at, i), "is no event type of the workspace")
		}
	}
	return nil
}
