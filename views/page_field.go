package views

import (
	"strings"

	"github.com/a-h/templ"
)

func (f Field) id() string { return "f-" + f.Name }

func (f Field) attrs() templ.OrderedAttributes {
	attrs := templ.OrderedAttributes{{Key: "id", Value: f.id()}, {Key: "name", Value: f.Name}}
	if f.Required && !f.Lenient {
		attrs = append(attrs, templ.KV[string, any]("required", true))
	}
	if f.Fixed {
		attrs = append(attrs, templ.KV[string, any]("readonly", true))
	}
	if f.Autocomplete != "" {
		attrs = append(attrs, templ.KV[string, any]("autocomplete", f.Autocomplete))
	}
	if described := f.described(); described != "" {
		attrs = append(attrs, templ.KV[string, any]("aria-describedby", described))
	}
	if f.Error != "" {
		attrs = append(attrs, templ.KV[string, any]("aria-invalid", "true"))
	}
	return attrs
}

func (f Field) described() string {
	switch hint, wrong := f.id()+"-hint", f.id()+"-error"; {
	case f.Hint != "" && f.Error != "":
		return hint + " " + wrong
	case f.Hint != "":
		return hint
	case f.Error != "":
		return wrong
	}
	return ""
}

// problem returns the error as a list of them shows it, behind the label or the beginning of a long one.
func (f Field) problem() string {
	label := f.Label
	if r := []rune(label); len(r) > 60 {
		label = string(r[:60])
		if at := strings.LastIndexByte(label, ' '); at > 30 {
			label = label[:at]
		}
		label = strings.TrimRight(label, " ,;.:–-") + "…"
	}
	return label + ": " + f.Error
}

func wrong(fields []Field) int {
	n := 0
	for _, f := range fields {
		if f.Error != "" {
			n++
		}
	}
	return n
}

// Asked says how an invitee is to be reached: by what the form asks for, and whether one of both is enough.
type Asked struct{ Email, Phone, Either bool }

// InviteeFields returns the fields that every booking asks for, in l's words: name, e-mail and phone as they are asked
// for, then an event type's own questions, then notes.
func InviteeFields(l *Locale, asked Asked, questions ...Field) []Field {
	fields := []Field{{Name: "name", Kind: Text, Label: l.T("field_name"), Required: true, Autocomplete: "name"}}
	if asked.Email {
		fields = append(fields, Field{Name: "email", Kind: Email, Label: l.T("field_email"), Hint: l.T("field_email_hint"),
			Required: !asked.Either, Autocomplete: "email"})
	}
	if asked.Phone {
		f := Field{Name: "phone", Kind: Phone, Label: l.T("field_phone"), Required: !asked.Either, Autocomplete: "tel"}
		if asked.Either {
			f.Hint = l.T("contact_either")
		}
		fields = append(fields, f)
	}
	fields = append(fields, questions...)
	return append(fields, Field{Name: "notes", Kind: LongText, Label: l.T("field_notes"), Hint: l.T("field_notes_hint")})
}
