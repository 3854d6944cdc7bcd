package assistant

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/guest"
	"daybook/app/serve"
	"daybook/app/when"
	"daybook/views"
)

// ask shows what the assistant asked for and the button that books it. Opening it books nothing, as programs open every
// link of a mail.
func (d *Door) ask(w http.ResponseWriter, r *http.Request) {
	request, setup, err := d.service.Guest.ByToken(r.Context(), r.PathValue("token"))
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	p := pageOf(r, setup, request.Input.Invitee.Locale)
	if !request.Waits(when.At(d.service.Now())) {
		d.over(w, r, p, setup)
		return
	}
	p.Title = p.T("guest_confirm_title")
	d.render(w, r, http.StatusOK, views.GuestView(views.GuestPage{Page: p, Facts: facts(p.Locale, setup, &request),
		Action: r.URL.Path}))
}

// confirm books it, and goes on to the booking's own page.
func (d *Door) confirm(w http.ResponseWriter, r *http.Request) {
	token := r.PathValue("token")
	request, setup, err := d.service.Guest.ByToken(r.Context(), token)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	p := pageOf(r, setup, request.Input.Invitee.Locale)
	b, err := d.service.Guest.ConfirmByLink(r.Context(), token, serve.ClientIP(r.Context()))
	switch refused := fault.Refusal(err); {
	case err == nil:
		at := b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:]
		d.headers(w)
		w.Header().Set("Location", views.BookingPath(at, views.Query{Fresh: true, Lang: p.Query.Lang, Texts: request.Texts != ""}))
		w.WriteHeader(http.StatusSeeOther)
	case refused != nil && refused.Reason == "request_over":
		d.over(w, r, p, setup)
	case refused != nil && (refused.Code == fault.Conflict || refused.Code == fault.BadRequest):
		p.Title = p.T("guest_over_title")
		d.say(w, r, http.StatusConflict, p, p.T("guest_taken_text"), setup)
	default:
		d.refuse(w, r, err)
	}
}

func (d *Door) over(w http.ResponseWriter, r *http.Request, p views.Page, setup *catalog.Setup) {
	p.Title = p.T("guest_over_title")
	d.say(w, r, http.StatusOK, p, p.T("guest_over_text"), setup)
}

func (d *Door) say(w http.ResponseWriter, r *http.Request, status int, p views.Page, text string, s *catalog.Setup) {
	m := views.MessagePage{Page: p, Icon: "hourglass", Heading: p.Title, Text: text}
	if s != nil {
		m.Links = []views.Link{{Label: s.Workspace.Name, URL: p.Workspace.URL}}
	}
	d.render(w, r, status, views.MessageView(m))
}

// facts returns what is booked, on the clock of the business.
func facts(l *views.Locale, setup *catalog.Setup, r *guest.Request) (rows []views.MailFact) {
	add := func(key, value string) {
		if value != "" {
			rows = append(rows, views.MailFact{Label: l.T(key), Value: value})
		}
	}
	if e := setup.EventTypeByID(r.EventType); e != nil {
		add("mail_what", e.Title)
	}
	start, end := r.Start.Time().In(setup.Zone), r.End.Time().In(setup.Zone)
	add("mail_when", l.Date(start)+"\n"+l.Span(start, end, "")+" ("+views.ZoneLabel(setup.Zone, start)+")")
	if h := setup.Host(r.Host); h != nil && h.Name != setup.Workspace.Name {
		add("mail_with", h.Name)
	}
	add("field_name", r.Input.Invitee.Name)
	add("mail_notes", r.Input.Notes)
	return rows
}

// pageOf returns a page in the visitor's language and the workspace's colours.
func pageOf(r *http.Request, setup *catalog.Setup, locale string) views.Page {
	q := views.ReadQuery(r.URL.Query())
	p := views.Page{Locale: views.MatchLocale(q.Lang, r.Header.Get("Accept-Language")), Query: q.Look()}
	if r.Header.Get("Accept-Language") == "" && q.Lang == "" {
		p.Locale = views.MatchLocale(locale, "")
	}
	if setup != nil {
		w := &setup.Workspace
		p.Workspace = views.Workspace{Name: w.Name, Color: w.Settings.Color, LogoURL: setup.Logo(),
			URL: views.IndexPath(w.Slug, q.Look())}
	}
	return p
}

// refuse shows an error: the link leads nowhere, or something went wrong.
func (d *Door) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p, status := pageOf(r, nil, ""), http.StatusNotFound
	heading, text := p.T("gone_title"), p.T("not_found_text")
	if fault.Is(err, fault.Forbidden) {
		status, heading, text = http.StatusForbidden, p.T("suspended_title"), p.T("suspended_text")
	} else if !fault.Is(err, fault.NotFound) {
		status, heading, text = http.StatusInternalServerError, p.T("failed_title"), p.T("failed_text")
		if fault.Is(err, fault.Unavailable) {
			w.Header().Set("Retry-After", "1")
			status, heading, text = http.StatusServiceUnavailable, p.T("away_title"), p.T("away_text")
		} else {
			d.log.ErrorContext(r.Context(), "a request could not be confirmed", "error", err.Error())
		}
	}
	p.Title = heading
	d.say(w, r, status, p, text, nil)
}

func (d *Door) headers(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", views.CSP("'none'"))
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Robots-Tag", "noindex")
}

func (d *Door) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	d.headers(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if err := c.Render(r.Context(), w); err != nil {
		d.log.WarnContext(r.Context(), "page not written", "error", err)
	}
}
