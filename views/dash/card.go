package dash

import (
	"context"

	"daybook/views"
)

// FileField is the name of a form's file inputs for a photograph or a file of a customer.
const FileField = "file"

// The parts of a card that links lead to.
const (
	WritePart  = "write"
	PhotosPart = "photos"
)

// ContactPage is the card of one customer: what the person at the chair needs to know, and behind it all bookings.
type ContactPage struct {
	Frame
	Name    string
	ID      string
	BookURL string // books for them
	Manages bool   // changes, merges, deletes, exports them
	Tags    []Tab  // without addresses for members who see no list
	Passes  []Fact // what they have paid ahead
	Reach   []Reach
	Tells   string // how they like to be told, in words; "" where they didn't say
	Figures []Figure
	Alerts  []string   // of their health, to be seen first
	Talk    *TextsPart // nil where no texts are sent and for who may not see them
	Agree   *AgreePart // nil for who may not see it, and where nothing is asked for
	Texts   *CardTexts // nil where the business sends none
	Formula *Entry     // the last one; nil for none
	Again   string     // opens the form filled with it; "" for who may not write
	Pinned  []Entry
	Write   *EntryForm // nil for who may not write
	Entries []Entry
	Pager   Pager // of Entries
	Photos  []Photo
	Upload  *FileForm // nil for who may not write
	Files   []CardFile
	Years   []BookedYear
	More    Pager // of Years
	Facts   []Fact
	Offers  []FieldOffer // none for who may not change them
	Notes   Input        // to be read only, unless Manages
	Problem string
	Danger  []Danger
}

// Reach is a way to reach a customer with one tap.
type Reach struct{ Icon, Text, URL, Label string }

// Figure is one of the things that matter about a customer.
type Figure struct {
	Label, Value, Sub, URL string
	Tone                   string // of Sub: bad, good or ""
}

// Entry is something that was written about a customer.
type Entry struct {
	ID         string
	Kind       string // in a word; "" for a plain note
	Text       string
	Day        string
	Author     string
	Visit      string // what the visit was that it tells of
	VisitURL   string
	Pinned     bool
	Was        []Entry // what stood there before it was corrected, the latest first
	Corrected  bool    // another one stands in its place, on another page of the list
	PinURL     string  // "" for who may not
	CorrectURL string
	Delete     *Danger
}

// byline says when it was written, and by whom.
func (e Entry) byline() string { return joined(e.Day, e.Author) }

// acts reports whether something can be done about it.
func (e Entry) acts() bool { return e.PinURL != "" || e.CorrectURL != "" || e.Delete != nil }

// EntryForm writes an entry.
type EntryForm struct {
	Action, Title, Hint string
	Formula             bool // the kind that is chosen
	Text                string
	Corrects            string // an entry, whose kind it keeps; "" for a new one
	Visit, VisitID      string // of today; "" for none
	Tied                bool   // whether it is about that visit
	Pinned              bool
	Focus               bool
	CancelURL           string // leads back to an empty form; "" where it is one
	Problem             string
}

// Photo is a photograph of a customer.
type Photo struct {
	ID         string
	Small, URL string
	Width      int
	Height     int
	Kind       string // before, after, or just a photo: in a word
	Day        string
	Author     string // who took it
	Visit      string // on which visit
	Delete     *Danger
}

// label says which one it is.
func (p Photo) label(ctx context.Context) string {
	return tr(ctx, "card_photo_of", "Kind", p.Kind, "Day", p.Day)
}

// CardFile is another file of a customer.
type CardFile struct {
	Name, URL          string
	Day, Author, Visit string // when it was added, by whom, and on which visit
	Delete             *Danger
}

// FileForm adds a photograph or a file.
type FileForm struct {
	Action         string
	Kind           string // the one that is chosen
	Visit, VisitID string // of today; "" for none
	Full           string // why there is no room, "" where there is
	Problem        string
}

// BookedYear is a year of a customer's bookings, the latest first.
type BookedYear struct {
	Year     string
	Bookings int
	Open     bool
	Rows     []PastBooking
}

// CardNotes is what matters of a customer's card beside a booking.
type CardNotes struct {
	Alerts  []string // of the customer's health, to be seen first
	Formula *Entry
	Again   string // "" for who may not write
	Pinned  []Entry
}

// smallPhoto is how wide a photograph is in the strip, in pixels.
const smallPhoto = 112

// initials stand for a customer's face.
func (v ContactPage) initials() string { return views.Monogram(v.Name) }

// CardTexts says whether a customer wants texts, since when and by whom it was noted, and takes what they say.
type CardTexts struct {
	State   Badge
	Since   string // and by whom; "" where nothing is noted
	Wording string // what was agreed to; "" for none
	Text    string // what follows from it
	Action  string // "" for who may not, and where nothing can be noted
	Ask     Input  // for the wording
	Problem string
}
