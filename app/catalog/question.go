package catalog

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
	"daybook/app/field"
)

// Question is asked on the booking form; its answer is kept with the booking under Key.
type Question struct {
	Key      string   `json:"key" yaml:"key"`
	Label    string   `json:"label" yaml:"label"`
	Type     string   `json:"type" yaml:"type"` // one of QuestionTypes
	Required bool     `json:"required" yaml:"required,omitempty"`
	Options  []string `json:"options,omitempty" yaml:"options,omitempty"` // of a choice
}

// QuestionTypes are the kinds of question.
var QuestionTypes = []string{"text", "long_text", "choice", "checkbox", "phone"}

// QuestionFields describes questions.
var QuestionFields = field.Resource{
	Text: "A question of the booking form.", Agents: "A question.",
	Fields: []field.Field{
		{Name: "key", Text: "Under which the answer is kept.", Agents: "Key of its answer."},
		{Name: "label", Text: "What is asked.", Agents: "The question itself."},
		{Name: "type", Text: "What kind of answer it takes.", Enum: field.Values(QuestionTypes...),
			Agents: "Kind of answer; of choice, one of options; of checkbox, true or false."},
		{Name: "required", Text: "Whether it must be answered.", Agents: "Whether a booking needs an answer."},
		{Name: "options", Text: "The answers to choose from, of a choice.", Agents: "Of a choice.", Each: "An option."},
	},
}

func checkQuestions(path string, questions []Question) error {
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

const maxAnswers = 50

// CheckAnswers holds the answers against the event type's questions. Answers to what was not asked are kept too.
func CheckAnswers(questions []Question, answers map[string]any) (map[string]any, error) {
	if len(answers) > maxAnswers {
		return nil, fault.Invalid("answers", "at most %d", maxAnswers)
	}
	for key, value := range answers {
		if !fault.KeyForm.MatchString(key) {
			return nil, fault.Invalid("answers", "the key %q must be 1 to 40 of a-z, A-Z, 0-9, - and _", key)
		}
		if err := checkScalar("answers."+key, value); err != nil {
			return nil, err
		}
	}
	var p fault.Problems
	for _, q := range questions {
		answer, given := answers[q.Key]
		text, isText := answer.(string)
		if !given || answer == nil || isText && strings.TrimSpace(text) == "" || q.Type == "checkbox" && answer == false {
			if q.Required {
				p.Add(fault.Invalid("answers."+q.Key, "is required: %s", q.Label))
			}
			continue
		}
		p.Add(q.check(answer))
	}
	return answers, p.Err()
}

func checkScalar(field string, value any) error {
	switch v := value.(type) {
	case nil, bool:
		return nil
	case float64:
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			return nil
		}
	case string:
		_, err := fault.CheckText(field, v, 5000)
		return err
	}
	return fault.Invalid(field, "must be a text, a number or true or false")
}

func (q *Question) check(answer any) error {
	field := "answers." + q.Key
	if q.Type == "checkbox" {
		if _, ok := answer.(bool); !ok {
			return fault.Invalid(field, "must be true or false")
		}
		return nil
	}
	text, ok := answer.(string)
	if !ok {
		return fault.Invalid(field, "must be a text")
	}
	switch q.Type {
	case "choice":
		if !slices.Contains(q.Options, text) {
			return fault.Invalid(field, "must be one of: %s", strings.Join(q.Options, ", "))
		}
	case "phone":
		_, err := fault.CheckPhone(field, text)
		return err
	case "text":
		if utf8.RuneCountInString(text) > 500 {
			return fault.Invalid(field, "must have at most 500 characters")
		}
	}
	return nil
}
