package settings

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views"
	"daybook/views/dash"
	"daybook/views/finding"
)

// auditNames are what the ids of the log are called now. The log itself has no names.
type auditNames struct {
	of      map[string]string // by id
	members []dash.Option
}

func (c call) auditNames() (auditNames, error) {
	n := auditNames{of: map[string]string{}}
	members, err := c.Subjects.Account.Members(c.Context(), c.Actor)
	if err != nil {
		return n, err
	}
	for _, m := range members {
		name := m.Email
		if h := c.Setup.Host(m.HostID); m.HostID != 0 && h != nil {
			name = h.Name
		}
		n.of[m.ID.String()] = name
		n.members = append(n.members, dash.Option{Value: m.ID.String(), Label: name})
	}
	keys, err := c.Subjects.Account.Keys(c.Context(), c.Actor)
	if err != nil {
		return n, err
	}
	for _, k := range keys {
		n.of[k.ID.String()] = k.Name
	}
	endpoints, err := c.Subjects.Webhook.Endpoints(c.Context(), c.Actor)
	if err != nil {
		return n, err
	}
	for _, e := range endpoints {
		if u, err := url.Parse(e.URL); err == nil {
			n.of[e.ID.String()] = u.Hostname()
		}
	}
	calendars, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	for _, k := range calendars {
		n.of[k.ID.String()] = k.Name
	}
	for i := range c.Setup.Hosts {
		n.of[c.Setup.Hosts[i].ID.String()] = c.Setup.Hosts[i].Name
	}
	for i := range c.Setup.Resources {
		n.of[c.Setup.Resources[i].ID.String()] = c.Setup.Resources[i].Name
	}
	return n, err
}

// auditRow returns an entry in words.
func (c call) auditRow(n auditNames, e *audit.Entry) dash.AuditRow {
	r := dash.AuditRow{At: finding.Moment(c.Locale, c.Setup.Zone, e.At) + " · " + c.T("audit_door_"+string(e.Door))}
	what := c.auditWhat(n, e)
	if strings.HasPrefix(e.Subject, booking.ContactIDKind{}.Prefix()) && what != c.T("audit_gone_contact") {
		r.URL = dash.ContactPath(e.Subject)
	}
	key := "audit_did_" + strings.ReplaceAll(string(e.Action), ".", "_")
	if e.Action == audit.PasswordChanged && e.Actor == e.Subject {
		key = "audit_own_password"
	}
	who := c.auditWho(n, e)
	r.Text = c.T(key, "Who", who, "What", what)
	if !strings.Contains(who, "@") { // an address is written as it is
		r.Text = views.Capital(r.Text)
	}
	r.Detail = c.auditDetail(e)
	return r
}

// auditWho returns who it was, as the subject of a sentence.
func (c call) auditWho(n auditNames, e *audit.Entry) string {
	name := n.of[e.Actor]
	switch e.By {
	case audit.Member:
		return cmp.Or(name, c.T("audit_gone_member"))
	case audit.Key:
		if name == "" {
			return c.T("audit_by_lost_key")
		}
		return c.T("audit_by_key", "Name", name)
	case audit.Operator:
		return c.T("audit_by_operator")
	case audit.System:
		return "Daybook"
	case audit.Business:
		return c.T("audit_by_business")
	}
	return c.T("audit_by_unknown")
}

// auditWhat returns what was changed, as the object of a sentence; in German in the accusative.
func (c call) auditWhat(n auditNames, e *audit.Entry) string {
	name, is := n.of[e.Subject], func(prefix string) bool { return strings.HasPrefix(e.Subject, prefix) }
	named := func(with, gone string) string {
		if name == "" {
			return c.T(gone)
		}
		return c.T(with, "Name", name)
	}
	switch {
	case is(app.KeyIDKind{}.Prefix()):
		return named("audit_the_key", "audit_gone_key")
	case is(app.UserIDKind{}.Prefix()):
		return cmp.Or(name, c.T("audit_gone_member"))
	case is(catalog.EndpointIDKind{}.Prefix()):
		return named("audit_the_endpoint", "audit_gone_endpoint")
	case is(booking.ContactIDKind{}.Prefix()):
		found, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, e.Subject)
		if err != nil || found.Name == "" {
			return c.T("audit_gone_contact")
		}
		return found.Name
	case is(catalog.ProductIDKind{}.Prefix()):
		found, err := c.Subjects.Shop.Product(c.Context(), c.Actor, e.Subject)
		if err != nil {
			return c.T("audit_gone_product")
		}
		return found.Name
	case is("cc_"):
		return named("audit_the_calendars", "audit_gone_calendars")
	case name != "":
		return name
	}
	return c.T("audit_all_hosts")
}

// fieldLabels are the fields that a page of the settings names; the others keep the names of the API.
var fieldLabels = map[string]string{"name": "dash_name", "slug": "dash_page_address", "timeZone": "dash_time_zone",
	"currency": "dash_currency", "settings.locale": "dash_mails_language", "settings.phone": "dash_phone",
	"settings.reviewsUrl": "photo_reviews", "settings.photos": "photo_gallery", "settings.address": "dash_address", "settings.logo": "dash_logo", "role": "dash_role", "host": "dash_host"}

// auditWords are words of lists that the log has, and their messages.
var auditWords = map[string]string{"full": "audit_word_full", "read-only": "audit_word_read_only",
	"test": "audit_word_test", "live": "audit_word_live", "invitation": "audit_word_invitation",
	"setup_link": "audit_word_setup_link", "owner": "dash_role_owner", "manager": "dash_role_manager",
	"staff": "dash_role_staff", "google": "", "microsoft": "", "caldav": "", "ics": "", "own": "", "operator": "",
	"password": "", "app": "audit_word_app", "app_added": "audit_word_app", "app_removed": "audit_word_app",
	"passkey": "audit_word_passkey", "passkey_added": "audit_word_passkey", "passkey_removed": "audit_word_passkey",
	"codes_made": "audit_word_codes", "recovery_code": "audit_word_code", "reset": ""}

func (c call) auditWord(word string) string {
	key, known := auditWords[word]
	if known && key == "" {
		return ""
	}
	if !known {
		return word
	}
	return c.T(key)
}

// auditDetail returns what else an entry has.
func (c call) auditDetail(e *audit.Entry) string {
	var all []string
	for _, f := range e.Fields {
		if key := fieldLabels[f]; key != "" {
			f = c.T(key)
		}
		all = append(all, f)
	}
	switch from, to := c.auditWord(e.From), c.auditWord(e.To); {
	case from != "" && to != "":
		all = append(all, from+" → "+to)
	case from+to != "":
		all = append(all, from+to)
	}
	if e.Count != 0 {
		all = append(all, c.T("audit_count", "Count", strconv.Itoa(e.Count)))
	}
	if browser, system, _ := strings.Cut(e.Device, "/"); system != "" {
		all = append(all, c.T("dash_account_on", "Browser", browser, "System", system))
	} else if browser != "" {
		all = append(all, browser)
	}
	return strings.Join(all, ", ")
}
