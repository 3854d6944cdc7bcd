package catalog

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/phone"
	"daybook/app/text/gsm"
)

// TextKind says what a text to a telephone is about.
type TextKind string

// To invitees, and to who waits for a time. Each says what mails of the kinds that it names do.
const (
	TextConfirmed TextKind = "confirmed" // MailConfirmed, MailApproved, MailWaiting
	TextMoved     TextKind = "moved"
	TextCancelled TextKind = "cancelled" // MailCancelled, MailDeclined, MailLapsed
	TextReminder  TextKind = "reminder"
	TextOffered   TextKind = "offered" // MailOffer, MailOpening, MailOfferOver
	TextReceipt   TextKind = "receipt" // a link to it, which a member sends
)

// Those that a person asks for on a page or by a text, and the business's answers. They can't be switched off.
const (
	TextCode    TextKind = "code"    // proves that a number is somebody's own
	TextOwn     TextKind = "own"     // the link to the page of a contact's own
	TextWaits   TextKind = "waits"   // asks somebody to confirm that they wait
	TextAnswer  TextKind = "answer"  // where one reply could answer several questions: a link to all of them
	TextStopped TextKind = "stopped" // that no more will come, where the sender doesn't say so itself
	TextReply   TextKind = "reply"   // what a member of the team wrote
	TextTest    TextKind = "test"
)

// TextKinds lists the kinds that are sent automatically. A workspace or an event type may switch each of them off.
var TextKinds = []TextKind{TextConfirmed, TextMoved, TextCancelled, TextReminder, TextOffered, TextReceipt}

// TextKindOf returns the kind of text that tells what a mail of a kind does, or "".
func TextKindOf(k MailKind) TextKind {
	switch k {
	case MailConfirmed, MailApproved, MailWaiting:
		return TextConfirmed
	case MailMoved:
		return TextMoved
	case MailCancelled, MailDeclined, MailLapsed:
		return TextCancelled
	case MailReminder:
		return TextReminder
	case MailOffer, MailOpening, MailOfferOver:
		return TextOffered
	case MailReceipt:
		return TextReceipt
	case MailOwn:
		return TextOwn
	case MailWaits:
		return TextWaits
	}
	return ""
}

// Texts reports whether texts of the kind are sent: neither the workspace nor the event type, which may be nil, has
// switched them off.
func (s *Setup) Texts(k TextKind, e *EventType) bool {
	return s.Workspace.Texts && !slices.Contains(s.Workspace.Settings.TextRules().Off, k) && (e == nil || !slices.Contains(e.TextsOff, k))
}

// CheckTextKinds returns bad_request for a name that is no kind of text that can be switched off.
func CheckTextKinds(field string, kinds []TextKind) error {
	for _, k := range kinds {
		if !slices.Contains(TextKinds, k) {
			return fault.Invalid(field, "%q is no kind of text", k)
		}
	}
	return nil
}

// TextSettings are how a workspace sends texts; the zero value works. Through what they are sent is kept apart, see package
// text.
type TextSettings struct {
	Off       []TextKind `json:"off,omitempty"`
	Cap       int        `json:"cap,omitempty"`       // segments in a calendar month; 0 is DefaultTextCap
	Countries []string   `json:"countries,omitempty"` // ISO 3166: where visitors' texts may go; none is the workspace's own
	QuietFrom string     `json:"quietFrom,omitempty"` // 21:00; both "" is DefaultQuietFrom until DefaultQuietTo
	QuietTo   string     `json:"quietTo,omitempty"`   // 08:00; the same as QuietFrom is no quiet time
}

const (
	// DefaultTextCap is how many segments a workspace sends in a month unless it says otherwise.
	DefaultTextCap = 500
	// MostTextCap is the most that it can say.
	MostTextCap      = 1_000_000
	DefaultQuietFrom = "21:00"
	DefaultQuietTo   = "08:00"
	mostTextPlaces   = 50
)

// TextSettingsFields describes TextSettings.
var TextSettingsFields = field.Resource{
	Text: "How texts to telephones are sent.",
	Fields: []field.Field{
		{Name: "off", Text: "The kinds of text that are not sent.", Enum: field.Values(TextKinds...), Each: "A kind of text.", InFile: true},
		{Name: "cap", Text: "How many segments are sent in a calendar month at most; left out, 500.", Least: 1, Most: MostTextCap, InFile: true,
			Clears: true},
		{Name: "countries", Text: "ISO 3166 codes of the countries to whose numbers texts go that visitors cause; left out, the workspace's own.",
			Each: "A country.", InFile: true, Clears: true},
		{Name: "quietFrom", Text: "From when on nothing is sent that can wait, on the clock of the workspace's zone; left out, 21:00.",
			InFile: true, Clears: true, Example: "21:00"},
		{Name: "quietTo", Text: "Until when; left out, 08:00. The same as `quietFrom` is no quiet time.", InFile: true, Clears: true,
			Example: "08:00"},
	},
}

// TextRules returns how texts are sent; not nil.
func (t *Settings) TextRules() *TextSettings {
	if t.Texts == nil {
		return &TextSettings{}
	}
	return t.Texts
}

// MonthlyCap returns how many segments are sent in a calendar month at most.
func (t *TextSettings) MonthlyCap() int {
	if t.Cap == 0 {
		return DefaultTextCap
	}
	return t.Cap
}

// Quiet returns from when until when nothing is sent that can wait, in minutes of the day; none if they are the same.
func (t *TextSettings) Quiet() (from, to int) {
	if t.QuietFrom == "" && t.QuietTo == "" {
		return minuteOf(DefaultQuietFrom), minuteOf(DefaultQuietTo)
	}
	return minuteOf(t.QuietFrom), minuteOf(t.QuietTo)
}

// minuteOf returns the minute of the day of a time such as 21:00, or -1.
func minuteOf(clock string) int {
	var h, m int
	if len(clock) != 5 || clock[2] != ':' {
		return -1
	}
	for i, to := range []*int{&h, &h, nil, &m, &m} {
		if to == nil {
			continue
		}
		if clock[i] < '0' || clock[i] > '9' {
			return -1
		}
		*to = *to*10 + int(clock[i]-'0')
	}
	if h > 23 || m > 59 {
		return -1
	}
	return h*60 + m
}

// TextPlaces returns the countries to whose numbers texts go that visitors cause.
func (w *Workspace) TextPlaces() []string {
	if all := w.Settings.TextRules().Countries; len(all) > 0 {
		return all
	}
	if own := w.PhoneCountry(); own != "" {
		return []string{own}
	}
	return nil
}

// Check normalises the settings; nil are the usual ones. at names their place, for errors. Errors: bad_request.
func (t *TextSettings) Check(at string) error {
	if t == nil {
		return nil
	}
	if err := CheckTextKinds(at+".off", t.Off); err != nil {
		return err
	}
	if t.Cap < 0 || t.Cap > MostTextCap {
		return fault.Invalid(at+".cap", "must lie between %d and %d", 1, MostTextCap)
	}
	if len(t.Countries) > mostTextPlaces {
		return fault.Invalid(at+".countries", "at most %d", mostTextPlaces)
	}
	for i, c := range t.Countries {
		if t.Countries[i] = strings.ToUpper(strings.TrimSpace(c)); !phone.IsCountry(t.Countries[i]) {
			return fault.Invalid(at+".countries", "%q is no country's ISO 3166 code", c)
		}
	}
	slices.Sort(t.Countries)
	t.Countries = slices.Compact(t.Countries)
	if (t.QuietFrom == "") != (t.QuietTo == "") {
		return fault.Invalid(at+".quietTo", "give both quietFrom and quietTo, or neither")
	}
	for _, q := range []struct{ name, clock string }{{"quietFrom", t.QuietFrom}, {"quietTo", t.QuietTo}} {
		if q.clock != "" && minuteOf(q.clock) < 0 {
			return fault.Invalid(at+"."+q.name, "must be a time such as 21:00")
		}
	}
	return nil
}

// TextWords is the whole text of a kind in the owner's words. An empty language means all of them.
type TextWords struct {
	Kind   TextKind `json:"kind"`
	Locale string   `json:"locale,omitempty"` // such as de
	Text   string   `json:"text"`
}

// The most own texts of an event type, and how long each may be.
const (
	MaxTextWords  = 50
	maxTextLength = 600 // characters
	// MostSegments is how many segments an own text may have with the longest values.
	MostSegments = 4
)

// TextFields are what own texts may have in braces, with the longest value of each: {name} stands for the person's name.
var TextFields = []struct{ Name, Longest string }{
	{"name", strings.Repeat("m", 30)}, {"shop", strings.Repeat("m", 30)}, {"service", strings.Repeat("m", 40)},
	{"host", strings.Repeat("m", 20)}, {"date", "Donnerstag, 24. September"}, {"time", "12:30 p.m."},
	{"link", "https://" + strings.Repeat("m", 25) + "/t/0123456789ab"},
}

// TextWordsFields describes TextWords.
var TextWordsFields = field.Resource{
	Text: "A text to telephones in the owner's words, in place of the usual one.",
	Fields: []field.Field{
		{Name: "kind", Text: "The kind of text.", InFile: true, Required: true, Enum: field.Values(TextKinds...)},
		{Name: "locale", Text: "The language of the text, such as de; empty is all.", InFile: true, Clears: true},
		{Name: "text", Text: "The text. {name}, {shop}, {service}, {host}, {date}, {time} and {link} stand for what they say. With the " +
			"longest values it has at most 4 segments.", Least: 1, Most: maxTextLength, InFile: true, Required: true,
			Example: "See you on {date} at {time}! {link}"},
	},
}

// FillText returns a text with its fields replaced by values, by their names.
func FillText(text string, values map[string]string) string {
	var pairs []string
	for _, f := range TextFields {
		pairs = append(pairs, "{"+f.Name+"}", values[f.Name])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// TextCost returns what an own text costs with the longest value of each field, written as it is sent.
func TextCost(text string) gsm.Count {
	values := map[string]string{}
	for _, f := range TextFields {
		values[f.Name] = f.Longest
	}
	return gsm.Segments(gsm.Plain(FillText(text, values)))
}

// CheckTextWords normalises all in place. at names the field in errors. The error is bad_request.
func CheckTextWords(at string, all []TextWords) error {
	if len(all) > MaxTextWords {
		return fault.Invalid(at, "at most %d", MaxTextWords)
	}
	for i := range all {
		w, at := &all[i], fmt.Sprintf("%s[%d]", at, i)
		var err error
		if !slices.Contains(TextKinds, w.Kind) {
			return fault.Invalid(at+".kind", "%q is no kind of text", w.Kind)
		}
		if w.Locale, err = fault.CheckLocale(at+".locale", w.Locale); err != nil {
			return err
		}
		if w.Text, err = fault.CheckText(at+".text", w.Text, maxTextLength); err != nil {
			return err
		}
		if w.Text == "" {
			return fault.Invalid(at+".text", "is required")
		}
		if name := unknownField(w.Text); name != "" {
			return fault.Invalid(at+".text", "{%s} is no field of a text", name)
		}
		if n := TextCost(w.Text).Segments; n > MostSegments {
			return fault.Invalid(at+".text", "with long names it has %d segments: at most %d", n, MostSegments)
		}
		for _, o := range all[:i] {
			if o.Kind == w.Kind && o.Locale == w.Locale {
				return fault.Invalid(at, "stands twice for that kind and language")
			}
		}
	}
	return nil
}

// unknownField returns what stands first in braces in a text and is no field of it, or "".
func unknownField(text string) string {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "{")
		name, behind, closed := strings.Cut(after, "}")
		if !found || !closed {
			return ""
		}
		known := false
		for _, f := range TextFields {
			known = known || f.Name == name
		}
		if !known {
			return name
		}
		rest = behind
	}
}

// TextWordsFor returns the owner's own text of a kind, or "": the one in the first of the languages that has one, such as
// de-AT, then one in that language without its region, and at last one for all languages.
func TextWordsFor(all []TextWords, kind TextKind, languages ...string) string {
	mails := make([]MailWords, 0, len(all))
	for _, w := range all {
		if w.Kind == kind {
			mails = append(mails, MailWords{Kind: "text", Locale: w.Locale, Text: w.Text})
		}
	}
	return MailWordsFor(mails, "text", languages...)
}
