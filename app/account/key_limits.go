package account

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/when"
)

// Limits describes what a restricted key may do at most. An empty field limits nothing.
type Limits struct {
	Rights     []string // see right.Names
	EventTypes []string // slugs or ids
	Hosts      []string // ids or e-mails
	Until      when.Instant
	Addresses  []string // or ranges such as 203.0.113.0/24
	Origins    []string // of the pages that may use a public key, such as https://salon.example
}

// limitsOf checks the limits of a new key; nil for none. Errors: bad_request, not_found (event type, host).
func (s *Service) limitsOf(a app.Actor, in KeyInput) (*right.Limits, error) {
	l := right.Limits{Until: in.Limits.Until}
	var err error
	if l.Rights, err = right.Parse(in.Limits.Rights); err != nil {
		return nil, err
	}
	if l.Addresses, err = right.ParseAddresses(in.Limits.Addresses); err != nil {
		return nil, err
	}
	if l.Origins, err = right.ParseOrigins(in.Limits.Origins); err != nil {
		return nil, err
	}
	var setup *catalog.Setup // it has secrets, for which a command has no key that names no service or host
	if len(in.Limits.EventTypes)+len(in.Limits.Hosts) > 0 {
		if setup, err = s.Core.Setup(a.Workspace); err != nil {
			return nil, err
		}
	}
	for _, ref := range in.Limits.EventTypes {
		e := setup.EventType(ref)
		if e == nil {
			return nil, fault.Missing("event type", ref)
		}
		l.EventTypes = append(l.EventTypes, e.ID)
	}
	for _, ref := range in.Limits.Hosts {
		var h catalog.HostID
		if h, err = setup.HostRef(ref); err != nil || h == 0 {
			return nil, fault.Missing("host", ref)
		}
		l.Hosts = append(l.Hosts, h)
	}
	if in.Scope == PublicScope {
		return &l, l.CheckPublic(s.Core.Now())
	}
	if l.None() {
		return nil, nil
	}
	return &l, l.Check(in.Scope == ReadOnlyScope, in.Areas, s.Core.Now())
}

// granted returns the names of the areas, and limited for a restricted key.
func (k *Key) granted() []string {
	names := k.Areas.Names()
	if k.Limits != nil {
		names = append(names, "limited")
	}
	return names
}
