package settings

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/dashboard/web"
	"daybook/app/serve"
	"daybook/views/dash"
)

// asked returns what the page's address asks for; what it doesn't know is left out.
func (c call) asked() (in audit.ListInput) {
	q := c.URL.Query()
	if t := audit.Topic(q.Get("about")); slices.Contains(audit.Topics(), t) {
		in.Topic = t
	}
	if m := q.Get("member"); strings.HasPrefix(m, app.UserIDKind{}.Prefix()) {
		in.Member = m
	}
	in.Cursor = q.Get("cursor")
	return in
}

// log shows who changed what.
func (c call) log() error {
	in, n := c.asked(), 50
	in.Limit = &n
	page, err := c.Subjects.Audit.AuditLog(c.Context(), c.Actor, in)
	if web.Refused(err) != nil { // an address that somebody has changed
		in = audit.ListInput{Limit: &n}
		page, err = c.Subjects.Audit.AuditLog(c.Context(), c.Actor, in)
	}
	if err != nil {
		return err
	}
	names, err := c.auditNames()
	if err != nil {
		return err
	}
	filter := url.Values{"about": {string(in.Topic)}, "member": {in.Member}}
	v := dash.AuditPage{SettingsFrame: c.settingsFrame(c.T("audit_tab"), dash.AuditPath),
		ExportURL: web.WithQuery(dash.AuditExportPath, filter)}
	about := dash.Input{Name: "about", Label: c.T("audit_about"), Kind: "select", Value: string(in.Topic),
		Options: []dash.Option{{Label: c.T("audit_about_all")}}}
	for _, t := range audit.Topics() {
		about.Options = append(about.Options, dash.Option{Value: string(t), Label: c.T("audit_topic_" + string(t))})
	}
	member := dash.Input{Name: "member", Label: c.T("audit_member"), Kind: "select", Value: in.Member,
		Options: append([]dash.Option{{Label: c.T("audit_member_all")}}, names.members...)}
	v.Filters = []dash.Input{about, member}
	if in.Topic != "" || in.Member != "" {
		v.Clear = dash.AuditPath
	}
	for i := range page.Data {
		v.Rows = append(v.Rows, c.auditRow(names, &page.Data[i]))
	}
	if page.NextCursor != nil {
		v.Pager.NextURL = web.WithQuery(dash.AuditPath, filter, "cursor", *page.NextCursor)
	}
	if in.Cursor != "" {
		v.Pager.FirstURL = web.WithQuery(dash.AuditPath, filter)
	}
	return c.Show(200, dash.Audit(v))
}

// exportLog has no time limit.
func (c call) exportLog() (err error) {
	in := c.asked()
	in.Cursor = ""
	c.Attach("log.csv", "text/csv; charset=utf-8")
	serve.Stream(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err = c.Subjects.Audit.ExportAuditLog(r.Context(), c.Actor, in, w); err != nil {
			c.Log.Error("export", "error", err)
			panic(http.ErrAbortHandler) // so that the client sees that the file is incomplete
		}
	})).ServeHTTP(c.ResponseWriter, c.Request)
	return nil
}
