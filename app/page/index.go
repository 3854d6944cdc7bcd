package page

import (
	"net/http"
	"strings"

	"daybook/views"
)

// index lists the active event types of a workspace.
func index(v *visit) error {
	if err := v.enter(); err != nil {
		return err
	}
	return v.list()
}

// list shows the active event types.
func (v *visit) list() error {
	p := views.IndexPage{Page: v.page()}
	w := &v.setup.Workspace
	p.Title, p.Description = w.Name, summary(w.Settings.Description)
	p.Canonical = v.service.BaseURL() + "/" + w.Slug
	p.LD = v.businessData()
	var titles []string
	for i := range v.setup.EventTypes {
		if e := &v.setup.EventTypes[i]; e.Active {
			p.Events = append(p.Events, v.eventView(e))
			titles = append(titles, e.Title)
		}
	}
	if p.Description == "" && len(titles) > 0 {
		p.Description = summary(w.Name + " · " + strings.Join(titles, ", "))
	}
	return v.show(http.StatusOK, views.IndexView(p))
}
