package text

import (
	"cmp"
	"context"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/phone"
	"daybook/app/text/gsm"
	"daybook/app/text/sms"
	"daybook/app/when"
)

const (
	// mostMessages is how many messages are listed.
	mostMessages = 50
	// repliesADay is how many replies a number gets in 24 hours.
	repliesADay = 50
)

// Messages lists what people wrote, those that nobody has seen and otherwise the newest of everybody; or, of one contact,
// what they wrote and what members wrote to them. The latest comes last. Errors: forbidden, not_found.
func (s *Service) Messages(ctx context.Context, a app.Actor, contact string) (all []Message, err error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return nil, err
	}
	r := s.Reader(ctx)
	if contact == "" {
		return s.inbox(r, a.Workspace)
	}
	missing := fault.Missing("contact", contact)
	c, err := id.Parse[booking.ContactIDKind](contact)
	if err != nil {
		return nil, missing
	}
	if _, err := r.Contact(a.Workspace, c); err != nil {
		return nil, fault.OrMissing(err, missing)
	}
	if all, err = r.TextMessages(a.Workspace, MessageFilter{Contact: c, Limit: mostMessages}); err != nil {
		return nil, err
	}
	sent, err := r.Texts(a.Workspace, Filter{Contact: c, Kind: catalog.TextReply, Limit: mostMessages})
	for i := range sent {
		t := &sent[i]
		all = append(all, Message{ID: MessageID(t.ID), WorkspaceID: t.WorkspaceID, ContactID: c, Phone: t.To, Text: t.Facts.Words,
			CreatedAt: t.CreatedAt, SeenAt: t.CreatedAt, Ours: t.State})
	}
	return inOrder(all), err
}

// inbox lists what is new, and the newest besides. Answers, STOP and START stand on the cards alone.
func (s *Service) inbox(r Reader, ws catalog.WorkspaceID) ([]Message, error) {
	all, err := r.TextMessages(ws, MessageFilter{New: true, Limit: mostMessages})
	if err != nil {
		return nil, err
	}
	latest, err := r.TextMessages(ws, MessageFilter{Limit: mostMessages})
	for i := range latest {
		if m := &latest[i]; m.SeenAt != 0 && replyIn(m.Text) == "" {
			all = append(all, *m)
		}
	}
	return inOrder(all), err
}

func inOrder(all []Message) []Message {
	slices.SortFunc(all, func(a, b Message) int { return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	return all
}

// NewMessages counts the messages that nobody has seen, as far as they are listed. Errors: forbidden.
func (s *Service) NewMessages(ctx context.Context, a app.Actor) (int, error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return 0, err
	}
	all, err := s.Reader(ctx).TextMessages(a.Workspace, MessageFilter{New: true, Limit: mostMessages})
	return len(all), err
}

// SeeMessage notes that somebody has seen a message, and with it all that its number has written. Errors: forbidden,
// not_found.
func (s *Service) SeeMessage(ctx context.Context, a app.Actor, ref string) error {
	if err := a.May(app.MayManageContacts); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		m, err := messageOf(tx, a.Workspace, ref)
		if err != nil {
			return err
		}
		return tx.SeeTextMessages(a.Workspace, m.Phone, when.At(s.Core.Now()))
	})
}

func messageOf(r InboundReads, ws catalog.WorkspaceID, ref string) (Message, error) {
	missing := fault.Missing("message", ref)
	m, err := id.Parse[MessageIDKind](ref)
	if err != nil {
		return Message{}, missing
	}
	found, err := r.TextMessage(ws, m)
	return found, fault.OrMissing(err, missing)
}

// Reply texts a person what a member has written: whoever wrote the message of that id, or the contact. Somebody who wrote
// within 24 hours may be answered whatever they agreed to, unless they have sent STOP. What the number wrote counts as seen.
// Errors: forbidden; not_found, also without a sender; bad_request on the field text; conflict texts_stopped and
// texts_unasked; rate_limited.
func (s *Service) Reply(ctx context.Context, a app.Actor, to, words string) (t Text, err error) {
	if err := a.May(app.MayManageContacts); err != nil {
		return t, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return t, err
	}
	if !setup.Workspace.Texts {
		return t, errNoSender()
	}
	if words, err = fault.CheckText("text", gsm.Plain(words), sms.MaxText); err != nil {
		return t, err
	}
	switch n := gsm.Segments(words).Segments; {
	case words == "":
		return t, fault.Invalid("text", "is required")
	case n > catalog.MostSegments:
		return t, fault.Invalid("text", "must fit into %d text messages", catalog.MostSegments)
	}
	return t, s.Write(ctx, func(tx Tx) error {
		now := when.At(s.Core.Now())
		t = Text{ID: id.New[TextIDKind](now.Time()), WorkspaceID: a.Workspace, Kind: catalog.TextReply, CreatedAt: now, DueAt: now,
			Until: now.Add(life), Facts: Facts{Words: words}}
		if t.To, t.ContactID, err = replyTo(tx, setup, to); err != nil {
			return err
		}
		if err := s.mayReply(tx, &t, now); err != nil {
			return err
		}
		if err := tx.InsertTexts(t); err != nil {
			return err
		}
		return tx.SeeTextMessages(a.Workspace, t.To, now)
	})
}

// replyTo returns the number that a reply goes to, and whose it is.
func replyTo(tx Tx, setup *catalog.Setup, to string) (string, booking.ContactID, error) {
	ws := setup.Workspace.ID
	c, err := id.Parse[booking.ContactIDKind](to)
	if err != nil {
		m, err := messageOf(tx, ws, to)
		return m.Phone, m.ContactID, err
	}
	k, err := tx.Contact(ws, c)
	if err != nil {
		return "", 0, fault.OrMissing(err, fault.Missing("contact", to))
	}
	number, ok := phone.Parse(k.Phone, setup.Workspace.PhoneCountry())
	if !ok {
		return "", 0, fault.Invalid("text", "needs a telephone number that texts can go to")
	}
	return number, c, nil
}

// mayReply refuses a reply, behind the lock of its number, that may not be sent. The loop asks again when it is.
func (s *Service) mayReply(tx Tx, t *Text, now when.Instant) error {
	stopped, err := tx.LockTextNumber(t.WorkspaceID, t.To)
	if err != nil {
		return err
	}
	if stopped != 0 {
		return fault.Conflictf("texts_stopped",
			"Somebody has sent STOP from this number. Only START, sent from it, brings texts back: ask them to send START.")
	}
	wrote, err := tx.WroteAt(t.WorkspaceID, t.To)
	if err != nil {
		return err
	}
	if wrote <= now.Add(-wroteLately) {
		r, err := tx.Reach(t.WorkspaceID, t.ContactID, t.To)
		if err != nil {
			return err
		}
		if r.State != booking.TextsYes {
			return fault.Conflictf("texts_unasked", "They have not agreed to texts, and wrote none within 24 hours. Call them instead.")
		}
	}
	sent, err := tx.Texts(t.WorkspaceID, Filter{Phone: t.To, Kind: catalog.TextReply, Limit: repliesADay})
	if err != nil {
		return err
	}
	if len(sent) == repliesADay && sent[repliesADay-1].CreatedAt > now.Add(-when.Day) {
		return fault.New(fault.RateLimited, "", "%d texts were written to that number today; try again tomorrow.", repliesADay)
	}
	return nil
}

func errNoSender() error { return fault.New(fault.NotFound, "", "No sender of texts is set up.") }
