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
	c := &call{Door: d, w: w, r: r, query: views.ReadQuery(r.URL.Query()), draft: s, setup: s, personal: true}
	c.locale = views.MatchLocale(c.query.Lang, r.Header.Get("Accept-Language"))
	c.actor = app.Actor{Kind: booking.ByInvitee, Workspace: s.Workspace.ID}
	c.readZone("")
	if err := c.preview(eventType); err != nil {
		c.fail(err)
	}
}

func (c *call) preview(eventType string) error {
	if eventType == "" {
		return c.list()
	}
	e := c.setup.EventType(eventType)
	if e == nil {
		return fault.Missing("event type", eventType)
	}
	if inPerson(e) {
		c.atShop()
	}
	e, err := c.choose(e)
	switch {
	case err != nil:
		return err
	case c.query.Start != "":
		return c.details(e)
	}
	return c.month(e)
}
