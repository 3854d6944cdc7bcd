package subjects

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// invented is what a dry run made up: what is undone has no id, and no address leads to it.
type invented struct {
	ids  map[string]bool
	base string // of the server's links
}

// without returns the JSON of an answer without the ids that were made up, without links to what has such an id, and
// without secrets. Members are left out; the others keep their order.
func (v *invented) without(answer any) (json.RawMessage, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		return nil, err
	}
	kept, err := v.value(jsontext.Value(bytes.TrimSpace(text.Bytes())), false)
	return json.RawMessage(kept), err
}

// value returns the value without what was made up; fresh is that it is a part of something that was.
func (v *invented) value(text jsontext.Value, fresh bool) (jsontext.Value, error) {
	switch text.Kind() {
	case '{':
		return v.object(text, fresh)
	case '[':
		d := jsontext.NewDecoder(bytes.NewReader(text))
		d.ReadToken() //nolint:errcheck // it was just written
		out := jsontext.Value{'['}
		for d.PeekKind() != ']' {
			item, err := d.ReadValue()
			if err != nil {
				return nil, err
			}
			if item, err = v.value(item.Clone(), fresh); err != nil {
				return nil, err
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, item...)
		}
		return append(out, ']'), nil
	}
	return text, nil
}

func (v *invented) object(text jsontext.Value, fresh bool) (jsontext.Value, error) {
	var names []string
	values := map[string]jsontext.Value{}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	d.ReadToken() //nolint:errcheck // it was just written
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		names = append(names, name.String())
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		values[names[len(names)-1]] = value.Clone()
	}
	fresh = fresh || v.ids[textOf(values["id"])]
	out := jsontext.Value{'{'}
	for _, name := range names {
		value := values[name]
		if v.named(name, textOf(value), fresh) || v.lists(value) {
			continue
		}
		value, err := v.value(value, fresh)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		if out, err = jsontext.AppendQuote(out, name); err != nil {
			return nil, err
		}
		out = append(append(out, ':'), value...)
	}
	return append(out, '}'), nil
}

// lists reports whether the value is a list of ids that were made up.
func (v *invented) lists(value jsontext.Value) bool {
	var ids []string
	if value.Kind() != '[' || json.Unmarshal(value, &ids) != nil {
		return false
	}
	return slices.ContainsFunc(ids, func(id string) bool { return v.ids[id] })
}

// named reports whether a member is an id that was made up, has one in it, or is a secret, a link that is one, or a
// link of this server to what was made up.
func (v *invented) named(name, text string, fresh bool) bool {
	for id := range v.ids {
		if strings.Contains(text, id) {
			return true
		}
	}
	link := name == "url" || name == "link" || strings.HasSuffix(name, "Url")
	return name == "secret" || name == "inviteUrl" || fresh && link && strings.HasPrefix(text, v.base+"/")
}

// textOf returns the text of a JSON string, "" of anything else.
func textOf(v jsontext.Value) (text string) {
	if v.Kind() != '"' || json.Unmarshal(v, &text) != nil {
		return ""
	}
	return text
}
