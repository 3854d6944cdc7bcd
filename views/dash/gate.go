package dash

// Steps shows how far somebody is on the way to their first booking page.
type Steps struct {
	Labels []string
	At     int // from 1
}

// GatePage is a form for somebody who is not signed in yet.
type GatePage struct {
	Frame
	Steps   *Steps
	Text    string
	Action  string
	Groups  []Group
	Hours   []HoursDay // asked for after the groups, where there are any
	Week    Group      // what is wrong with Hours
	Submit  string
	Problem string
	SkipURL string

	SkipLabel string // "" is that it can be done later
	Leave     bool   // there is a way out: to sign out
	Passkey   PasskeyForm
}

// NoticePage says one thing.
type NoticePage struct {
	Frame
	Text            string
	URL, Label      string
	Second, SecondL string
}

// DonePage tells the new owner that their booking page is live.
type DonePage struct {
	Frame
	Steps     *Steps
	PageURL   string // the booking page
	TypeURL   string // its first event type
	Photo     PictureCard
	Problem   string
	Instagram string // a line for a profile
	Embed     string
}

// TradesPage asks what the business does.
type TradesPage struct {
	Frame
	Steps   *Steps
	Tiles   []TradeTile
	SkipURL string
}

// TradeTile is a trade to choose.
type TradeTile struct{ Trade, Label, URL string }

// ServicesPage proposes what a trade usually offers.
type ServicesPage struct {
	Frame
	Steps   *Steps
	Trade   string
	Text    string
	Rows    []Group // of each service: whether it is wanted, its name, length and price
	Problem string
	BackURL string
	SkipURL string
}

// PosterPage is what is printed to hang in the shop, or to give away.
type PosterPage struct {
	Frame
	Cards bool
	Trade string
	URL   string // what the code leads to
	Shown string // as people type it
	Phone string
}

// HoursDay is a weekday's hours.
type HoursDay struct {
	Key, Label string
	Ranges     []HoursRange
	Closed     bool // Ranges are for when it is opened
	Error      string
}

// HoursRange is one span of a day, as time inputs write it: "09:00".
type HoursRange struct{ From, To string }

// shown returns the ranges and, for what is to be added, an empty one.
func (d HoursDay) shown() []HoursRange {
	if len(d.Ranges) == 0 {
		return []HoursRange{{}}
	}
	return d.Ranges
}
