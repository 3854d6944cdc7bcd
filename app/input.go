package app

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
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
func (in *BookInput) check() (start Instant, err error) {
	var p problems
	if in.EventType == "" {
		p.add(Invalid("eventType", "is required: the slug of an event type"))
	}
	in.EventType, err = checkLine("eventType", in.EventType, 1, maxRef)
	p.add(err)
	in.Host, err = checkLine("host", in.Host, 0, maxRef)
	p.add(err)
	start, err = parseStart(in.Start)
	p.add(err)
	p.add(in.Invitee.check())
	in.Notes, err = checkText("notes", in.Notes, 2000)
	p.add(err)
	p.add(checkMetadata(in.Metadata))
	return start, p.err()
}

func parseStart(text string) (Instant, error) {
	if text == "" {
		return 0, Invalid("start", "is required: an ISO 8601 time such as 2026-12-01T09:00:00Z")
	}
	start, err := parseISO(text)
	if err != nil {
		return 0, Invalid("start", "%v", err)
	}
	return start.within(), nil // beyond that it is in_past or too_far just the same
}

func (p *Invitee) check() (err error) {
	var wrong problems
	p.Name, err = checkLine("invitee.name", p.Name, 1, 200)
	wrong.add(err)
	p.Email, err = checkEmail("invitee.email", p.Email)
	wrong.add(err)
	p.Phone, err = checkPhone("invitee.phone", p.Phone)
	wrong.add(err)
	if p.TimeZone != "" {
		_, err = checkZone("invitee.timeZone", p.TimeZone)
		wrong.add(err)
	}
	p.Locale, err = checkLocale("invitee.locale", p.Locale)
	wrong.add(err)
	return wrong.err()
}

const maxMetadata = 50

func checkMetadata(m map[string]string) error {
	if len(m) > maxMetadata {
		return Invalid("metadata", "at most %d entries", maxMetadata)
	}
	for key, value := range m {
		if !keyForm.MatchString(key) {
			return Invalid("metadata", "the key %q must be 1 to 40 of a-z, A-Z, 0-9, - and _", key)
		}
		if _, err := checkText("metadata."+key, value, 500); err != nil {
			return err
		}
	}
	return nil
}

// checkAnswers holds the answers against the event type's questions. Answers to what was not asked are kept too.
func checkAnswers(questions []Question, answers map[string]any) (map[string]any, error) {
	if len(answers) > maxMetadata {
		return nil, Invalid("answers", "at most %d", maxMetadata)
	}
	for key, value := range answers {
		if !keyForm.MatchString(key) {
			return nil, Invalid("answers", "the key %q must be 1 to 40 of a-z, A-Z, 0-9, - and _", key)
		}
		if err := checkScalar("answers."+key, value); err != nil {
			return nil, err
		}
	}
	var p problems
	for _, q := range questions {
		answer, given := answers[q.Key]
		text, isText := answer.(string)
		if !given || answer == nil || isText && strings.TrimSpace(text) == "" || q.Type == "checkbox" && answer == false {
			if q.Required {
				p.add(Invalid("answers."+q.Key, "is required: %s", q.Label))
			}
			continue
		}
		p.add(q.check(answer))
	}
	return answers, p.err()
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
		_, err := checkText(field, v, 5000)
		return err
	}
	return Invalid(field, "must be a text, a number or true or false")
}

func (q *Question) check(answer any) error {
	field := "answers." + q.Key
	if q.Type == "checkbox" {
		if _, ok := answer.(bool); !ok {
			return Invalid(field, "must be true or false")
		}
		return nil
	}
	text, ok := answer.(string)
	if !ok {
		return Invalid(field, "must be a text")
	}
	switch q.Type {
	case "choice":
		if !slices.Contains(q.Options, text) {
			return Invalid(field, "must be one of: %s", strings.Join(q.Options, ", "))
		}
	case "phone":
		_, err := checkPhone(field, text)
		return err
	case "text":
		if utf8.RuneCountInString(text) > 500 {
			return Invalid(field, "must have at most 500 characters")
		}
	}
	return nil
}
