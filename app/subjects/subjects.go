// Package subjects puts the core and every subject over one store. The command, the demo and the doors are handed its
// Set. A subject is given those below it in app/map.md, and functions of those above it that it has to tell something.
package subjects

import (
	"context"
	"io"
	"net/netip"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/accounting"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/factor"
	"daybook/app/feed"
	"daybook/app/gate"
	"daybook/app/guest"
	"daybook/app/invitation"
	"daybook/app/mail"
	"daybook/app/movein"
	"daybook/app/oauth"
	"daybook/app/own"
	"daybook/app/pass"
	"daybook/app/payment"
	"daybook/app/picture"
	"daybook/app/privacy"
	"daybook/app/push"
	"daybook/app/report"
	"daybook/app/setup"
	"daybook/app/shop"
	"daybook/app/text"
	"daybook/app/upkeep"
	"daybook/app/upkeep/health"
	"daybook/app/waitlist"
	"daybook/app/webhook"
)

// Set is the core and every subject.
type Set struct {
	*app.Service
	Account    *account.Service
	Audit      *audit.Service
	Webhook    *webhook.Service
	Mail       *mail.Service
	Payment    *payment.Service
	Pictures   *picture.Service
	Push       *push.Service
	Text       *text.Service // to telephones
	SetupFile  *setup.Service
	Report     *report.Service
	Feed       *feed.Service
	Gate       *gate.Service
	People     *contact.Service
	Shop       *shop.Service
	MoveIn     *movein.Service // appointments of other programs
	Pass       *pass.Service   // passes and vouchers
	Counter    *counter.Service
	Accounting *accounting.Service // what was taken, for an accountant
	Own        *own.Service        // customers' own pages
	Invitation *invitation.Service
	Waitlist   *waitlist.Service // who waits for a time that comes free
	Bulk       *bulk.Service
	Calendars  *calsync.Service
	Factor     *factor.Service // second factors of members
	OAuth      *oauth.Service  // access of agents' programs by a member's consent
	Guest      *guest.Service  // people's AI assistants
	Upkeep     *upkeep.Service
	Privacy    *privacy.Service
	Health     *health.Service
}

// Config is what a Set is made of.
type Config struct {
	app.Config
	Webhook   webhook.Config
	Mail      mail.ServerConfig
	Contact   contact.Config
	Push      push.Config
	MoveIn    movein.Config
	Text      text.Config
	Calendars calsync.Config
	Machine   health.Machine
	OAuth     oauth.Config
	// Assistants are the networks from which the assistants of many people call.
	Assistants []netip.Prefix
}

// New makes the core and every subject.
func New(c Config) *Set {
	s := &Set{Service: app.New(c.Config)}
	s.Mail = mail.NewService(s.Service, c.Mail)
	s.Account = account.New(s.Service, s.Mail.InviteMember)
	s.Audit = audit.New(s.Service)
	s.Webhook = webhook.NewService(s.Service, c.Webhook, s.Mail.EndpointDisabled)
	s.Payment = payment.NewService(s.Service)
	s.Pictures = picture.New(s.Service)
	s.Push = push.NewService(s.Service, c.Push)
	s.Feed = feed.NewService(s.Service)
	s.Gate = gate.New(s.Service, c.Assistants)
	s.People = contact.New(s.Service, c.Contact, s.Webhook.ContactCreated)
	s.Shop = shop.New(s.Service, s.Account)
	s.MoveIn = movein.New(s.Service, s.People, s.Shop, c.MoveIn)
	s.Pass = pass.New(s.Service, s.Gate)
	s.Counter = counter.New(s.Service, s.Payment, s.Pass, s.Mail.PostReceipt, s.Mail.PostVoucher)
	s.SetReceipts(s.Counter.SettleEdited)
	s.SetPasses(s.Counter)
	s.Accounting = accounting.New(s.Service)
	s.Own = own.New(s.Service, s.Gate, s.Mail.PostOwn)
	s.Text = text.New(s.Service, s.Mail, s.Gate, c.Text)
	s.Invitation = invitation.New(s.Service, s.Mail)
	s.Waitlist = waitlist.New(s.Service, s.Gate, waitlist.Telling{Ask: s.Mail.PostWaits,
		Offer: s.Mail.PostOffer, Over: s.Mail.PostOfferOver, Opening: s.Mail.PostOpening, Mails: s.Mail.MailsGuests, Event: s.Webhook.WaitlistChanged,
		Met: s.Webhook.ContactCreated, Tick: func(tx app.Tx, e *waitlist.Entry) error {
			_, err := s.Text.Tick(tx, e.WorkspaceID, e.Contact, e.Invitee.Phone, e.Agreed)
			return err
		}})
	s.Bulk = bulk.New(s.Service, s.Shop)
	s.Calendars = calsync.NewService(s.Service, c.Calendars, s.calendarRefused)
	s.OAuth = oauth.New(s.Service, c.OAuth, s.Gate)
	s.Guest = guest.New(s.Service, s.Mail, s.Gate, func(tx app.Tx, b *booking.Booking, wording string) error {
		_, err := s.Text.Tick(tx, b.WorkspaceID, b.ContactID, b.Invitee.Phone, wording)
		return err
	})
	s.Factor = factor.New(s.Service, s.Account, s.Gate, s.Mail.FactorChanged)
	s.SetupFile = setup.New(s.Service, s.Calendars, s.Text)
	s.Upkeep = upkeep.New(s.Service)
	s.Health = health.New(s.Service, s.Upkeep, c.Machine, s.Mail, s.Webhook, s.Factor)
	s.Report = report.New(s.Service, append(s.exported(), s.ofCards()...)...)
	s.Privacy = privacy.New(s.Service, s.ofPeople()...)
	return s
}

// In returns the Set within a transaction, see app.Service.In.
func (s *Set) In(tx app.Tx) *Set {
	in := &Set{Service: s.Service.In(tx)}
	in.Account = s.Account.In(tx)
	in.Accounting = s.Accounting.In(tx)
	in.Audit = s.Audit.In(tx)
	in.Webhook = s.Webhook.In(tx)
	in.Mail = s.Mail.In(tx)
	in.Pass = s.Pass.In(tx)
	in.Payment = s.Payment.In(tx)
	in.Pictures = s.Pictures.In(tx)
	in.Push = s.Push.In(tx)
	in.Text = s.Text.In(tx)
	in.SetupFile = s.SetupFile.In(tx)
	in.Report = s.Report.In(tx)
	in.Feed = s.Feed.In(tx)
	in.Gate = s.Gate.In(tx)
	in.People = s.People.In(tx)
	in.Shop = s.Shop.In(tx)
	in.MoveIn = s.MoveIn.In(tx)
	in.Counter = s.Counter.In(tx)
	in.Own = s.Own.In(tx)
	in.Invitation = s.Invitation.In(tx)
	in.Waitlist = s.Waitlist.In(tx)
	in.Bulk = s.Bulk.In(tx)
	in.Calendars = s.Calendars.In(tx)
	in.Factor = s.Factor.In(tx)
	in.OAuth = s.OAuth.In(tx)
	in.Guest = s.Guest.In(tx)
	in.Upkeep = s.Upkeep.In(tx)
	in.Privacy = s.Privacy.In(tx)
	in.Health = s.Health.In(tx)
	return in
}

// calendarRefused tells a connection's host, and programs, that its sign-in is refused. It reports whether anybody is
// told.
func (s *Set) calendarRefused(tx app.Tx, c *calsync.Connection) (bool, error) {
	told := mail.CalendarAlert{Connection: c.ID.String(), Name: c.Name, Account: c.User}
	for _, k := range c.Calendars {
		told.Blocks, told.Writes = told.Blocks || k.Blocks, told.Writes || k.Target
	}
	setup, err := s.Setup(c.WorkspaceID)
	if err != nil {
		return false, err
	}
	if r := setup.Resource(c.Resource); r != nil {
		told.Resource, told.Refuses = r.Name, r.WhenCalendarUnknown == catalog.RefuseUnknown
		sent, err := s.Webhook.ResourceCalendarFailed(tx, c.WorkspaceID, &webhook.ResourceCalendarEventData{ID: told.Connection,
			Name: c.Name, Resource: catalog.ResourceRef{ID: r.ID, Name: r.Name}})
		if err != nil {
			return false, err
		}
		mailed, err := s.Mail.CalendarRefused(tx, c.WorkspaceID, 0, told)
		return sent || mailed, err
	}
	failed := webhook.CalendarEventData{ID: told.Connection, Name: c.Name, Host: catalog.HostRef{ID: c.Host}}
	if h := setup.Host(c.Host); h != nil {
		failed.Host.Name = h.Name
	}
	sent, err := s.Webhook.CalendarFailed(tx, c.WorkspaceID, &failed)
	if err != nil {
		return false, err
	}
	mailed, err := s.Mail.CalendarRefused(tx, c.WorkspaceID, c.Host, told)
	return sent || mailed, err
}

// exported returns what the subjects add to an export of everything.
func (s *Set) exported() []report.Part {
	return []report.Part{
		{Name: "setup.yaml", Write: func(ctx context.Context, a app.Actor, to io.Writer) error {
			doc, err := s.SetupFile.Document(ctx, a)
			if err != nil {
				return err
			}
			text, err := doc.YAML()
			if err != nil {
				return err
			}
			_, err = to.Write(text)
			return err
		}},
		{Name: "contacts.csv", Write: s.People.WriteContacts},
		{Name: "members.jsonl", Write: func(ctx context.Context, a app.Actor, to io.Writer) error {
			rows, err := s.Account.Members(ctx, a)
			return report.Lines(to, rows, err)
		}},
		{Name: "keys.jsonl", Write: func(ctx context.Context, a app.Actor, to io.Writer) error {
			rows, err := s.Account.Keys(ctx, a)
			return report.Lines(to, rows, err)
		}},
		{Name: "webhooks.jsonl", Write: func(ctx context.Context, a app.Actor, to io.Writer) error {
			rows, err := s.Webhook.Endpoints(ctx, a)
			return report.Lines(to, rows, err)
		}},
		{Name: "receipts.jsonl", Write: s.Counter.ExportReceipts},
		{Name: "ledger.jsonl", Write: s.Counter.ExportLedger},
		{Name: "passes.jsonl", Write: s.Pass.ExportPasses},
		{Name: "day-closes.jsonl", Write: s.Counter.ExportDayCloses},
		{Name: "invitations.jsonl", Write: s.Invitation.ExportInvitations},
		{Name: "audit.jsonl", Write: s.Audit.WriteAuditLog},
		{Name: "pictures.jsonl", Write: s.Pictures.ExportPictures},
		{Name: "pictures/", Files: s.Pictures.ExportFiles},
	}
}
