package views

import "time"

// ComingSegment ends the address of the page on which an invitee says whether they come, behind that of the booking or the visit.
const ComingSegment = "/coming"

// ComingPath asks whether the invitee of a booking comes.
func ComingPath(token string, q Query) string { return address("/booking/"+token+ComingSegment, q, "") }

// ComingVisitPath asks whether the invitee of a visit comes.
func ComingVisitPath(token string, q Query) string {
	return address("/visit/"+token+ComingSegment, q, "")
}

// ComingPage asks an invitee whether they come, and shows what they said last. Opening it changes nothing.
type ComingPage struct {
	Page
	Event      Event
	Start, End time.Time // in the zone that is shown
	Zone       string
	Items      []VisitItem // of a visit, those that are asked about
	Answer     string      // as in the API; "" for none
	Action     string
	BackURL    string // the page of the booking, or of the visit

	// What can be done after a no.
	MoveURL, CancelURL string
	Late               string // why nothing can be done online; "" where something can
}

// asked returns the heading.
func (v ComingPage) asked() string {
	switch v.Answer {
	case "yes":
		return v.T("coming_said_yes")
	case "no":
		return v.T("coming_said_no")
	}
	return v.T("coming_title")
}
