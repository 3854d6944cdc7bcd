package dash

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"daybook/views"
)

// Frame is what every page of the dashboard has around its content.
type Frame struct {
	*views.Locale
	Title     string
	Section   string // of the navigation: its key
	Theme     string // "light", "dark" or "" for the visitor's system
	Workspace views.Workspace
	Email     string // of who is signed in; "" for the pages before that
	Role      string
	Nav       []NavLink
	NewURL    string // makes a booking for somebody who has just come in; "" for who may not
	Said      string // what was just done
	SaidURL   string // of what it was done with; "" for none
	SaidBad   bool
	Live      bool   // the page follows what happens
	Again     bool   // without scripts, too, it soon asks for itself again
	Seen      string // what has happened before the page was made
	Wide      bool   // the content takes the whole width

	Cancelling []CancelNote // several bookings that are cancelled at once, or were
	InParts    bool         // the page is refreshed in parts
}

// The colours around the app on a phone: those of the background, --bg in tokens.css.
const (
	ThemeColorLight = "#f6f6f3"
	ThemeColorDark  = "#0f1012"
)

// linksInBar is how many links a phone's bar has, beside "+" and the menu with the others.
const linksInBar = 3

// bar says of each link of the navigation whether a phone has it in its bar: those that are meant for it, and where
// the member doesn't have them all, the next ones in their places. plus is where "+" stands: before that link.
func (d Frame) bar() (in []bool, plus int) {
	in = make([]bool, len(d.Nav))
	n := 0
	for i, l := range d.Nav {
		if in[i] = l.InBar && n < linksInBar; in[i] {
			n++
		}
	}
	for i := range d.Nav {
		if !in[i] && n < linksInBar {
			in[i] = true
			n++
		}
	}
	plus = len(d.Nav)
	for i, left := len(d.Nav)-1, linksInBar-2; i >= 0 && left > 0; i-- {
		if in[i] {
			plus = i
			left--
		}
	}
	return in, plus
}

// inMenu returns the links that a phone has in its menu.
func (d Frame) inMenu() (links []NavLink) {
	in, _ := d.bar()
	for i, l := range d.Nav {
		if !in[i] {
			links = append(links, l)
		}
	}
	return links
}

// hereInMenu reports whether a phone has the current page in its menu.
func (d Frame) hereInMenu() bool {
	return slices.ContainsFunc(d.inMenu(), func(l NavLink) bool { return l.Current })
}

// NavLink is one entry of a navigation.
type NavLink struct {
	Key, Label, Icon, URL string
	Current               bool
	InBar                 bool // of a phone
}

// Tab is one of several views of a page.
type Tab struct {
	Label, URL string
	Count      int
	Current    bool
}

// Badge is a state in a word, in a colour: good, warn, bad, info or "".
type Badge struct{ Text, Tone string }

// Pager leads through a list.
type Pager struct {
	NextURL, FirstURL string
}

// Option is one choice of a select.
type Option struct{ Value, Label string }

// Tile is an Option that is shown with a picture, as a service is.
type Tile struct {
	Value, Title, Text string
	Image              views.Image
}

// Input is a field of the dashboard's forms.
type Input struct {
	ID string // where a page has the name twice; "" is made of the name
	// Kind: text (default), email, password, new-password, number, area, select, check, date, time, datetime, color,
	// url, zone, checks, colors, span (a number and its Unit, see spanUnits)
	Name, Label, Kind  string
	Unit               string // of a span
	Value, Hint, Error string
	Checked            bool
	Values             []string // of checks
	Required           bool
	Tiles              []Tile   // in place of Options, with pictures
	Options            []Option // of a text: to choose from, or to type another
	Rest               []Option // of a select: under the heading RestLabel
	RestLabel          string
	Autocomplete       string
	Placeholder        string
	Min, Max, Step     string
	Prefix, Suffix     string
	Beside             string    // what the value comes to in words, beside the label
	Note               *TextNote // of a text to telephones
	Rows               int
	Half               bool // beside another one, where there is room
	Focus              bool
	Decimal            bool   // an amount: phones show digits
	Digits             bool   // a code of digits
	Fixed              bool   // shown, but not to be changed
	Data               string // a hook for dash.js
	ErrorNames         bool   // Error names the field itself
}

// Group is some inputs with a heading.
type Group struct {
	ID          string // what the list of a long form's sections leads to; "" stands in no list
	Title, Hint string
	Fold        string // what opens the inputs, which are hidden until one is filled in or wrong; "" shows them
	Inputs      []Input
}

// open reports whether a folded group is to be seen at once.
func (g Group) open() bool {
	return slices.ContainsFunc(g.Inputs, func(in Input) bool {
		return in.Value != "" || in.Checked || len(in.Values) > 0 || in.Error != ""
	})
}

func (g Group) anchor() string { return "s-" + g.ID }

func (g Group) attrs() templ.OrderedAttributes {
	if g.ID == "" {
		return nil
	}
	return templ.OrderedAttributes{templ.KV[string, any]("id", g.anchor())}
}

// FormTab is one of the parts of a form that are shown one at a time; without scripts each is folded.
type FormTab struct {
	ID, Title string
	Groups    []Group
}

func (t FormTab) anchor() string { return "s-" + t.ID }

func (t FormTab) wrong() bool { return len(Wrong(t.Groups)) > 0 }

// The units of a span, as forms name them.
const (
	Minutes = "minutes"
	Hours   = "hours"
	Days    = "days"
)

var spanUnits = []Option{{Minutes, "form_minutes"}, {Hours, "form_hours"}, {Days, "form_days"}}

// FormPage is a page that is a form.
type FormPage struct {
	Frame
	BackURL, BackLabel string
	Intro              string
	Action             string
	Groups             []Group
	Submit             string
	Problem            string
	Danger             []Danger
}

// Danger is something that is asked about before it is done.
type Danger struct {
	Title, Text, Action, Submit string
	Inputs                      []Input
	Hidden                      []views.Pair
	Quiet                       bool // not to be afraid of
	Open                        bool // it was refused, and is asked again
	Rare                        bool // stands behind those that come next
}

func (in Input) id() string {
	if in.ID != "" {
		return "f-" + in.ID
	}
	return "f-" + in.Name
}

func (in Input) kind() string {
	switch in.Kind {
	case "":
		return "text"
	case "new-password":
		return "password"
	case "datetime":
		return "datetime-local"
	case "zone":
		return "text"
	}
	return in.Kind
}

func (in Input) described() string {
	var by []string
	if in.Hint != "" {
		by = append(by, in.id()+"-hint")
	}
	if in.Error != "" {
		by = append(by, in.id()+"-error")
	}
	if in.Note != nil {
		by = append(by, in.Note.id())
	}
	return strings.Join(by, " ")
}

// note is the note of a text: what is wrong stands above it already once a form was refused.
func (in Input) note() TextNote {
	n := *in.Note
	if in.Error != "" {
		n.Wrong = ""
	}
	return n
}

func (in Input) has(value string) bool {
	for _, v := range in.Values {
		if v == value {
			return true
		}
	}
	return false
}

// Wrong lists the inputs with an error.
func Wrong(groups []Group) (wrong []Input) {
	for _, g := range groups {
		for _, in := range g.Inputs {
			if in.Error != "" {
				wrong = append(wrong, in)
			}
		}
	}
	return wrong
}

func (d Frame) documentTitle() string {
	if d.Workspace.Name == "" {
		return d.Title + " · Daybook"
	}
	return d.Title + " · " + d.Workspace.Name
}

func (d Frame) colorScheme() string {
	if d.Theme != "" {
		return d.Theme
	}
	return "light dark"
}
