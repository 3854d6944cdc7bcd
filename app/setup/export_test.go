package setup

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"daybook/app/catalog"
	"daybook/app/text"
)

// SetupValues are the values of a set-up file as JSON has them, for tests.
func SetupValues(text []byte) (any, error) {
	n, err := readYAML(text)
	if err != nil {
		return nil, err
	}
	return plain(n), nil
}

func plain(n *node) any {
	switch n.Kind {
	case mapping:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return m
	case sequence:
		all := []any{}
		for _, part := range n.Content {
			all = append(all, plain(part))
		}
		return all
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!int":
		f, _ := strconv.ParseFloat(n.Value, 64)
		return f
	case "!!bool":
		return n.Value == "true"
	}
	return n.Value
}

// FieldNames are the names of the fields that a set-up file takes.
func FieldNames() (all []string) {
	all = append(all, slices.Collect(maps.Keys((&patch[catalog.Workspace]{}).fields(&catalog.WorkspaceFile)))...)
	all = append(all, slices.Collect(maps.Keys((&patch[catalog.Host]{}).fields(&catalog.HostFields)))...)
	all = append(all, slices.Collect(maps.Keys((&patch[catalog.Resource]{}).fields(&catalog.ResourceFields)))...)
	all = append(all, slices.Collect(maps.Keys((&patch[catalog.LinkedCalendar]{}).fields(&catalog.LinkedCalendarFields)))...)
	all = append(all, slices.Collect(maps.Keys((&patch[text.ListedSender]{}).fields(&text.ListedSenderFields)))...)
	return append(all, slices.Collect(maps.Keys((&patch[catalog.EventType]{}).fields(&catalog.EventTypeFields)))...)
}

// WorkspaceObject is a workspace in a document.
func WorkspaceObject(w *catalog.Workspace) Object { return workspaceObject(w) }

// EventTypeObject is an event type in a document whose hosts all have that e-mail address.
func EventTypeObject(e *catalog.EventType, email string) Object {
	n := namesOf(nil, nil)
	for _, h := range e.Hosts {
		n.hosts[h.ID] = email
	}
	return eventTypeObject(e, n)
}

// ID is the id of an exported object.
func (o Object) ID() (id string) {
	if err := json.Unmarshal(o.member("id").Value, &id); err != nil {
		panic(err)
	}
	return id
}

// ExportedType is an event type as a document has it, ExportedHost a host.
type ExportedType struct {
	catalog.EventType
	ID    string   `json:"id"`
	Hosts []string `json:"hosts"`
}

type ExportedHost struct {
	catalog.Host
	TimeOff []TimeOffDocument `json:"timeOff"`
}

// Exported reads what was exported.
func Exported[T ExportedType | ExportedHost](o Object) (to T) {
	if err := json.Unmarshal(rawJSON(o), &to); err != nil {
		panic(err)
	}
	return to
}
