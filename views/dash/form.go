package dash

import (
	"strconv"

	"github.com/a-h/templ"
)

func itoa(n int) string { return strconv.Itoa(n) }

func boolText(b bool) string { return strconv.FormatBool(b) }

func (in Input) attrs() templ.OrderedAttributes {
	var attrs templ.OrderedAttributes
	add := func(key, value string) {
		if value != "" {
			attrs = append(attrs, templ.KV[string, any](key, value))
		}
	}
	switch in.Kind {
	case "password":
		add("autocomplete", "current-password")
	case "new-password":
		add("autocomplete", "new-password")
		add("minlength", "10")
	case "number":
		add("inputmode", "numeric")
	case "zone":
		add("list", "zones")
		add("autocomplete", "off")
		add("spellcheck", "false")
	case "area", "select", "check":
	default:
		if in.Digits {
			add("inputmode", "numeric")
		}
		if in.Decimal {
			add("inputmode", "decimal")
		}
		if in.Autocomplete == "" {
			add("autocomplete", "off")
		}
		if in.Kind == "" && len(in.Options) > 0 {
			add("list", in.id()+"-list")
		}
	}
	add("autocomplete", in.Autocomplete)
	add("placeholder", in.Placeholder)
	add("min", in.Min)
	add("max", in.Max)
	add("step", in.Step)
	add("data-hook", in.Data)
	add("aria-describedby", in.described())
	if in.Fixed {
		attrs = append(attrs, templ.KV[string, any]("readonly", true))
	}
	if in.Required {
		attrs = append(attrs, templ.KV[string, any]("required", true))
	}
	if in.Error != "" {
		add("aria-invalid", "true")
	}
	if in.Focus {
		attrs = append(attrs, templ.KV[string, any]("autofocus", true))
	}
	return attrs
}

// wrongText returns what is wrong with a field, in the list above a form.
func (in Input) wrongText() string {
	if in.ErrorNames {
		return in.Error
	}
	return in.Label + ": " + in.Error
}

// bounds returns the least and the most of a number.
func (in Input) bounds() (attrs templ.OrderedAttributes) {
	for _, bound := range []struct{ name, value string }{{"min", in.Min}, {"max", in.Max}} {
		if bound.value != "" {
			attrs = append(attrs, templ.KV[string, any](bound.name, bound.value))
		}
	}
	return attrs
}
