package page

import (
	"net/http"

	"daybook/views"
)

// index lists the active event types of a workspace.
func index(v *visit) error {
	if err := v.enter(); err != nil {
		return err
	}
	p := views.IndexPage{Page: v.page()}
	w := &v.setup.Workspace
	p.Title, p.Description = w.Name, summary(w.Settings.Description)
	p.Canonical = v.service.BaseURL() + "/" + w.Slug
	p.LD = v.businessData()
	for i := range v.setup.EventTypes {
		if e := &v.setup.EventTypes[i]; e.Active {
			p.Events = append(p.Events, v.eventView(e))
		}
	}
	return v.show(http.StatusOK, views.IndexView(p))
}
