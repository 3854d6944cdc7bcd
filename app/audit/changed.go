package audit

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Changed returns the names of the fields in which two values of one struct differ, as their JSON calls them, sorted.
// The names begin with prefix.
func Changed(prefix string, before, now any) ([]string, error) {
	was, err := fieldsOf(before)
	if err != nil {
		return nil, err
	}
	is, err := fieldsOf(now)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range was {
		names[name] = !bytes.Equal(was[name], is[name])
	}
	for name := range is {
		names[name] = !bytes.Equal(was[name], is[name])
	}
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name] {
			changed = append(changed, prefix+name)
		}
	}
	return changed, nil
}

func fieldsOf(v any) (fields map[string]json.RawMessage, err error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return fields, json.Unmarshal(text, &fields)
}
