package web

import (
	"strings"
	"unicode"

	"daybook/app/fault"
)

// requiredKeys are the messages for a field that is empty, by the last part of its name; others are asked for by their
// label.
var requiredKeys = map[string]string{
	"email": "fault_required_email", "name": "fault_name", "title": "fault_required_title",
	"slug": "fault_required_slug", "password": "fault_required_password", "start": "fault_required_start",
	"end": "fault_required_start",
}

// required begins the errors of a field that is empty.
const required = "is required"

// Words returns the text of an error in the member's language. A text that is not known, such as one of another
// program, stays as it is.
func (c *Call) Words(t fault.Text) string {
	if s := sentences[t.Format]; s != nil {
		return s.in(c, t)
	}
	return asSentence(t.String())
}

// LineWords returns what Words does for what is wrong with a line of a file. A text that is not known is that of the
// reader of files.
func (c *Call) LineWords(t fault.Text) string {
	if s := sentences[t.Format]; s != nil {
		return s.in(c, t)
	}
	return c.T("fault_line")
}

// asSentence returns a text with a capital letter and a full stop.
func asSentence(text string) string {
	r := []rune(text)
	if len(r) == 0 {
		return ""
	}
	r[0] = unicode.ToUpper(r[0])
	if last := r[len(r)-1]; !unicode.IsPunct(last) {
		r = append(r, '.')
	}
	return string(r)
}

// Sentence returns an error's message for people, in the member's language and without the name of the field.
func (c *Call) Sentence(e *fault.Error) string {
	if e == nil {
		return ""
	}
	if key := reasonKeys[e.Reason]; key != "" {
		return c.T(key)
	}
	if e.Reason == "slot_taken" && e.Field == "seats" {
		return c.T("choice_fault_full")
	}
	if e.Text().Format == required {
		if key := requiredKeys[e.Field[strings.LastIndexByte(e.Field, '.')+1:]]; key != "" {
			return c.T(key)
		}
	}
	return c.Words(e.Text())
}

// sentenceAt is Sentence for a field with a label. whole says that it names the field.
func (c *Call) sentenceAt(e *fault.Error, label string) (text string, whole bool) {
	format := e.Text().Format
	if e.Field != "" &&
		(format == required || strings.HasPrefix(e.Field, "answers.") && strings.HasPrefix(format, required)) {
		if requiredKeys[e.Field[strings.LastIndexByte(e.Field, '.')+1:]] == "" {
			return c.T("fault_required", "Label", label), true
		}
		return c.Sentence(e), true
	}
	return c.Sentence(e), false
}

// reasonKeys are the messages for the rules of booking that a start breaks, which say their texts with figures to
// programs.
var reasonKeys = map[string]string{
	"inactive": "fault_inactive", "in_past": "fault_in_past", "too_soon": "fault_too_soon", "too_far": "fault_too_far",
	"outside_hours": "fault_outside_hours", "off_grid": "fault_off_grid", "day_full": "fault_day_full",
	"host_week_full": "limit_host_week", "week_full": "limit_week", "person_upcoming": "limit_person_upcoming", "requirement": "limit_requirement",
	"person_day_full": "limit_person_day", "person_week_full": "limit_person_week",
}
