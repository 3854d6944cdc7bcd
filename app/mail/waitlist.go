package mail

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail/smtp"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/views"
)

// WaitNews holds the facts of a mail to who is on the waitlist. Its link is made when it is sent.
type WaitNews struct {
	Entry booking.WaitID  `json:"entry"`
	Offer *waitlist.Offer `json:"offer,omitempty"` // what is offered, or was
}

// PostWaits queues the mail that asks somebody to confirm that they wait, in the caller's transaction, or the text where they
// have no e-mail address. from is where they ask. Errors: conflict no_text (no text may go to their number now).
func (s *Service) PostWaits(in app.Tx, e *waitlist.Entry, from netip.Addr, until when.Instant) error {
	return s.postWait(in, catalog.MailWaits, e, from, until)
}

// PostOffer queues the mail that offers them a time, and PostOfferOver the one that says that somebody else has it.
func (s *Service) PostOffer(in app.Tx, e *waitlist.Entry, until when.Instant) error {
	return s.postWait(in, catalog.MailOffer, e, netip.Addr{}, until)
}

// PostOfferOver is described at PostOffer.
func (s *Service) PostOfferOver(in app.Tx, e *waitlist.Entry, until when.Instant) error {
	return s.postWait(in, catalog.MailOfferOver, e, netip.Addr{}, until)
}

// PostOpening queues the mail that tells who waits of a time that came free, which is held for nobody.
func (s *Service) PostOpening(in app.Tx, e *waitlist.Entry, o *waitlist.Offer, until when.Instant) error {
	told := *e
	told.Offer = o
	return s.postWait(in, catalog.MailOpening, &told, netip.Addr{}, until)
}

func (s *Service) postWait(in app.Tx, kind catalog.MailKind, e *waitlist.Entry, from netip.Addr, until when.Instant) error {
	setup, err := s.Core.In(in).Setup(e.WorkspaceID)
	if err != nil {
		return err
	}
	now := s.Core.Now()
	mailed, beside, err := s.post(in, &Planned{Setup: setup, Event: setup.EventType(e.Items[0].EventType), Contact: e.Contact, Invitee: e.Invitee, Visitor: true, From: from,
		Own: kind == catalog.MailWaits}, Mail{ID: id.New[MailIDKind](now), WorkspaceID: e.WorkspaceID, Kind: kind, To: e.Invitee.Email,
		DueAt: when.At(now), Until: until, Facts: Facts{For: ToInvitee, Waits: &WaitNews{e.ID, e.Offer}}})
	if err == nil && kind == catalog.MailWaits && !mailed && !beside {
		err = fault.Conflictf("no_text", "No text can be sent to this telephone number now. Give an e-mail address.")
	}
	return err
}

// aboutWait notes who is written to, and why the mail must not be sent any more.
func (s *Service) aboutWait(ctx context.Context, m *Mail, about *Subject) error {
	r, now, news := s.Reader(ctx), when.At(s.Core.Now()), m.Facts.Waits
	e, err := r.WaitEntry(m.WorkspaceID, news.Entry)
	if errors.Is(err, fault.ErrNotFound) {
		about.Dropped = "the entry is gone"
		return nil
	}
	if err != nil {
		return err
	}
	about.wait, about.Booking.Invitee = &e, e.Invitee
	switch {
	case m.Kind == catalog.MailWaits && e.Status != waitlist.Unconfirmed:
		about.Dropped = "it is confirmed, or over"
	case m.Kind == catalog.MailOffer && (e.Status != waitlist.Offered || e.Offer == nil || news.Offer == nil ||
		e.Offer.Start != news.Offer.Start || e.Offer.Until != news.Offer.Until || e.Offer.Until <= now):
		about.Dropped = "it is not offered any more"
	case (m.Kind == catalog.MailOfferOver || m.Kind == catalog.MailOpening) && !e.Status.Live():
		about.Dropped = "the person waits no more"
	}
	if m.Kind != catalog.MailOffer && m.Kind != catalog.MailOpening || e.Contact == 0 {
		return nil
	}
	all, err := r.Bookings(m.WorkspaceID, booking.BookingFilter{Contact: e.Contact, EndsAfter: now, Statuses: booking.LiveStatuses,
		LongestLookup: about.Setup.Workspace.LongestBooking, Limit: 20})
	for i := range all {
		b := &all[i]
		if len(about.older) < mostOlder && slices.ContainsFunc(e.Items, func(i waitlist.Item) bool { return i.EventType == b.EventTypeID.String() }) {
			s.Core.Present(about.Setup, app.Actor{Kind: booking.BySystem}, b)
			about.older = append(about.older, *b)
		}
	}
	return err
}

// mostOlder is how many bookings that the person has a mail names that offers another time.
const mostOlder = 3

// waitPage writes a mail to who is on the waitlist. Who reads the log doesn't see the link.
func (c *composer) waitPage(p *views.MailPage) {
	e, setup, o := c.about.wait, c.about.Setup, c.facts.Waits.Offer
	name := setup.Workspace.Name
	link := views.Link{Label: c.t("wait_confirm")}
	at := ""
	if o != nil {
		s := o.Start.Time().In(c.zone)
		at = c.locale.ShortDay(s) + ", " + c.locale.Time(s, "")
	}
	switch c.mail.Kind {
	case catalog.MailOffer:
		p.Subject = smtp.OneLine(c.t("wait_offer_subject", "When", at, "Name", name))
		p.Heading, p.Text = c.t("wait_offer_head"), c.t("wait_offer_text", "Name", name)
		p.Note, link.Label = c.t("wait_offer_note"), c.t("wait_answer")
	case catalog.MailOpening:
		p.Subject = smtp.OneLine(c.t("wait_open_subject", "When", at, "Name", name))
		p.Heading, p.Text = c.t("wait_offer_head"), c.t("wait_open_text", "Name", name)
		p.Note, link.Label = c.t("wait_open_note"), c.t("wait_open_book")
	case catalog.MailOfferOver:
		p.Subject = smtp.OneLine(c.t("wait_gone_subject", "When", at, "Name", name))
		p.Heading, p.Text = c.t("wait_gone_head"), c.t("wait_gone_text", "Name", name)
		link.Label = c.t("wait_see")
	default:
		p.Subject = smtp.OneLine(c.t("wait_mail_subject", "Name", name))
		p.Heading, p.Text, p.Note = c.t("wait_mail_head"), c.t("wait_mail_text", "Name", name), c.t("wait_mail_note")
	}
	if e == nil {
		return
	}
	p.Facts = append(p.Facts, views.MailFact{Label: c.t("mail_what"), Value: strings.Join(WaitServices(setup, e), "\n")})
	if o == nil {
		p.Facts = append(p.Facts, views.MailFact{Label: c.t("mail_when"), Value: strings.Join(c.locale.Wishes(WaitWishes(e)), "\n"), Strong: true})
	} else {
		p.Facts = append(p.Facts, views.MailFact{Label: c.t("mail_when"), Value: c.when(o.Start, o.End), Strong: true})
		if h := setup.Host(o.Host); h != nil && h.Name != name && len(e.Items) == 1 {
			p.Facts = append(p.Facts, views.MailFact{Label: c.t("mail_with"), Value: h.Name})
		}
	}
	if c.mail.Kind == catalog.MailOffer {
		p.Facts = append(p.Facts, views.MailFact{Label: c.t("wait_until"), Value: c.locale.Time(o.Until.Time().In(c.zone), ""), Strong: true})
	}
	for i := range c.about.older {
		b := &c.about.older[i]
		f := views.MailFact{Label: c.t("wait_older"), Value: c.when(b.Start, b.End)}
		if c.about.Sends && b.ManageURL != "" {
			f.Links = []views.Link{{Label: c.t("mail_manage"), URL: b.ManageURL}}
		}
		p.Facts = append(p.Facts, f)
	}
	if !c.about.Sends {
		p.Note = c.t("invitation_mail_secret")
		return
	}
	link.URL = c.service.Core.BaseURL() + waitlist.Path(setup, e.ID)
	p.Links = []views.Link{link}
	if c.mail.Kind == catalog.MailOpening {
		p.Links = []views.Link{{Label: link.Label, URL: c.service.Core.BaseURL() + OpeningPath(setup, e, o)},
			{Label: c.t("wait_leave"), URL: link.URL}}
	}
}

// OpeningPath leads to the booking page of what an entry waits for, at a start.
func OpeningPath(setup *catalog.Setup, e *waitlist.Entry, at *waitlist.Offer) string {
	first := &e.Items[0]
	q := views.Query{Host: first.Host}.WithChoice(first.AddOns, e.Seats)
	if len(e.Items) == 1 && at.Host != 0 {
		q.Host = at.Host.String()
	}
	var beside []views.BasketOf
	slug := func(ref string) string {
		if s := setup.EventType(ref); s != nil {
			return s.Slug
		}
		return ref
	}
	for _, item := range e.Items[1:] {
		beside = append(beside, views.BasketOf{Service: slug(item.EventType), Host: item.Host, AddOns: item.AddOns})
	}
	start := at.Start.Time().In(setup.Zone)
	return views.EventPath(setup.Workspace.Slug, slug(first.EventType), q.WithBeside(beside).OnDay(start).OnTime(start))
}

// WaitServices names the services of an entry, and with whom.
func WaitServices(setup *catalog.Setup, e *waitlist.Entry) (all []string) {
	for _, item := range e.Items {
		title := item.EventType
		if s := setup.EventType(item.EventType); s != nil {
			title = s.Title
		}
		if h, err := id.Parse[catalog.HostIDKind](item.Host); err == nil && setup.Host(h) != nil {
			title += " · " + setup.Host(h).Name
		}
		all = append(all, title)
	}
	return all
}

// WaitWishes returns the wishes of an entry as pages show them.
func WaitWishes(e *waitlist.Entry) (all []views.Wish) {
	for i := range e.Wishes {
		w := &e.Wishes[i]
		all = append(all, views.Wish{From: w.From, To: w.To, Days: w.Days, Hours: w.Hours})
	}
	return all
}
