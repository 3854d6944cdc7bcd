package dash

// HealthPart is the part of a card that links lead to.
const HealthPart = "health"

// AgreePart is what a customer agreed to, and what is kept of their health with that.
type AgreePart struct {
	Health   []HealthRow
	Write    *HealthForm // nil for who may not, and while none can be written
	Why      string      // why none can be written
	Consents []AgreeRow
	More     bool  // there are older consents, which aren't shown
	Record   []Tab // leads to the page where a consent of a kind is given; none for who may not
}

// HealthRow is something of a customer's health.
type HealthRow struct {
	Kind, Text, Day, Author string
	Alert                   bool // to be seen before anything else
	Over                    bool // its consent has ended
	Delete                  *Danger
}

// HealthForm writes something of a customer's health.
type HealthForm struct {
	Action, Kind, Text, Problem string
	Reaction                    bool
}

// AgreeRow is a consent.
type AgreeRow struct {
	Name, URL, Day, Signer string
	State                  Badge
}

// SignPage is where a customer agrees to something, on the shop's tablet, which they hold then: it leads nowhere.
type SignPage struct {
	Frame
	Action, Kind  string
	Read          string // what is agreed to, as catalog.ConsentKind.Worded says
	Name, Wording string
	Valid         string  // for how long; "" without an end
	Groups        []Group // who signs and, behind the drawing, when
	Problem       string
	Signature     string // what was drawn before the form was refused, as it was sent; "" for nothing
	Drawn         string // the path of that
	Width, Height int    // of the drawing
}

// SignedPage thanks for a consent. The customer still holds the tablet.
type SignedPage struct {
	Frame
	CardURL string // for the team
}

// AgreedPage shows a consent as it was given.
type AgreedPage struct {
	Frame
	BackURL, Back string
	Name, Wording string
	Facts         []Fact
	State         Badge
	Drawn         string // the path of the signature; "" for none
	Width, Height int
	Withdraw      *Danger // nil for who may not, and of one that was withdrawn
}
