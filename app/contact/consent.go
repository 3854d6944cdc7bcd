package contact

import (
	"strconv"
	"strings"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// ConsentID is the id of a Consent.
type ConsentID = booking.ConsentID

const (
	// MaxConsents is the most consents of a contact. Merging may exceed it.
	MaxConsents = 500
	// MaxSigner is the most characters of the name of a person who signs.
	MaxSigner = 200
)

// Consent is what a customer agreed to, as it was worded then. Of one kind the newest that wasn't withdrawn counts.
type Consent struct {
	ID          ConsentID    `json:"id"`
	Kind        string       `json:"kind"` // key of a catalog.ConsentKind, which may be gone by now
	Wording     string       `json:"wording"`
	Date        string       `json:"date"`   // 2026-12-24, on the clock of the business
	End         string       `json:"end"`    // the last day on which it is valid; "" without an end
	Signer      string       `json:"signer"` // the name that was typed by who signed; "" if none was
	Signed      bool         `json:"signed"` // by hand, too
	Valid       bool         `json:"valid"`  // today
	Author      Author       `json:"author"` // who recorded it
	CreatedAt   when.Instant `json:"createdAt"`
	WithdrawnAt when.Instant `json:"withdrawnAt"` // 0 if it wasn't
	WithdrawnBy *Author      `json:"withdrawnBy"` // nil if it wasn't

	Sealed string `json:"-"` // name and signature, as the store has them
}

// validOn reports whether the consent is valid on a day such as 2026-12-24.
func (c *Consent) validOn(day string) bool {
	return c.WithdrawnAt == 0 && c.Date <= day && (c.End == "" || day <= c.End)
}

// outlasts reports whether the consent ends after another one, or as late and is the newer one.
func (c *Consent) outlasts(other *Consent) bool {
	if c.End != other.End {
		return c.End == "" || other.End != "" && c.End > other.End
	}
	return c.newer(other)
}

// newer reports whether the consent counts before another one of its kind.
func (c *Consent) newer(other *Consent) bool {
	return c.Date > other.Date || c.Date == other.Date && c.ID > other.ID
}

// ConsentInput is a consent to be recorded.
type ConsentInput struct {
	Kind   string `json:"kind"`
	Date   string `json:"date"`
	Signer string `json:"signer"`

	Signature string `json:"-"` // as ParseSignature reads it; "" for none
	Read      string `json:"-"` // what was shown to be agreed to, as catalog.ConsentKind.Worded says; "" if nothing was shown here
}

// ConsentFields describes consents.
var ConsentFields = field.Resource{
	Text: "What a customer agreed to, as it was worded then. Of one kind the newest that wasn't withdrawn counts.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the consent.", Example: "cs_1p4s8ywa0g0q3"},
		{Name: "kind", Text: "Key of the kind of consents, one of the workspace's `consents` when it was recorded.", Example: "patch-test"},
		{Name: "wording", Text: "What was agreed to, in the words of then.", Lines: true},
		{Name: "date", Text: "The day of it, on the business's clock.", Format: "date", Example: "2026-11-30"},
		{Name: "end", Text: "The last day on which it is valid; empty without an end.", Example: "2027-05-29"},
		{Name: "signer", Text: "The name that was typed by who signed; empty if none was.", Example: "Mia Brandt"},
		{Name: "signed", Text: "Whether it was signed by hand, too, which the dashboard shows."},
		{Name: "valid", Text: "Whether it is valid today: it has begun, hasn't ended, and wasn't withdrawn."},
		{Name: "author", Text: "Who recorded it."},
		{Name: "createdAt", Text: "When it was recorded."},
		{Name: "withdrawnAt", Text: "When it was withdrawn; null if it wasn't.", Null: true},
		{Name: "withdrawnBy", Text: "Who wrote down that it was withdrawn; null if it wasn't.", Null: true},
	},
}

// ConsentInputFields describes the fields of ConsentInput.
var ConsentInputFields = field.Resource{
	Text: "A consent to be recorded. Its wording and end are those of its kind.",
	Fields: []field.Field{
		{Name: "kind", Text: "Key of a kind of the workspace's consents.", Required: true, Most: 40, Example: "patch-test"},
		{Name: "date", Text: "The day on which it was given, not in the future; today if it is left out.", Most: 10, Example: "2026-11-30"},
		{Name: "signer", Text: "The name of who gave it.", Most: MaxSigner, Example: "Mia Brandt"},
	},
}

// The bounds of a signature.
const (
	SignatureWidth  = 600 // its coordinates lie below these
	SignatureHeight = 200
	maxStrokes      = 200
	maxPoints       = 4000
	maxSignature    = maxPoints * 8 // bytes of its text
)

// Signature is what a finger drew: strokes of points from the upper left corner, each as x, y, x, y….
type Signature [][]int

// ParseSignature reads strokes that are separated by semicolons, their points by spaces: "10,20 12,24;30,20". Errors:
// bad_request.
func ParseSignature(text string) (s Signature, err error) {
	wrong := fault.Invalid("signature", "must be strokes such as 10,20 12,24;30,20, within %d by %d", SignatureWidth, SignatureHeight)
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	if len(text) > maxSignature {
		return nil, fault.Invalid("signature", "is too long: draw it with fewer strokes")
	}
	points := 0
	for line := range strings.SplitSeq(text, ";") {
		var stroke []int
		for point := range strings.FieldsSeq(line) {
			left, below, ok := strings.Cut(point, ",")
			x, errX := strconv.Atoi(left)
			y, errY := strconv.Atoi(below)
			if !ok || errX != nil || errY != nil || x < 0 || y < 0 || x >= SignatureWidth || y >= SignatureHeight {
				return nil, wrong
			}
			stroke = append(stroke, x, y)
		}
		if len(stroke) == 0 {
			return nil, wrong
		}
		if s, points = append(s, stroke), points+len(stroke)/2; len(s) > maxStrokes || points > maxPoints {
			return nil, fault.Invalid("signature", "is too long: draw it with fewer strokes")
		}
	}
	return s, nil
}

// Path returns the signature as the path of an SVG picture of SignatureWidth by SignatureHeight.
func (s Signature) Path() string {
	var b []byte
	for _, stroke := range s {
		for i := 0; i+1 < len(stroke); i += 2 {
			sign := byte('L')
			if i == 0 {
				sign = 'M'
			}
			b = strconv.AppendInt(append(b, sign), int64(stroke[i]), 10)
			b = strconv.AppendInt(append(b, ' '), int64(stroke[i+1]), 10)
		}
		if len(stroke) == 2 { // a dot
			b = append(b, "h.1"...)
		}
	}
	return string(b)
}
