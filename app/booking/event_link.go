package booking

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// links names the members of a JSON object that hold links with which a booking can be changed or paid: nil is such a
// member, anything else names the members inside it.
type links map[string]links

// eventLinks are the links in an event's body.
var eventLinks = links{"data": {
	"manageUrl": nil,
	"where":     {"url": nil},
	"payment":   {"url": nil},
	"noShow":    {"fee": {"url": nil}},
	"fee":       {"url": nil},

	"cancellation": {"fee": {"url": nil}},
}}

// BodyWithoutLinks returns the body without its links, for callers who may not see them. The other members keep their
// order.
func (e *Event) BodyWithoutLinks() ([]byte, error) {
	body, err := eventLinks.cut(e.Body)
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	return body, nil
}

// cut returns a JSON value without its links.
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
		name, _ := token.(string) // a member's name is always a string
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
