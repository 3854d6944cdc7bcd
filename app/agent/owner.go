package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
)

// changed reads the arguments that are fields of a set-up file into a change of one thing: all that the file knows may be
// given, and the schema names those that are changed often. It reports whether any was.
func (in *args) changed(of *field.Resource, into json.Unmarshaler, leave ...string) (any bool) {
	given := map[string]json.RawMessage{}
	for i := range of.Fields {
		name := of.Fields[i].Name
		if slices.Contains(leave, name) {
			continue
		}
		in.given(name)
		if raw, ok := in.fields[name]; ok { // null clears
			given[name] = raw
		}
	}
	text, err := json.Marshal(given)
	if err == nil {
		err = into.UnmarshalJSON(text)
	}
	if err != nil {
		in.faults = append(in.faults, bare(err, ""))
	}
	return len(given) > 0
}

// bare returns an error without the word for the thing before the names of its fields.
func bare(err error, thing string) error {
	e := fault.As(err)
	if e == nil {
		return err
	}
	for _, part := range slices.Concat([]*fault.Error{e}, e.Parts, e.Others) {
		part.Field = strings.TrimPrefix(part.Field, thing)
	}
	return err
}

// fields returns arguments for fields of a set-up file, by these descriptions.
func fields(of *field.Resource, names ...string) (all []property) {
	for _, name := range names {
		about := of.Field(name)
		s := &schema{Type: "string", Description: about.Told()}
		switch name {
		case "price":
			s.Type, s.Properties, s.Additional = "object", properties{must("amount", number("In minor units.")), may("currency", text("ISO 4217 code."))}, false
			s.Required = []string{"amount"}
		case "active", "requiresApproval":
			s.Type = "boolean"
		case "durationMinutes", "bufferBeforeMinutes", "bufferAfterMinutes", "seats", "minNoticeMinutes", "maxDaysAhead":
			s.Type = "integer"
		}
		all = append(all, may(name, s))
	}
	return all
}
