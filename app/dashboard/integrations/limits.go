package integrations

import (
	"net/url"
	"strings"

	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/when"
	"daybook/views/dash"
)

// originsInput asks on which pages a public key stands.
func (c call) originsInput() dash.Input {
	return dash.Input{Name: "origins", Label: c.T("connect_key_origins"), Hint: c.T("connect_key_origins_hint"),
		Kind: "area", Rows: 2}
}

// limitsGroup asks what a key may do at most.
func (c call) limitsGroup() dash.Group {
	rights := dash.Input{Name: "rights", Label: c.T("connect_key_rights"), Kind: "checks"}
	for _, name := range right.Names {
		rights.Options = append(rights.Options, dash.Option{Value: name, Label: c.T(rightTexts[name])})
	}
	services := dash.Input{Name: "eventTypes", Label: c.T("connect_key_services"), Kind: "checks"}
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		services.Options = append(services.Options, dash.Option{Value: e.ID.String(), Label: e.Title})
	}
	hosts := dash.Input{Name: "hosts", Label: c.T("connect_key_hosts"), Kind: "checks"}
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		hosts.Options = append(hosts.Options, dash.Option{Value: h.ID.String(), Label: h.Name})
	}
	group := dash.Group{Fold: c.T("connect_key_restrict"), Hint: c.T("connect_key_limits_hint"),
		Inputs: []dash.Input{rights}}
	for _, in := range []dash.Input{services, hosts} {
		if len(in.Options) > 1 { // there is something to choose
			group.Inputs = append(group.Inputs, in)
		}
	}
	group.Inputs = append(group.Inputs,
		dash.Input{Name: "until", Label: c.T("connect_key_until"), Hint: c.T("connect_key_until_hint"), Kind: "date"},
		dash.Input{Name: "addresses", Label: c.T("connect_key_addresses"), Hint: c.T("connect_key_addresses_hint"),
			Kind: "area", Rows: 2})
	return group
}

// rightTexts are the keys of the messages that name the rights.
var rightTexts = map[string]string{
	"availability:read": "connect_right_availability_read",
	"bookings:read":     "connect_right_bookings_read",
	"bookings:write":    "connect_right_bookings_write",
	"bookings:override": "connect_right_bookings_override",
	"contacts:read":     "connect_right_contacts_read",
	"contacts:write":    "connect_right_contacts_write",
	"money:read":        "connect_right_money_read",
	"money:write":       "connect_right_money_write",
	"analytics:read":    "connect_right_analytics_read",
	"webhooks:read":     "connect_right_webhooks_read",
	"webhooks:write":    "connect_right_webhooks_write",
	"pictures:read":     "connect_right_pictures_read",
	"pictures:write":    "connect_right_pictures_write",
	"invitations:read":  "connect_right_invitations_read",
	"invitations:write": "connect_right_invitations_write",
}

// postedLimits returns the limits of a form. Errors: bad_request.
func (c call) postedLimits(form url.Values) (account.Limits, error) {
	words := func(name string) []string {
		return strings.FieldsFunc(form.Get(name), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' })
	}
	l := account.Limits{Rights: form["rights"], EventTypes: form["eventTypes"], Hosts: form["hosts"],
		Addresses: words("addresses"), Origins: words("origins")}
	var err error
	if day := form.Get("until"); day != "" {
		if l.Until, err = when.ParseOrDate(day, c.Setup.Zone); err != nil {
			return l, fault.Invalid("until", "must lie in the future")
		}
	}
	return l, nil
}

// limits says how a key is restricted.
func (c call) limits(l *right.Limits) (all []string) {
	if l.None() {
		return nil
	}
	add := func(label string, values ...string) {
		if len(values) > 0 {
			all = append(all, c.Locale.Labelled(c.T(label), strings.Join(values, ", ")))
		}
	}
	var rights, services, hosts, addresses []string
	for _, name := range l.Rights.List() {
		rights = append(rights, c.T(rightTexts[name]))
	}
	for _, id := range l.EventTypes {
		if e := c.Setup.EventTypeByID(id); e != nil {
			services = append(services, e.Title)
		}
	}
	for _, id := range l.Hosts {
		if h := c.Setup.Host(id); h != nil {
			hosts = append(hosts, h.Name)
		}
	}
	for _, a := range l.Addresses {
		addresses = append(addresses, a.String())
	}
	if len(l.Origins) == 0 || len(services)+len(hosts) > 0 || l.Until != 0 {
		all = append(all, c.T("connect_key_restricted"))
	}
	add("connect_scope_public", l.Origins...)
	add("connect_key_rights", rights...)
	add("connect_key_services", services...)
	add("connect_key_hosts", hosts...)
	add("connect_key_addresses", addresses...)
	if l.Until != 0 {
		add("connect_key_until", c.Locale.Date(l.Until.Time().In(c.Setup.Zone)))
	}
	return all
}
