package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
)

// ContactField is a field that a workspace keeps of its contacts besides those that all workspaces have. Key and Type of
// one that there is never change.
type ContactField struct {
	Key     string           `json:"key"`
	Label   string           `json:"label"`
	Type    ContactFieldType `json:"type"`
	Options []string         `json:"options,omitempty"` // of a choice
	OnForm  OnForm           `json:"onForm,omitempty"`
}

// ContactFieldType says what a field takes. The words are stored, so none may be renamed.
type ContactFieldType string

// The types of fields.
const (
	TextField   ContactFieldType = "text"
	NumberField ContactFieldType = "number"
	DateField   ContactFieldType = "date"
	ChoiceField ContactFieldType = "choice"
)

// ContactFieldTypes lists them.
var ContactFieldTypes = []ContactFieldType{TextField, NumberField, DateField, ChoiceField}

// OnForm says whether visitors are asked for a field when they book; "" is no. The words are stored.
type OnForm string

// What visitors are asked.
const (
	Asked       OnForm = "asked"
	MustBeGiven OnForm = "required" // who books by themselves fills it in
)

// OnForms lists them.
var OnForms = []OnForm{Asked, MustBeGiven}

const (
	// MaxContactFields is the most fields of a workspace.
	MaxContactFields = 20
	// MaxFieldValue is the most characters of a value.
	MaxFieldValue = 500

	maxFieldLabel = 100
	wholeDigits   = 12 // of a number, before the point
	fractions     = 6  // and behind it
)

type (
	// ContactFieldID tells a field from another one of the same key that was removed before.
	ContactFieldID = id.ID[ContactFieldIDKind]
	// ContactFieldIDKind gives these ids their prefix.
	ContactFieldIDKind struct{ id.Few }
)

// Prefix implements id.Kind.
func (ContactFieldIDKind) Prefix() string { return "fl_" }

// ContactFieldFields describes them.
var ContactFieldFields = field.Resource{
	Text:   "A field that a workspace keeps of its contacts.",
	Agents: "A field of the business's own.",
	Fields: []field.Field{
		{Name: "key", Public: true, Text: "Under which its values are kept: 1 to 40 of a-z, A-Z, 0-9, - and _. It never changes.",
			InFile: true, Required: true, Most: 40, Example: "shoe-size"},
		{Name: "label", Public: true, Text: "What people read.", InFile: true, Required: true, Least: 1, Most: maxFieldLabel,
			Example: "Shoe size"},
		{Name: "type", Public: true, Text: "What it takes: a text of one line, a number, a date, or one of the options. It never changes.",
			Enum: field.Values(ContactFieldTypes...), InFile: true, Required: true},
		{Name: "options", Public: true, Text: "Of a choice, 1 to 50. Who has one that is removed keeps it.", Each: "An option.",
			InFile: true},
		{Name: "onForm", Public: true, Text: "Whether visitors are asked for it when they book, and whether they must fill it in; left " +
			"out they aren't asked.", Enum: field.Values(OnForms...), InFile: true, Clears: true},
	},
}

// CheckContactFields normalises the fields; path names their place in the input, for errors. Errors: bad_request.
func CheckContactFields(path string, fields []ContactField) error {
	if len(fields) > MaxContactFields {
		return fault.Invalid(path, "at most %d", MaxContactFields)
	}
	seen := map[string]bool{}
	for i := range fields {
		f, at := &fields[i], fmt.Sprintf("%s[%d]", path, i)
		if !fault.KeyForm.MatchString(f.Key) || seen[f.Key] {
			return fault.Invalid(at+".key", "must be 1 to 40 of a-z, A-Z, 0-9, - and _, and stand once")
		}
		seen[f.Key] = true
		if err := f.check(at); err != nil {
			return err
		}
	}
	return nil
}

func (f *ContactField) check(at string) (err error) {
	if f.Label, err = fault.CheckLine(at+".label", f.Label, 1, maxFieldLabel); err != nil {
		return err
	}
	if !slices.Contains(ContactFieldTypes, f.Type) {
		return fault.Invalid(at+".type", "must be one of text, number, date and choice")
	}
	if f.OnForm != "" && !slices.Contains(OnForms, f.OnForm) {
		return fault.Invalid(at+".onForm", "must be asked or required, or left out")
	}
	if (f.Type == ChoiceField) != (len(f.Options) > 0) || len(f.Options) > maxOptions {
		return fault.Invalid(at+".options", "a choice has 1 to %d options, and nothing else has any", maxOptions)
	}
	found := map[string]bool{}
	for j := range f.Options {
		option := fmt.Sprintf("%s.options[%d]", at, j)
		if f.Options[j], err = fault.CheckLine(option, f.Options[j], 1, 200); err != nil {
			return err
		}
		if found[f.Options[j]] {
			return fault.Invalid(option, "must stand once")
		}
		found[f.Options[j]] = true
	}
	return nil
}

// Value returns a value as contacts have it, or "" for none. has is the one that the contact has: of a choice it stays,
// whatever the options are by now. at names the value in the input, for errors. Errors: bad_request.
func (f *ContactField) Value(at, text, has string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	switch f.Type {
	case NumberField:
		n, ok := decimal(text)
		if !ok {
			return "", fault.Invalid(at, "must be a number such as 39 or 39.5, with at most %d digits before the point and %d behind it",
				wholeDigits, fractions)
		}
		return n, nil
	case DateField:
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return "", fault.Invalid(at, "must be a date such as 2026-12-01")
		}
		return text, nil
	case ChoiceField:
		if text != has && !slices.Contains(f.Options, text) {
			return "", fault.Invalid(at, "must be one of: %s", strings.Join(f.Options, ", "))
		}
		return text, nil
	}
	return fault.CheckLine(at, text, 0, MaxFieldValue)
}

// decimal returns a number in its shortest form: without zeros in front and behind, and with a point.
func decimal(text string) (string, bool) {
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", rest
	}
	whole, part, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	digits := func(text string) bool {
		return !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	}
	if whole == "" || !digits(whole) || !digits(part) || strings.HasSuffix(text, ".") || strings.HasSuffix(text, ",") {
		return "", false
	}
	whole, part = strings.TrimLeft(whole, "0"), strings.TrimRight(part, "0")
	if len(whole) > wholeDigits || len(part) > fractions {
		return "", false
	}
	if whole == "" {
		whole = "0"
	}
	if part != "" {
		part = "." + part
	}
	if whole+part == "0" {
		sign = ""
	}
	return sign + whole + part, true
}

// FieldText returns a value of JSON as text, "" for null. Errors: bad_request.
func FieldText(at string, value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fault.Invalid(at, "must be a text, a number or null")
}

// ContactField returns the field of that key and its id, or nil.
func (t *Settings) ContactField(key string) (*ContactField, ContactFieldID) {
	for i := range t.ContactFields {
		if f := &t.ContactFields[i]; f.Key == key {
			return f, t.ContactFieldIDs[key]
		}
	}
	return nil, 0
}

// ContactFieldKeys returns the keys of the fields, in their order.
func (t *Settings) ContactFieldKeys() (keys []string) {
	for i := range t.ContactFields {
		keys = append(keys, t.ContactFields[i].Key)
	}
	return keys
}

// FormFields returns the fields that visitors are asked for when they book.
func (t *Settings) FormFields() (asked []ContactField) {
	for i := range t.ContactFields {
		if t.ContactFields[i].OnForm != "" {
			asked = append(asked, t.ContactFields[i])
		}
	}
	return asked
}

// RemovedField is a field that a change of the settings leaves out.
type RemovedField struct {
	ContactField
	ID ContactFieldID
}

// KeepFields gives the fields their ids: those of before for the fields that stay, and new ones for others. It returns
// the fields that the settings leave out. path names the fields in the input. Errors: bad_request (a type would change).
func (t *Settings) KeepFields(path string, before *Settings, now time.Time) (removed []RemovedField, err error) {
	ids := map[string]ContactFieldID{}
	for i := range t.ContactFields {
		f := &t.ContactFields[i]
		was, known := before.ContactField(f.Key)
		if was == nil {
			ids[f.Key] = id.New[ContactFieldIDKind](now)
			continue
		}
		if was.Type != f.Type {
			return nil, fault.Invalid(fmt.Sprintf("%s[%d].type", path, i),
				"the type of %q stays %s: add a field of another key, or remove this one with its values first", f.Key, was.Type)
		}
		ids[f.Key] = known
	}
	for i := range before.ContactFields {
		if key := before.ContactFields[i].Key; ids[key] == 0 {
			removed = append(removed, RemovedField{before.ContactFields[i], before.ContactFieldIDs[key]})
		}
	}
	if t.ContactFieldIDs = ids; len(ids) == 0 {
		t.ContactFieldIDs = nil
	}
	return removed, nil
}

// CheckWritten returns what a visitor wrote in the fields that are asked for when they book, as contacts have it; a field
// without a value is left out. mustGive says that those that must be given are needed. Errors: bad_request.
func (t *Settings) CheckWritten(given map[string]any, mustGive bool) (map[string]string, error) {
	asked, written := t.FormFields(), map[string]string{}
	var p fault.Problems
	var keys []string
	for i := range asked {
		f := &asked[i]
		keys = append(keys, f.Key)
		at := "contactFields." + f.Key
		text, err := FieldText(at, given[f.Key])
		if err == nil {
			text, err = f.Value(at, text, "")
		}
		switch {
		case err != nil:
			p.Add(err)
		case text != "":
			written[f.Key] = text
		case mustGive && f.OnForm == MustBeGiven:
			p.Add(fault.Invalid(at, "is required: %s", f.Label))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(keys, key) {
			p.Add(fault.Unknown("contactFields.", key, "field that is asked for", keys))
		}
	}
	return written, p.Err()
}
