package page

import (
	"log/slog"
	"net/http"

	"github.com/a-h/templ"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/views"
)

// Decisions is the door behind the links in mails that act: they approve or decline a request, or end mails of a topic.
// A link opens a page, and only the page's button acts, so programs that follow every link of a mail change nothing.
type Decisions struct {
	service *subjects.Set
	log     *slog.Logger
}

// NewDecisions makes the door.
func NewDecisions(s *subjects.Set, log *slog.Logger) *Decisions { return &Decisions{s, log} }

// Routes adds the door's paths.
func (d *Decisions) Routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /booking/{token}/decide", d.ask)
	mux.HandleFunc("POST /booking/{token}/decide", d.decide)
	mux.HandleFunc("GET /booking/{token}/wait", d.askWait)
	mux.HandleFunc("POST /booking/{token}/wait", d.wait)
	mux.HandleFunc("GET /mail/{token}/stop", d.askStop)
	mux.HandleFunc("POST /mail/{token}/stop", d.stop)
}

const maxDecision = 16 << 10

// ask shows the request and the buttons.
func (d *Decisions) ask(w http.ResponseWriter, r *http.Request) {
	b, _, err := d.service.Mail.BookingToDecide(r.Context(), r.PathValue("token"))
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	d.show(w, r, &b, "", http.StatusOK)
}

func (d *Decisions) show(w http.ResponseWriter, r *http.Request, b *booking.Booking, problem string, status int) {
	setup, err := d.service.Setup(b.WorkspaceID)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	page := pageOf(r, setup)
	if b.Status != booking.Pending || b.ExpiresAt <= when.At(d.service.Now()) {
		d.say(w, r, page, "check", page.T("decide_over"), page.T("decide_over_text"))
		return
	}
	page.Title = page.T("decide_title")
	rows, visit := facts(page.Locale, setup, b), false
	all, err := d.service.VisitOf(r.Context(), b)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	for i := range all {
		if other := &all[i]; other.ID != b.ID && other.Status == booking.Pending {
			rows, visit = append(rows, alsoDecided(page.Locale, setup, other)), true
		}
	}
	d.render(w, r, status, views.DecideView(views.DecidePage{
		Page: page, Facts: rows, Visit: visit, Invitee: b.Invitee.Name, Action: r.URL.Path, Unpaid: b.NeedsPay,
		Problem: problem,
	}))
}

// decide does what the button says. A second decision gets the page that says it was already decided.
func (d *Decisions) decide(w http.ResponseWriter, r *http.Request) {
	b, actor, err := d.service.Mail.BookingToDecide(r.Context(), r.PathValue("token"))
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	setup, err := d.service.Setup(b.WorkspaceID)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxDecision)
	page, done := pageOf(r, setup), "confirmed"
	switch r.PostFormValue("decision") {
	case "confirm":
		_, err = d.service.Confirm(r.Context(), actor, b.ID.String())
	case "decline":
		done = "declined"
		_, err = d.service.Decline(r.Context(), actor, b.ID.String(), r.PostFormValue("reason"))
	default:
		d.show(w, r, &b, "", http.StatusBadRequest)
		return
	}
	switch {
	case err == nil:
		d.say(w, r, page, map[string]string{"confirmed": "check", "declined": "cross"}[done],
			page.T("decide_"+done), page.T("decide_"+done+"_text", "Name", b.Invitee.Name))
	case slot.Reason(reasonOf(err)) == slot.Requirement: // who has but a mail sees nothing of customers
		d.show(w, r, &b, page.T("agree_decide"), http.StatusConflict)
	case fault.Is(err, fault.Conflict) || fault.Is(err, fault.BadRequest):
		if b, _, err := d.service.Mail.BookingToDecide(r.Context(), r.PathValue("token")); err == nil {
			d.show(w, r, &b, "", http.StatusConflict)
			return
		}
		fallthrough
	default:
		d.refuse(w, r, err)
	}
}

func facts(l *views.Locale, setup *catalog.Setup, b *booking.Booking) (rows []views.MailFact) {
	start, end := b.Start.Time().In(setup.Zone), b.End.Time().In(setup.Zone)
	add := func(key, value string) {
		if value != "" {
			rows = append(rows, views.MailFact{Label: l.T(key), Value: value})
		}
	}
	add("mail_when", l.Date(start)+"\n"+l.Span(start, end, ""))
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		add("mail_what", e.Title)
	}
	add("mail_with", b.Host.Name)
	add("mail_invitee", b.Invitee.Name)
	add("mail_email", b.Invitee.Email)
	add("mail_phone", b.Invitee.Phone)
	add("mail_notes", b.Notes)
	return rows
}

// alsoDecided is another booking of the visit, about which the same decision is made.
func alsoDecided(l *views.Locale, setup *catalog.Setup, b *booking.Booking) views.MailFact {
	title, start := b.EventType, b.Start.Time().In(setup.Zone)
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		title = e.Title
	}
	return views.MailFact{Label: l.T("visit_also"),
		Value: title + " · " + b.Host.Name + "\n" + l.Date(start) + ", " + l.Span(start, b.End.Time().In(setup.Zone), "")}
}

// askStop asks for confirmation before it ends mails.
func (d *Decisions) askStop(w http.ResponseWriter, r *http.Request) {
	m, setup, err := d.service.Mail.MailToUnsubscribe(r.Context(), r.PathValue("token"))
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	page := pageOf(r, setup)
	page.Title = page.T("stop_title")
	text := page.T("stop_text_"+string(m.Kind.Topic()), "Email", m.To, "Name", setup.Workspace.Name)
	d.render(w, r, http.StatusOK, views.StopView(views.StopPage{Page: page, Text: text, Action: r.URL.Path}))
}

// stop ends them, for the page's button or a mail program's own (RFC 8058).
func (d *Decisions) stop(w http.ResponseWriter, r *http.Request) {
	token := r.PathValue("token")
	if err := d.service.Mail.Unsubscribe(r.Context(), token); err != nil {
		d.refuse(w, r, err)
		return
	}
	_, setup, err := d.service.Mail.MailToUnsubscribe(r.Context(), token)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	page := pageOf(r, setup)
	d.say(w, r, page, "check", page.T("stop_done"), page.T("stop_done_text"))
}

// pageOf returns a page in the visitor's language and the workspace's colours.
func pageOf(r *http.Request, setup *catalog.Setup) views.Page {
	q := views.ReadQuery(r.URL.Query())
	p := views.Page{Locale: views.MatchLocale(q.Lang, r.Header.Get("Accept-Language")), Query: q.Look()}
	if setup != nil {
		w := &setup.Workspace
		p.Workspace = views.Workspace{Name: w.Name, Color: w.Settings.Color, LogoURL: setup.Logo(),
			URL: views.IndexPath(w.Slug, q.Look())}
	}
	return p
}

func (d *Decisions) say(w http.ResponseWriter, r *http.Request, p views.Page, icon, heading, text string) {
	p.Title = heading
	d.render(w, r, http.StatusOK, views.MessageView(views.MessagePage{Page: p, Icon: icon, Heading: heading, Text: text}))
}

// refuse shows an error: the link leads nowhere, or something went wrong.
func (d *Decisions) refuse(w http.ResponseWriter, r *http.Request, err error) {
	page, status := pageOf(r, nil), http.StatusNotFound
	heading, text := page.T("gone_title"), page.T("not_found_text")
	if fault.Is(err, fault.Unavailable) {
		if !fault.IsLogged(err) {
			d.log.WarnContext(r.Context(), "a link of a mail is not available", "error", err)
		}
		w.Header().Set("Retry-After", "1")
		status, heading, text = http.StatusServiceUnavailable, page.T("away_title"), page.T("away_text")
		if fault.As(err).Reason == "uncertain" {
			heading, text = page.T("failed_title"), page.T("failed_text")
		}
	} else if fault.Is(err, fault.Forbidden) {
		status, heading, text = http.StatusForbidden, page.T("suspended_title"), page.T("suspended_text")
	} else if !fault.Is(err, fault.NotFound) {
		d.log.ErrorContext(r.Context(), "a link of a mail failed", "error", err)
		status, heading, text = http.StatusInternalServerError, page.T("failed_title"), page.T("failed_text")
	}
	page.Title = heading
	d.render(w, r, status, views.MessageView(views.MessagePage{Page: page, Icon: "alert", Heading: heading, Text: text}))
}

func (d *Decisions) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", views.CSP("'none'"))
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if err := c.Render(r.Context(), w); err != nil {
		d.log.WarnContext(r.Context(), "page not written", "error", err)
	}
}

// reasonOf returns the reason of a refusal, or "".
func reasonOf(err error) string {
	if e := fault.As(err); e != nil {
		return e.Reason
	}
	return ""
}
