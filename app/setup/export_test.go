package setup

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"daybook/app/catalog"
)

// SetupValues are the values of a set-up file as JSON has them, for tests.
func SetupValues(text []byte) (any, error) {
	n, err := readNodes(text)
	if err != nil {
		return nil, err
	}
	return n.plain(), nil
}

func (n *node) plain() any {
	switch n.kind {
	case mappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.content); i += 2 {
			m[n.content[i].value] = n.content[i+1].plain()
		}
		return m
	case sequenceNode:
		all := []any{}
		for _, part := range n.content {
			all = append(all, part.plain())
		}
		return all
	}
	switch n.tag {
	case "!!null":
		return nil
	case "!!int":
		f, _ := strconv.ParseFloat(n.value, 64)
		return f
	case "!!bool":
		return n.value == "true"
	}
	return n.value
}

// FieldNames are the names of the fields that a set-up file takes.
func FieldNames() (all []string) {
	all = append(all, slices.Collect(maps.Keys(workspaceFields(&patch[catalog.Workspace]{})))...)
	all = append(all, slices.Collect(maps.Keys(hostFields(&patch[catalog.Host]{})))...)
	return append(all, slices.Collect(maps.Keys(eventTypeFields(&patch[catalog.EventType]{})))...)
}

// DocumentOf is an event type in a document whose hosts all have that e-mail address.
func DocumentOf(e *catalog.EventType, email string) EventTypeDocument {
	emails := map[catalog.HostID]string{}
	for _, h := range e.Hosts {
		emails[h.ID] = email
	}
	return eventTypeDocument(e, emails)
}

// Read is an event type of a document as a file's reader has it.
type Read struct {
	catalog.EventType
	ID    string   `json:"id"`
	Hosts []string `json:"hosts"`
}

// Read reads what was exported.
func (d EventTypeDocument) Read() (e Read) {
	if err := json.Unmarshal(rawJSON(d), &e); err != nil {
		panic(err)
	}
	return e
}
