package record

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// links names the members of a JSON object that hold a link with which a booking is changed or paid: nil is such a
// member, anything else says where to look inside it.
type links map[string]links

// eventLinks are the links in the body of an event.
var eventLinks = links{"data": {
	"manageUrl": nil,
	"payment":   {"url": nil},
	"noShow":    {"fee": {"url": nil}},
	"fee":       {"url": nil},
}}

// BodyWithoutLinks is the body for those who may not see the links in it. The order of the other members stays.
func (e *Event) BodyWithoutLinks() ([]byte, error) {
	body, err := eventLinks.cut(e.Body)
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	return body, nil
}

// cut is a JSON value without the links in it.
func (l links) cut(text []byte) ([]byte, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	if first, err := in.Token(); err != nil || first != json.Delim('{') {
		return text, err // null, where there is no payment or fee
	}
	out := append(make([]byte, 0, len(text)), '{')
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
		name, _ := token.(string) // a member's name is nothing else
		inner, named := l[name]
		if named && inner == nil {
			continue
		}
		kept := []byte(value)
		if named {
			if kept, err = inner.cut(value); err != nil {
				return nil, err
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(AppendText(out, name), ':'), kept...)
	}
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	return append(out, '}'), nil
}
