package sms

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// document is something that a service sent: JSON, a form, the query of an address.
type document struct {
	value any        // of JSON
	form  url.Values // of a form
	query url.Values
}

// readJSON returns false if the body is no JSON.
func readJSON(body []byte) (document, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc document
	err := d.Decode(&doc.value)
	return doc, err == nil && !d.More()
}

// at returns what stands at a path, nil if nothing does.
func (d document) at(path string) any {
	for one := range strings.SplitSeq(path, "|") {
		if v := d.one(one); v != nil && v != "" {
			return v
		}
	}
	return nil
}

func (d document) one(path string) any {
	if name, is := strings.CutPrefix(path, "?"); is {
		return d.query.Get(name)
	}
	switch {
	case path == "":
		return nil
	case d.form != nil:
		return d.form.Get(path)
	case path == ".":
		return d.value
	}
	at := d.value
	for name := range strings.SplitSeq(path, ".") {
		switch node := at.(type) {
		case map[string]any:
			at = node[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(node) {
				return nil
			}
			at = node[i]
		default:
			return nil
		}
	}
	return at
}

// text returns what stands at a path as a text; "" of an object or a list.
func (d document) text(path string) string { return scalar(d.at(path)) }

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// count returns a number, or how long a list is.
func (d document) count(path string) int {
	v := d.at(path)
	if list, is := v.([]any); is {
		return min(len(list), maxMedia)
	}
	n, err := strconv.Atoi(scalar(v))
	if err != nil {
		return 0
	}
	return max(0, min(n, maxMedia))
}

const maxMedia = 100
