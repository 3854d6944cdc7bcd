package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
)

const (
	// MaxConsentKinds is the most kinds of consents of a workspace.
	MaxConsentKinds = 20
	// MaxWording is the most characters of what a customer agrees to.
	MaxWording = 4000
	// MaxRequirements is the most requirements of an event type.
	MaxRequirements = 5
	// MaxConsentDays is the most days that a consent may be valid for, and that a requirement may look back.
	MaxConsentDays = 3650

	maxConsentName = 100
)

// ConsentKind is something that customers agree to, such as that their allergies are kept, or that a patch test was made.
type ConsentKind struct {
	Key     string `json:"key"` // never changes
	Name    string `json:"name"`
	Wording string `json:"wording"`          // a new one leaves what was agreed to as it was worded
	Days    int    `json:"days,omitempty"`   // valid on the day of the consent and so many days after it; 0 has no end
	Health  bool   `json:"health,omitempty"` // health entries may hang on it
}

// Worded returns a short text for what is agreed to: another one whenever the wording differs, or for how long it is valid.
func (k *ConsentKind) Worded() string {
	return strings.Trim(fault.ETag([]any{k.Wording, k.Days}), `"`)
}

var consentKeyForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)

// ConsentKindFields describes kinds of consents. checkConsents uses its bounds.
var ConsentKindFields = field.Resource{
	Text: "Something that customers agree to.",
	Fields: []field.Field{
		{Name: "key", Text: "Its name for programs and in `requires`, which never changes.", Most: 40, InFile: true, Required: true,
			Example: "patch-test"},
		{Name: "name", Text: "Its name for people.", Least: 1, Most: maxConsentName, InFile: true, Required: true, Example: "Patch test"},
		{Name: "wording", Text: "What is agreed to, as the customer reads it. A new wording leaves the consents of before as they " +
			"were worded.", Least: 1, Most: MaxWording, Lines: true, InFile: true, Required: true},
		{Name: "days", Text: "For how many days after its own a consent is valid; 0 has no end.", Most: MaxConsentDays, InFile: true},
		{Name: "health", Text: "Whether it covers health: allergies and results of patch tests are kept only with a valid consent " +
			"of such a kind.", InFile: true},
	},
}

// checkConsents normalises kinds of consents. Errors: bad_request.
func checkConsents(at string, all []ConsentKind) error {
	if len(all) > MaxConsentKinds {
		return fault.Invalid(at, "at most %d", MaxConsentKinds)
	}
	var p fault.Problems
	for i := range all {
		k, at := &all[i], fmt.Sprintf("%s[%d]", at, i)
		var err error
		if !consentKeyForm.MatchString(k.Key) {
			p.Add(fault.Invalid(at+".key", "must be 1 to 40 of a-z, 0-9 and -, beginning and ending with a letter or digit"))
		} else if slices.ContainsFunc(all[:i], func(o ConsentKind) bool { return o.Key == k.Key }) {
			p.Add(fault.Invalid(at+".key", "%s stands twice", k.Key))
		}
		k.Name, err = fault.CheckLine(at+".name", k.Name, 1, maxConsentName)
		p.Add(err)
		if k.Wording, err = fault.CheckText(at+".wording", k.Wording, MaxWording); err == nil && k.Wording == "" {
			err = fault.Invalid(at+".wording", "is required")
		}
		p.Add(err)
		if k.Days < 0 || k.Days > MaxConsentDays {
			p.Add(fault.Invalid(at+".days", "must lie between %d and %d", 0, MaxConsentDays))
		}
	}
	return p.Err()
}

// Consent returns the kind of consents with that key, or nil.
func (t *Settings) Consent(key string) *ConsentKind {
	for i := range t.Consents {
		if t.Consents[i].Key == key {
			return &t.Consents[i]
		}
	}
	return nil
}

// Requirement asks for a valid consent of the customer who books an event type.
type Requirement struct {
	Consent string `json:"consent"`          // the key of a kind
	Within  int    `json:"within,omitempty"` // dated at most so many days before the start; 0 is whenever
}

// RequirementFields describes requirements.
var RequirementFields = field.Resource{
	Text: "A consent that the customer must have given.",
	Fields: []field.Field{
		{Name: "consent", Public: true, Text: "The key of a kind of the workspace's consents.",
			Agents: "Key of a kind of the workspace's consents.", InFile: true, Required: true, Example: "patch-test"},
		{Name: "within", Public: true, Text: "At most how many days before the start it must be dated; 0 is whenever.",
			Agents: "At most how many days before the start it must be dated; 0 is whenever.", Most: MaxConsentDays,
			InFile: true, Example: 180},
	},
}

// CheckRequires checks the requirements against the kinds of the workspace. at names the event type's place in the input.
// Errors: bad_request.
func (e *EventType) CheckRequires(at string, w *Workspace) error {
	if len(e.Requires) > MaxRequirements {
		return fault.Invalid(at+".requires", "at most %d", MaxRequirements)
	}
	for i, r := range e.Requires {
		at := fmt.Sprintf("%s.requires[%d]", at, i)
		switch {
		case w.Settings.Consent(r.Consent) == nil:
			return fault.Invalid(at+".consent", "must be the key of one of the workspace's consents")
		case slices.ContainsFunc(e.Requires[:i], func(o Requirement) bool { return o.Consent == r.Consent }):
			return fault.Invalid(at+".consent", "%s stands twice", r.Consent)
		case r.Within < 0 || r.Within > MaxConsentDays:
			return fault.Invalid(at+".within", "must lie between %d and %d", 0, MaxConsentDays)
		}
	}
	return nil
}

// CheckConsentsUsed refuses settings without a kind of consents that an event type requires. at names the place of the kinds in the
// input. Errors: bad_request.
func (t *Settings) CheckConsentsUsed(at string, types []EventType) error {
	for i := range types {
		for _, r := range types[i].Requires {
			if t.Consent(r.Consent) == nil {
				return fault.Invalid(at, "%s requires %s: take that away from the service first", types[i].Title, r.Consent)
			}
		}
	}
	return nil
}

// Met reports whether a consent that was given on a day, and is valid until ends or, with "", without an end, fulfils the
// requirement of a booking that starts then. Days are such as 2026-12-24, those of the start in zone.
func (r *Requirement) Met(given, ends string, start time.Time, zone *time.Location) bool {
	y, m, d := start.In(zone).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	on := day.Format(time.DateOnly)
	if given == "" || given > on || ends != "" && ends < on {
		return false
	}
	return r.Within == 0 || given >= day.AddDate(0, 0, -r.Within).Format(time.DateOnly)
}
