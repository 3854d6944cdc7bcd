package catalog

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
)

// Question is asked on the booking form; its answer is saved with the booking under Key.
type Question struct {
	Key      string   `json:"key" yaml:"key"`
	Label    string   `json:"label" yaml:"label"`
	Type     string   `json:"type" yaml:"type"` // one of QuestionTypes
	Required bool     `json:"required" yaml:"required,omitempty"`
	Options  []string `json:"options,omitempty" yaml:"options,omitempty"` // of a choice
}

const (
	MaxQuestions = 30
	maxOptions   = 50
)

// QuestionTypes lists the kinds of questions.
var QuestionTypes = []string{"text", "long_text", "choice", "checkbox", "phone"}

// QuestionFields describes the fields of questions.
var QuestionFields = field.Resource{
	Text: "A question of the booking form.", Agents: "A question.",
	Fields: []field.Field{
		{Name: "key", Public: true, Guests: "key", Text: "Under which the answer is kept.", Agents: "Key of its answer.", InFile: true, Required: true},
		{Name: "label", Public: true, Guests: "label", Text: "What is asked.", Agents: "The question itself.", InFile: true, Required: true},
		{Name: "type", Public: true, Guests: "type", Text: "What kind of answer it takes.", Enum: field.Values(QuestionTypes...),
			Agents: "Kind of answer; of choice, one of options; of checkbox, true or false.", InFile: true},
		{Name: "required", Public: true, Guests: "required", Text: "Whether it must be answered.", Agents: "Whether a booking needs an answer.", InFile: true},
		{Name: "options", Public: true, Guests: "options,omitempty", Text: "The answers to choose from, of a choice.", Agents: "Of a choice.", Each: "An option.",
			InFile: true},
	},
}

// CheckQuestions normalises the questions of the booking form; path names their place in the input, for errors. Errors:
// bad_request.
func CheckQuestions(path string, questions []Question) error {
	if len(questions) > MaxQuestions {
		return fault.Invalid(path, "at most %d", MaxQuestions)
	}
	seen := map[string]bool{}
	for i := range questions {
		q, at := &questions[i], fmt.Sprintf("%s[%d]", path, i)
		if !fault.KeyForm.MatchString(q.Key) || seen[q.Key] {
			return fault.Invalid(at+".key", "must be 1 to 40 of a-z, A-Z, 0-9, - and _, and stand once")
		}
		seen[q.Key] = true
		var err error
		if q.Label, err = fault.CheckLine(at+".label", q.Label, 1, 500); err != nil {
			return err
		}
		if !slices.Contains(QuestionTypes, q.Type) {
			return fault.Invalid(at+".type", "must be one of %s", strings.Join(QuestionTypes, ", "))
		}
		if (q.Type == "choice") != (len(q.Options) > 0) || len(q.Options) > maxOptions {
			return fault.Invalid(at+".options", "a choice has 1 to %d options, and nothing else has any", maxOptions)
		}
		for j := range q.Options {
			if q.Options[j], err = fault.CheckLine(fmt.Sprintf("%s.options[%d]", at, j), q.Options[j], 1, 200); err != nil {
				return err
			}
		}
	}
	return nil
}
