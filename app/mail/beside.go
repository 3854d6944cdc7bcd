package mail

import (
	"context"
	"net/netip"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// Channel is a way beside mail by which invitees are told.
type Channel interface {
	// Divide queues what goes its way of what an invitee is to be told, in the transaction in which the mails are queued, and
	// returns the mails that are left to be queued.
	Divide(in app.Tx, p *Planned) (left []Mail, told []Beside, err error)
}

// Planned is what an invitee is to be told.
type Planned struct {
	Setup   *catalog.Setup
	Event   *catalog.EventType // nil where it is gone, or where it is about none
	Booking *booking.Booking   // as it is now; nil where it is about none
	Contact booking.ContactID  // 0 where nobody is known
	Invitee booking.Invitee
	Visitor bool                // somebody without sign-in or secret key caused it
	From    netip.Addr          // from where a visitor asks for what is about no booking; not valid where that isn't known
	Own     bool                // it answers what the invitee has just done
	Drop    []booking.BookingID // whose reminders no longer hold
	Mails   []Mail              // what is to be told, as mails; those that can't be mailed have no To

	Why string // set by Divide: why nothing can tell them, as text.CallReason has it
}

// Beside is that somebody is told by another way than mail.
type Beside struct {
	By, To string
	Later  bool // a reminder
}

// SetChannel sets the way beside mail. It must be called before the Service is used.
func (s *Service) SetChannel(c Channel) { s.channel = c }

// divides reports whether invitees of the workspace may be told by another way than mail.
func (s *Service) divides(setup *catalog.Setup) bool {
	return s.channel != nil && setup.Workspace.Texts
}

// With returns the Service with another log of what invitees were told. A channel beside mail decides by it, as mails do,
// what is still true of what it tells (MailSubject).
func (s *Service) With(log func(ws catalog.WorkspaceID, f Filter) ([]Mail, error)) *Service {
	return &Service{s.Subject, s.state, log}
}

// Reader returns the Service's reader of the store, with its own log where it has one.
func (s *Service) Reader(ctx context.Context) Reader {
	r := s.Subject.Reader(ctx)
	if s.log != nil {
		return otherLog{r, s.log}
	}
	return r
}

// otherLog is a reader with another log of what invitees were told.
type otherLog struct {
	Reader
	log func(ws catalog.WorkspaceID, f Filter) ([]Mail, error)
}

// Mails lists what the other log has.
func (r otherLog) Mails(ws catalog.WorkspaceID, f Filter) ([]Mail, error) { return r.log(ws, f) }

// Dates returns how many dates of a series it is about, 0 where it is about none.
func (a *Subject) Dates() int { return len(a.Series) }

// planned returns what the invitee is to be told of the change, for another channel, and leaves the mails to the team.
func (m *mailMaker) planned(drop []booking.BookingID) *Planned {
	p := &Planned{Setup: m.setup, Event: m.event, Booking: m.b, Contact: m.b.ContactID, Invitee: m.b.Invitee, Drop: drop,
		Visitor: m.u.Actor == booking.ByInvitee, Own: m.u.Actor == booking.ByInvitee}
	var team []Mail
	for _, x := range m.mails {
		if x.Facts.For == ToInvitee {
			p.Mails = append(p.Mails, x)
		} else {
			team = append(team, x)
		}
	}
	m.mails = team
	return p
}

// post queues a mail to somebody who waits for a time or asked for something, by the way that they like. wanted is what it
// is about; its Mails are filled in. It reports whether a mail is queued, and whether something is beside it.
func (s *Service) post(in app.Tx, wanted *Planned, m Mail) (mailed, beside bool, err error) {
	tx, mails := in.(Tx), []Mail{m}
	if s.divides(wanted.Setup) {
		wanted.Mails = mails
		var told []Beside
		if mails, told, err = s.channel.Divide(in, wanted); err != nil {
			return false, false, err
		}
		beside = len(told) > 0
	}
	if len(mails) == 0 || mails[0].To == "" {
		return false, beside, nil
	}
	return true, beside, tx.InsertMails(mails...)
}

// Instead queues the mail that says what another channel could not tell, with the facts of then.
func (s *Service) Instead(in app.Tx, ws catalog.WorkspaceID, b booking.BookingID, k catalog.MailKind, to string, f Facts) error {
	now := s.Core.Now()
	m := Mail{ID: id.New[MailIDKind](now), WorkspaceID: ws, BookingID: b, Kind: k, To: to, Facts: f, DueAt: when.At(now),
		Until: when.At(now).Add(mailLife)}
	if k == catalog.MailReminder {
		m.Until = reminderUntil(f.Start, f.Lead)
	}
	if w := f.Waits; w != nil && w.Offer != nil {
		m.Until = w.Offer.Until
	}
	return in.(Tx).InsertMails(m)
}

// Waits returns the entry of the waitlist that it is about, or nil.
func (a *Subject) Waits() *waitlist.Entry { return a.wait }
