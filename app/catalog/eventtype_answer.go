package catalog

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
)

// CheckAnswers checks the answers against the event type's questions. Answers to other questions are kept, too,
// see OwnAnswers. Errors: bad_request.
func CheckAnswers(questions []Question, answers map[string]any) (map[string]any, error) {
	if len(answers) > MaxAnswers {
		return nil, fault.Invalid("answers", "at most %d", MaxAnswers)
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

// Optional returns the questions, none of which must be answered.
func Optional(questions []Question) []Question {
	all := slices.Clone(questions)
	for i := range all {
		all[i].Required = false
	}
	return all
}

// OwnAnswers returns those of the answers that are to the event type's questions.
func (e *EventType) OwnAnswers(answers map[string]any) map[string]any {
	own := map[string]any{}
	for _, q := range e.Questions {
		if answer, given := answers[q.Key]; given {
			own[q.Key] = answer
		}
	}
	return own
}

// OtherAnswers returns the keys of the answers that are to none of the event type's questions, sorted.
func (e *EventType) OtherAnswers(answers map[string]any) (keys []string) {
	own := e.OwnAnswers(answers)
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		if _, asked := own[key]; !asked {
			keys = append(keys, key)
		}
	}
	return keys
}

// UnknownAnswers returns the bad_request for answers with those keys, with what was probably meant; nil for none.
func (e *EventType) UnknownAnswers(keys []string) error {
	asked := make([]string, len(e.Questions))
	for i := range e.Questions {
		asked[i] = e.Questions[i].Key
	}
	var p fault.Problems
	for _, key := range keys {
		p.Add(fault.Unknown("answers.", key, "question of this service", asked))
	}
	return p.Err()
}

const (
	MaxAnswers    = 50   // of a booking
	MaxAnswer     = 500  // characters of one that is a text
	MaxLongAnswer = 5000 // characters of any other
)

func checkScalar(field string, value any) error {
	switch v := value.(type) {
	case nil, bool:
		return nil
	case float64:
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			return nil
		}
	case string:
		_, err := fault.CheckText(field, v, MaxLongAnswer)
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
		if utf8.RuneCountInString(text) > MaxAnswer {
			return fault.Invalid(field, "must have at most %d characters", MaxAnswer)
		}
	}
	return nil
}
