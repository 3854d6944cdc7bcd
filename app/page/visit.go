package page

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/invitation"
	"daybook/app/when"
	"daybook/views"
)

// visit is one request on its way through a handler.
type visit struct {
	*Door
	w        http.ResponseWriter
	r        *http.Request
	query    views.Query
	locale   *views.Locale
	framable bool   // may be framed by other sites
	leads    string // the site that a form leads to; see leadsOut
	personal bool   // has private data, so nothing may cache it

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
type handler func(v *visit) error

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
		v := &visit{Door: d, w: w, r: r, query: views.ReadQuery(r.URL.Query()), zone: time.UTC}
		v.locale = views.MatchLocale(v.query.Lang, r.Header.Get("Accept-Language"))
		v.framable = r.PathValue("workspace") != "" || r.PathValue("token") != ""
		v.personal = r.PathValue("token") != "" || r.Method == http.MethodPost || len(v.query.Prefill) > 0
		handle := m.of(r.Method)
		if handle == nil {
			w.Header().Set("Allow", m.allow())
			v.show(http.StatusMethodNotAllowed, views.MessageView(views.NotFound(v.page())))
			return
		}
		if err := handle(v); err != nil {
			v.fail(err)
		}
	})
}

// enter finds the workspace of the path, and sets the visitor as the actor.
func (v *visit) enter() error {
	w, err := v.service.WorkspaceBySlug(v.r.Context(), v.r.PathValue("workspace"))
	if err != nil {
		return err
	}
	if v.setup, err = v.service.Setup(w.ID); err != nil {
		return err
	}
	v.actor = app.Actor{Kind: booking.ByInvitee, Workspace: w.ID}
	v.readZone("")
	return nil
}

// open finds the booking by the token in the path.
func (v *visit) open() (booking.Booking, error) {
	b, actor, err := v.service.BookingByToken(v.r.Context(), v.r.PathValue("token"))
	if err != nil {
		return b, err
	}
	v.actor = actor
	if v.setup, err = v.service.Setup(b.WorkspaceID); err != nil {
		return b, err
	}
	v.readZone(b.Invitee.TimeZone)
	if bookedInPerson(&b) {
		v.atShop()
	}
	return b, nil
}

// readZone chooses the zone in which times are shown: the one in the URL, else the invitee's, else the workspace's.
func (v *visit) readZone(invitee string) {
	v.zone = v.setup.Zone
	if z, ok := catalog.Zone(invitee); ok {
		v.zone = z
	}
	asked := v.query.TimeZone
	if asked == "" {
		return
	}
	z, ok := catalog.Zone(asked)
	if !ok {
		asked = views.FindZone(asked)
		z, ok = catalog.Zone(asked)
	}
	if !ok {
		v.query.TimeZone, v.zoneWrong = "", true
		return
	}
	v.query.TimeZone, v.zone = asked, z
}

// page is the part that all pages have in common.
func (v *visit) page() views.Page {
	p := views.Page{Locale: v.locale, Query: v.query, Still: v.draft != nil}
	if v.setup != nil {
		w := &v.setup.Workspace
		p.Workspace = views.Workspace{
			Name: w.Name, Color: cmp.Or(v.query.Accent, w.Settings.Color),
			LogoURL: v.setup.Logo(), About: w.Settings.Description,
			URL: views.IndexPath(w.Slug, v.query.Look()),
		}
		p.Image = v.profile(nil).Absolute(v.setup.Logo())
	}
	return p
}

// slug is the workspace's.
func (v *visit) slug() string { return v.setup.Workspace.Slug }

// local is a moment in the zone that times are shown in.
func (v *visit) local(at when.Instant) time.Time { return at.Time().In(v.zone) }

// token is the part of a manage link that identifies the booking.
func token(b *booking.Booking) string { return b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:] }
