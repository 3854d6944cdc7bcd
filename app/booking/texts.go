package booking

import (
	"slices"

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
