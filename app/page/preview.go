package page

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/views"
)

// Preview shows a booking page as a set-up that is not saved would make it: that of the event type, by its slug, or for
// "" the list of all. Only pages of this server may frame it, nothing keeps it, and it has no scripts. The caller says
// who may see it. It is mounted nowhere: the dashboard asks for it.
func (d *Door) Preview(w http.ResponseWriter, r *http.Request, s *catalog.Setup, eventType string) {
	v := &visit{Door: d, w: w, r: r, query: views.ReadQuery(r.URL.Query()), draft: s, setup: s, personal: true}
	v.locale = views.MatchLocale(v.query.Lang, r.Header.Get("Accept-Language"))
	v.actor = app.Actor{Kind: booking.ByInvitee, Workspace: s.Workspace.ID}
	v.readZone("")
	if err := v.preview(eventType); err != nil {
		v.fail(err)
	}
}

func (v *visit) preview(eventType string) error {
	if eventType == "" {
		return v.list()
	}
	e := v.setup.EventType(eventType)
	if e == nil {
		return fault.Missing("event type", eventType)
	}
	if inPerson(e) {
		v.atShop()
	}
	e, err := v.choose(e)
	switch {
	case err != nil:
		return err
	case v.query.Start != "":
		return v.details(e)
	}
	return v.month(e)
}
