package setup

import (
	"fmt"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
)

// NeedDocument is a need of an event type in a Document: it names resources by their names, and hosts by their e-mail
// addresses.
type NeedDocument struct {
	OneOf  []string       `json:"oneOf,omitempty"`
	During catalog.During `json:"during,omitempty"`
	Hosts  int            `json:"hosts,omitempty"`
	Of     []string       `json:"of,omitempty"`
}

// readNeeds reads what an event type needs. The resources and hosts may be new, so planner.need finds
// them.
func readNeeds(v at) ([]NeedDocument, error) {
	all := []NeedDocument{}
	if v.null() {
		return all, nil
	}
	err := v.list(100, func(v at) error {
		var n NeedDocument
		fields := map[string]field{
			"oneOf":  func(v at) (err error) { n.OneOf, err = readTexts(v); return err },
			"during": func(v at) (err error) { n.During, err = readText[catalog.During](v); return err },
			"hosts":  func(v at) (err error) { n.Hosts, err = readWhole(v); return err },
			"of":     func(v at) (err error) { n.Of, err = readTexts(v); return err },
		}
		err := v.object(fields)
		if err == nil && n.OneOf == nil && n.Hosts == 0 && n.Of == nil {
			err = v.needs(fields, "oneOf") // as before there were needs of hosts
		}
		all = append(all, n)
		return err
	})
	return all, err
}

// need sets the needs of the event type that the file lists.
func (p *planner) need(f *patch[catalog.EventType], field string, e *catalog.EventType) error {
	v, given := f.given["needs"]
	if !given {
		return nil
	}
	asked, err := readNeeds(v)
	if err != nil {
		return err
	}
	e.Needs = make([]catalog.Need, len(asked))
	for i, n := range asked {
		need := catalog.Need{OneOf: make([]catalog.ResourceID, len(n.OneOf)), During: n.During, Hosts: n.Hosts}
		for j, ref := range n.Of {
			given, _ := id.Parse[catalog.HostIDKind](ref)
			at := p.findHost(given, ref)
			if at < 0 {
				return fault.Invalid(fmt.Sprintf("%s.needs[%d].of[%d]", field, i, j),
					"%.100q is no host of this workspace; expected the e-mail of one", ref)
			}
			need.Of = append(need.Of, p.hosts[at].ID)
		}
		for j, ref := range n.OneOf {
			given, _ := id.Parse[catalog.ResourceIDKind](ref)
			at := p.findResource(given, ref)
			if at < 0 {
				return fault.Invalid(fmt.Sprintf("%s.needs[%d].oneOf[%d]", field, i, j),
					"%.100q is no resource of this workspace; expected the name of one", ref)
			}
			need.OneOf[j] = p.resources[at].ID
		}
		e.Needs[i] = need
	}
	return e.CheckNeeds(field, p.resources, p.hosts)
}

// needDocuments writes needs with the names of resources and hosts.
func needDocuments(all []catalog.Need, names names) []NeedDocument {
	written := make([]NeedDocument, len(all))
	for i, n := range all {
		written[i] = NeedDocument{OneOf: make([]string, len(n.OneOf)), During: n.During, Hosts: n.Hosts}
		for j, id := range n.OneOf {
			written[i].OneOf[j] = names.resources[id]
		}
		for _, id := range n.Of {
			written[i].Of = append(written[i].Of, names.hosts[id])
		}
	}
	return written
}
