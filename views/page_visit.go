package views

import "time"

// VisitPage shows a visit of several services to who made it. The embedded page tells of all of it together.
type VisitPage struct {
	BookingPage
	Items []VisitItem
	// CancelEach says that some can still be cancelled by itself, for its fee.
	CancelEach bool
	Sum        *Money // of what isn't cancelled; nil where nothing has a price, or not all in one currency
}

// VisitItem is one service of a visit.
type VisitItem struct {
	Event      Event
	Start, End time.Time // in the zone that is shown
	OtherDay   bool      // it isn't on the day of the visit
	Status     string    // as in the API
	Pending    bool
	Past       bool
	Open       bool   // something can still become of it
	URL        string // its own page
}

// state says what became of the service, and in which tone; "" where it takes place as booked.
func (v VisitPage) state(i VisitItem) (text, tone string) {
	switch {
	case i.Status == "cancelled":
		return v.T("visit_item_cancelled"), "bad"
	case i.Status == "no_show":
		return v.T("head_no_show"), "bad"
	case i.Pending && v.Pending != "payment":
		return v.T("visit_item_pending"), "warn"
	case i.Past:
		return v.T("visit_item_past"), "good"
	}
	return "", ""
}

// CancelVisitPage asks whether to cancel all of a visit.
type CancelVisitPage struct {
	CancelPage
	Items []VisitItem // those that are cancelled
}
