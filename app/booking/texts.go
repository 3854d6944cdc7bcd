package booking

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// TextsState says whether a person agreed to get texts at their telephone number.
type TextsState string

// The states. Texts go to TextsYes only; who is TextsUnknown or TextsNo gets what they ask for on a page at that moment.
const (
	TextsUnknown TextsState = "unknown"
	TextsYes     TextsState = "yes"
	TextsNo      TextsState = "no"
	TextsStopped TextsState = "stopped" // by STOP, from the number itself: only START ends it
)

// TextsStates lists the states in the order of their stored codes.
var TextsStates = []TextsState{TextsUnknown, TextsYes, TextsNo, TextsStopped}

// Stricter returns the state that a contact has whose two records of the same number are made one.
func (s TextsState) Stricter(other TextsState) TextsState {
	order := []TextsState{TextsStopped, TextsNo, TextsUnknown, TextsYes}
	if slices.Index(order, other) < slices.Index(order, s) {
		return other
	}
	return s
}

// Texts says whether a contact agreed to texts at the number that it has.
type Texts struct {
	State   TextsState   `json:"state"`
	At      when.Instant `json:"at"`                // since when; 0 is not known
	By      ActorKind    `json:"by,omitempty"`      // who noted it
	Wording string       `json:"wording,omitempty"` // what was agreed to
	// ByID is the id of the member or key who noted it, and ByName the name of that; "" is nobody, or not known.
	ByID   string `json:"-"`
	ByName string `json:"-"`
}

// TextsFields describes Texts.
var TextsFields = field.Resource{
	Text: "Whether a person agreed to get texts at their telephone number.",
	Fields: []field.Field{
		{Name: "state", Text: "`unknown`, `yes`, `no`, or `stopped` by the word STOP from that number, which only START ends.",
			Enum: field.Values(TextsStates...)},
		{Name: "at", Text: "Since when; null is not known.", Null: true},
		{Name: "by", Text: "Who noted it; left out where nobody did.", Enum: field.Values(ActorKinds...)},
		{Name: "wording", Text: "What was agreed to, as it was worded then; left out where there is none."},
	},
}

// MaxTextsWording is the most characters of the wording of a consent to texts.
const MaxTextsWording = 500

// TextsInput notes what a person said about texts at the number that their contact has.
type TextsInput struct {
	State   TextsState `json:"state"` // TextsYes or TextsNo
	Wording string     `json:"wording,omitzero"`
}

// TextsInputFields describes TextsInput.
var TextsInputFields = field.Resource{
	Text: "What a person said about texts at the telephone number of the contact.",
	Fields: []field.Field{
		{Name: "state", Text: "`yes` or `no`.", Required: true, Enum: field.Values(TextsYes, TextsNo)},
		{Name: "wording", Text: "What they agreed to, in the words of the question; required for `yes`.", Most: MaxTextsWording,
			Example: "May we text you about your appointments?"},
	},
}

// Check normalises the input. Errors: bad_request.
func (in *TextsInput) Check() (err error) {
	if in.State != TextsYes && in.State != TextsNo {
		return fault.Invalid("texts.state", "must be yes or no")
	}
	if in.Wording, err = fault.CheckText("texts.wording", in.Wording, MaxTextsWording); err != nil {
		return err
	}
	if in.State == TextsYes && in.Wording == "" {
		return fault.Invalid("texts.wording", "is required: what the person agreed to")
	}
	return nil
}

// TextsReader finds out who agreed to texts.
type TextsReader interface {
	// TextsOf returns whether a contact wants texts at a number: TextsStopped if that has stopped them, whoever has it, else
	// what was noted of the contact and the number, or TextsUnknown.
	TextsOf(ws catalog.WorkspaceID, c ContactID, phone string) (Texts, error)
}

// TextsWriter notes who agrees to texts.
type TextsWriter interface {
	// LockTextNumber makes every other transaction that locks the number wait for the end of this one, and returns since
	// when the number has stopped texts; 0 is that it hasn't. Nothing is sent to a number, and nothing noted of it, but
	// behind this lock.
	LockTextNumber(ws catalog.WorkspaceID, phone string) (stopped when.Instant, err error)
	// SetTexts notes whether a contact wants texts at a number, TextsYes or TextsNo.
	SetTexts(ws catalog.WorkspaceID, c ContactID, phone string, t Texts) error
}
