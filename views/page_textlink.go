package views

import "time"

// TextLinkPage is the page of the short link in a text: what the text is about, as it is now, and nothing of its person. It
// is about one appointment, or about all that one number was asked of. Opening it changes nothing.
type TextLinkPage struct {
	Page
	Items  []TextLinkItem // at least one
	Zone   string
	Action string // where its forms are sent

	Changes        bool // moving and cancelling are offered, which a code leads to
	Sent           bool // a code was sent, and is asked for
	Problem        string
	Phone, CallURL string // of the business
}

// TextLinkItem is an appointment of such a page.
type TextLinkItem struct {
	Ref        string // of its form; "" where the page has one alone
	Event      Event
	Start, End time.Time   // in the zone that is shown
	Parts      []VisitItem // of a visit or a series
	Status     string
	Asks       bool // whether they come; Answer is what they said last, as in the API, "" for nothing
	Answer     string
}

// TextLinkPath is the path of the page.
func TextLinkPath(code string) string { return "/t/" + code }

// WrongTextLink answers a short link that opens nothing (404).
func WrongTextLink(p Page) MessagePage { return message(p, "alert", "textlink_wrong") }

// OverTextLink says that what a short link was about is over, and whom to call.
func OverTextLink(p Page, phone, callURL string) MessagePage {
	v := message(p, "check", "textlink_over")
	v.Text = p.T("textlink_over_text", "Name", p.Workspace.Name)
	if callURL != "" {
		v.Links = append([]Link{{p.T("textlink_call", "Phone", phone), callURL}}, v.Links...)
	}
	return v
}
