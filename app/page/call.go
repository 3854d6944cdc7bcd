package page

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/when"
	"daybook/views"
)

// call is one request on its way through a handler.
type call struct {
	*Door
	w        http.ResponseWriter
	r        *http.Request
	query    views.Query
	locale   *views.Locale
	framable bool         // may be framed by other sites
	leads    string       // the site that a form leads to; see leadsOut
	personal bool         // has private data, so nothing may cache it
	own      bool         // is one of the pages of one's own
	ownUntil when.Instant // when the page that is open on the device closes, whose it is actor.Contact says

	// consented says of event types whether the customer whose page is open has what they require at the time that is looked at.
	consented map[catalog.EventTypeID]bool

	draft *catalog.Setup // of a preview: what is not saved

	// Set by enter, open or Preview:
	setup  *catalog.Setup
	actor  app.Actor
	host   *catalog.Host  // who is asked for; nil is whoever is free
	choice catalog.Choice // what is chosen of the event type

	invited invitation.Invitation // the link that the visitor came by
	link    string                // its token; "" for none

	zone      *time.Location // the zone that times are shown in
	zoneWrong bool           // the zone in the URL does not exist
	fixed     bool           // the zone is the workspace's, whatever the visitor's is
	elsewhere bool           // the visitor's clock shows another time then
}

// handler shows a page, or returns why it can't. Errors for the visitor are *fault.Error.
type handler func(c *call) error

// methods are the handlers of a path; HEAD is served by get.
type methods struct{ get, post handler }

func (m methods) of(method string) handler {
	switch method {
	case http.MethodGet, http.MethodHead:
		return m.get
	case http.MethodPost:
		return m.post
	}
	return nil
}

func (m methods) allow() string {
	if m.post == nil {
		return "GET, HEAD"
	}
	return "GET, HEAD, POST"
}

// maxForm is the most bytes of a form; a genuine one is never that long.
const maxForm = 128 << 10

// page wraps the handlers of a path for the server.
func (d *Door) page(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		c := &call{Door: d, w: w, r: r, query: views.ReadQuery(r.URL.Query()), zone: time.UTC}
		c.locale = views.MatchLocale(c.query.Lang, r.Header.Get("Accept-Language"))
		c.framable = r.PathValue("workspace") != "" || r.PathValue("token") != ""
		c.personal = r.PathValue("token") != "" || r.Method == http.MethodPost || len(c.query.Prefill) > 0
		handle := m.of(r.Method)
		if handle == nil {
			w.Header().Set("Allow", m.allow())
			c.showMessage(http.StatusMethodNotAllowed, views.NotFound(c.page()))
			return
		}
		if err := handle(c); err != nil {
			c.fail(err)
		}
	})
}

// is sets the visitor as the actor, with the network address that they come from.
func (c *call) is(a app.Actor) {
	c.actor = a
	c.actor.From = c.clientIP(c.r.Context())
}

// enter finds the workspace of the path, and sets the visitor as the actor, with whose page is open on their device.
func (c *call) enter() error {
	w, err := c.service.WorkspaceBySlug(c.r.Context(), c.r.PathValue("workspace"))
	if err != nil {
		return err
	}
	if c.setup, err = c.service.Setup(w.ID); err != nil {
		return err
	}
	c.is(app.Actor{Kind: booking.ByInvitee, Workspace: w.ID})
	c.readZone("")
	if err := c.setup.Workspace.Open(); err != nil {
		return err
	}
	return c.recognise()
}

// open finds the booking by the token in the path.
func (c *call) open() (booking.Booking, error) {
	b, actor, err := c.service.BookingByToken(c.r.Context(), c.r.PathValue("token"))
	if err != nil {
		return b, err
	}
	c.is(actor)
	if c.setup, err = c.service.Setup(b.WorkspaceID); err != nil {
		return b, err
	}
	c.readZone(b.Invitee.TimeZone)
	if bookedInPerson(&b) {
		c.atShop()
	}
	return b, c.checkVisit(&b)
}

// checkVisit forgets the visit of the URL if it isn't that of the booking.
func (c *call) checkVisit(b *booking.Booking) error {
	if c.query.Visit == "" {
		return nil
	}
	v, _, err := c.service.VisitByToken(c.r.Context(), c.query.Visit)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err != nil || b.Visit == nil || b.Visit.ID != v.ID {
		c.query.Visit = ""
	}
	return nil
}

// readZone chooses the zone in which times are shown: the one in the URL, else the invitee's, else the workspace's.
func (c *call) readZone(invitee string) {
	c.zone = c.setup.Zone
	if z, ok := catalog.Zone(invitee); ok {
		c.zone = z
	}
	asked := c.query.TimeZone
	if asked == "" {
		return
	}
	z, ok := catalog.Zone(asked)
	if !ok {
		asked = views.FindZone(asked)
		z, ok = catalog.Zone(asked)
	}
	if !ok {
		c.query.TimeZone, c.zoneWrong = "", true
		return
	}
	c.query.TimeZone, c.zone = asked, z
}

// page returns the part that all pages have in common.
func (c *call) page() views.Page {
	p := views.Page{Locale: c.locale, Query: c.query, Still: c.draft != nil}
	if c.setup != nil {
		w := &c.setup.Workspace
		p.Workspace = views.Workspace{
			Name: w.Name, Color: cmp.Or(c.query.Accent, w.Settings.Color),
			LogoURL: c.setup.Logo(), About: w.Settings.Description,
			URL: views.IndexPath(w.Slug, c.query.Look()),
		}
		p.Image = c.profile(nil).Absolute(c.setup.Logo())
	}
	return p
}

// slug returns the workspace's.
func (c *call) slug() string { return c.setup.Workspace.Slug }

// local returns a moment in the zone that times are shown in.
func (c *call) local(at when.Instant) time.Time { return at.Time().In(c.zone) }

// token returns the part of a manage link that identifies the booking.
func token(b *booking.Booking) string { return lastPart(b.ManageURL) }

func lastPart(link string) string { return link[strings.LastIndexByte(link, '/')+1:] }
