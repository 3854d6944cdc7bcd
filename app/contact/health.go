package contact

import (
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/when"
)

type (
	// HealthID is the id of a HealthEntry.
	HealthID = id.ID[HealthIDKind]
	// HealthIDKind gives the ids of health entries their prefix.
	HealthIDKind struct{ id.Many }
)

// Prefix implements id.Kind.
func (HealthIDKind) Prefix() string { return "he_" }

// HealthKind says what a HealthEntry is about. The words are stored, so none may be renamed.
type HealthKind string

// The kinds of health entries.
const (
	Allergy   HealthKind = "allergy"
	PatchTest HealthKind = "patch_test" // what came of one
	Condition HealthKind = "condition"  // anything else of somebody's health that matters at the chair
)

// HealthKinds lists them.
var HealthKinds = []HealthKind{Allergy, PatchTest, Condition}

const (
	// MaxHealthText is the most characters of a health entry.
	MaxHealthText = 1000
	// MaxHealth is the most health entries of a contact. Merging may exceed it.
	MaxHealth = 200
)

// HealthEntry is something of a customer's health, which hangs on a consent of theirs and goes with it.
type HealthEntry struct {
	ID        HealthID     `json:"id"`
	Kind      HealthKind   `json:"kind"`
	Text      string       `json:"text"`
	Date      string       `json:"date"`     // 2026-12-24, on the clock of the business
	Reaction  bool         `json:"reaction"` // the customer reacted to something
	Alert     bool         `json:"alert"`    // to be seen before anything else
	Consent   ConsentID    `json:"consent"`
	Author    Author       `json:"author"`
	CreatedAt when.Instant `json:"createdAt"`

	End    string `json:"-"` // of the consent
	Sealed string `json:"-"` // the text, as the store has it
}

// HealthInput is a health entry to be written.
type HealthInput struct {
	Kind     HealthKind `json:"kind"`
	Text     string     `json:"text"`
	Date     string     `json:"date"`
	Reaction bool       `json:"reaction"`
	Consent  string     `json:"consent"`
}

// HealthFields describes health entries.
var HealthFields = field.Resource{
	Text: "Something of a customer's health. It is kept encrypted, hangs on a consent, and is deleted when that is withdrawn.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the entry.", Example: "he_1p4s8ywa0g0q4"},
		{Name: "kind", Text: "What it is about.", Enum: field.Values(HealthKinds...)},
		{Name: "text", Text: "What was written.", Lines: true, Example: "PPD"},
		{Name: "date", Text: "The day of it, on the business's clock.", Format: "date", Example: "2026-11-30"},
		{Name: "reaction", Text: "Whether the customer reacted."},
		{Name: "alert", Text: "Whether it is shown in red: a reaction always, an allergy while its consent is valid."},
		{Name: "consent", Text: "Id of the consent that it hangs on.", Example: "cs_1p4s8ywa0g0q3"},
		{Name: "author", Text: "Who wrote it."},
		{Name: "createdAt", Text: "When it was written."},
	},
}

// HealthInputFields describes the fields of HealthInput.
var HealthInputFields = field.Resource{
	Text: "A health entry to be written.",
	Fields: []field.Field{
		{Name: "kind", Text: "What it is about.", Enum: field.Values(HealthKinds...), Required: true},
		{Name: "text", Text: "What to write.", Least: 1, Most: MaxHealthText, Lines: true, Required: true, Example: "PPD"},
		{Name: "date", Text: "The day of it, not in the future; today if it is left out.", Most: 10, Example: "2026-11-30"},
		{Name: "reaction", Text: "Whether the customer reacted: such an entry stays red when its consent has ended."},
		{Name: "consent", Text: "Id of a valid consent of this contact, of a kind with `health`; the one that ends last if it is left out."},
	},
}
