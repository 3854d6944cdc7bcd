package app

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
	"daybook/app/when"
)

// BookInput is what a caller says of a new booking.
type BookInput struct {
	EventType string
	Start     string
	Invitee   Invitee
	Host      string
	Notes     string
	Answers   map[string]any
	Metadata  map[string]string
}

// maxRef bounds what names a thing, a slug or an id; every real one is shorter.
const maxRef = 100

// check refuses what no booking may have, all of it at once.
func (in *BookInput) check() (start when.Instant, err error) {
	var p fault.Problems
	if in.EventType == "" {
		p.Add(fault.Invalid("eventType", "is required: the slug of an event type"))
	}
	in.EventType, err = fault.CheckLine("eventType", in.EventType, 1, maxRef)
	p.Add(err)
	in.Host, err = fault.CheckLine("host", in.Host, 0, maxRef)
	p.Add(err)
	start, err = parseStart(in.Start)
	p.Add(err)
	p.Add(in.Invitee.check())
	in.Notes, err = fault.CheckText("notes", in.Notes, 2000)
	p.Add(err)
	p.Add(checkMetadata(in.Metadata))
	return start, p.Err()
}

func parseStart(text string) (when.Instant, error) {
	if text == "" {
		return 0, fault.Invalid("start", "is required: an ISO 8601 time such as 2026-12-01T09:00:00Z")
	}
	start, err := when.ParseISO(text)
	if err != nil {
		return 0, fault.Invalid("start", "%v", err)
	}
	return start.Within(), nil // beyond that it is in_past or too_far just the same
}

func (p *Invitee) check() (err error) {
	var wrong fault.Problems
	p.Name, err = fault.CheckLine("invitee.name", p.Name, 1, 200)
	wrong.Add(err)
	p.Email, err = fault.CheckEmail("invitee.email", p.Email)
	wrong.Add(err)
	p.Phone, err = fault.CheckPhone("invitee.phone", p.Phone)
	wrong.Add(err)
	if p.TimeZone != "" {
		_, err = CheckZone("invitee.timeZone", p.TimeZone)
		wrong.Add(err)
	}
	p.Locale, err = fault.CheckLocale("invitee.locale", p.Locale)
	wrong.Add(err)
	return wrong.Err()
}

const maxMetadata = 50

func checkMetadata(m map[string]string) error {
	if len(m) > maxMetadata {
		return fault.Invalid("metadata", "at most %d entries", maxMetadata)
	}
	for key, value := range m {
		if !fault.KeyForm.MatchString(key) {
			return fault.Invalid("metadata", "the key %q must be 1 to 40 of a-z, A-Z, 0-9, - and _", key)
		}
		if _, err := fault.CheckText("metadata."+key, value, 500); err != nil {
			return err
		}
	}
	return nil
}

const maxAnswers = 50

// checkAnswers holds the answers against the event type's questions. Answers to what was not asked are kept too.
func checkAnswers(questions []Question, answers map[string]any) (map[string]any, error) {
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
