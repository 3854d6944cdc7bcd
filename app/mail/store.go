package mail

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/app/work"
)

// Reads finds mails, and the servers they go through.
type Reads interface {
	Mail(id MailID) (Mail, error)
	// Mails lists mails, the newest first, beginning after f.After.
	Mails(ws catalog.WorkspaceID, f Filter) ([]Mail, error)
	// StuckMails lists waiting mails of the workspace, or for 0 of all, that no server is sending: those due by then,
	// and those that were tried and are due before horizon. The first due comes first.
	StuckMails(ws catalog.WorkspaceID, due, horizon when.Instant, limit int) ([]Mail, error)
	// TypedSince counts the mails with receipts to addresses that were typed in, beginning with an id, and at most to
	// most.
	TypedSince(ws catalog.WorkspaceID, from MailID, most int) (int, error)
	// InvitedSince counts the mails with invitations to sign in, beginning with an id, and at most to most.
	InvitedSince(ws catalog.WorkspaceID, from MailID, most int) (int, error)
	// InvitationLinkOpen reports whether the invitation link can be used.
	InvitationLinkOpen(ws catalog.WorkspaceID, id booking.InvitationID, now when.Instant) (bool, error)
	// OwnLink returns whose own page a link with that hash opens, and until when. Errors: ErrNotFound.
	OwnLink(ws catalog.WorkspaceID, hash []byte) (booking.ContactID, when.Instant, error)
	// WaitEntry returns an entry of the waitlist. Errors: ErrNotFound.
	WaitEntry(ws catalog.WorkspaceID, id booking.WaitID) (waitlist.Entry, error)
	// Invitation returns whom an invitation with that hash lets choose a password, and until when. Errors: ErrNotFound.
	Invitation(hash []byte) (app.UserID, when.Instant, error)
	// User returns a member. Errors: ErrNotFound.
	User(id app.UserID) (app.User, error)
	// BookingsByID returns bookings of any workspace; ids that don't exist are left out.
	BookingsByID(ids []booking.BookingID) (map[booking.BookingID]*booking.Booking, error)
	// InviteeEmails returns the e-mail addresses with which bookings were made; ids that don't exist are left out.
	InviteeEmails(ids []booking.BookingID) (map[booking.BookingID]string, error)
	// RefusedMails lists the subscriptions that their recipients have ended, among those given, in any order and maybe
	// repeatedly.
	RefusedMails(of []Subscription) ([]Subscription, error)
	// MailServer returns the workspace's own mail server, sealed. Errors: ErrNotFound.
	MailServer(ws catalog.WorkspaceID) (string, error)
	// MailCheck returns what is to be checked of that server. Errors: ErrNotFound.
	MailCheck(ws catalog.WorkspaceID) (Check, error)
	// HasDueMails reports whether any mail is due of workspaces in those buckets that have no mail server of their own.
	HasDueMails(of work.Buckets, now when.Instant) (bool, error)
	// DueMailServers lists the workspaces in those buckets with a mail server of their own that have due mails.
	DueMailServers(of work.Buckets, now when.Instant) ([]catalog.WorkspaceID, error)
}

// Subscription is to the mails of a topic. The EmailKey is the recipient's, see fault.EmailKey.
type Subscription struct {
	Workspace catalog.WorkspaceID
	EmailKey  string
	Topic     catalog.MailTopic
}

// Filter says which mails to list. Zero fields do not filter.
type Filter struct {
	State   State
	Booking booking.BookingID
	Series  booking.SeriesID // of the bookings
	After   MailID
	Limit   int
}

// Writes writes mails and the results of sending them.
type Writes interface {
	InsertMails(all ...Mail) error
	// DropReminders drops the booking's waiting reminders that are not under way.
	DropReminders(id booking.BookingID, why string, now when.Instant) error
	// ClaimMails takes at most limit due mails for a server until lease: nobody else gets them before. They are the
	// workspace's, or for 0 those of all workspaces in the share's buckets that have no mail server of their own.
	ClaimMails(by work.Share, ws catalog.WorkspaceID, now, lease when.Instant, limit int) ([]Mail, error)
	// ClaimMail takes one mail, waiting or not, that is not under way; it reports false when there is none.
	ClaimMail(server int64, id MailID, now, lease when.Instant) (Mail, bool, error)
	// SettleMail saves the outcome of a claim; it reports false when the claim's lease was lost to another.
	SettleMail(o *Outcome, now when.Instant) (bool, error)
	// RequeueMail makes a mail due, as a message of its own; false: it is being sent, or was sent since m was read.
	RequeueMail(m *Mail, now, until when.Instant) (bool, error)
	// ExpireMails gives up at most limit due mails whose time is over, and says how many.
	ExpireMails(now when.Instant, why string, limit int) (int, error)
	// PruneMails deletes at most limit settled mails older than before, and says how many.
	PruneMails(before MailID, limit int) (int, error)
	RefuseMail(ws catalog.WorkspaceID, email string, topic catalog.MailTopic, at when.Instant) error
	// SetMailServer saves the workspace's own mail server, sealed; "" deletes it.
	SetMailServer(ws catalog.WorkspaceID, url string, at when.Instant) error
	// SetMailCheck saves what is to be checked of it; nil is nothing.
	SetMailCheck(ws catalog.WorkspaceID, c *Check) error
}

// Outcome is the result of one claim.
type Outcome struct {
	ID       MailID
	Lease    when.Instant // of the claim
	State    State
	Next     when.Instant // waiting: when to try again
	Answer   string
	Released bool   // there was no attempt: only Next counts
	Told     *Facts // see Subject

	asked *question // that was put, if it was sent
	gave  *gaveCode // away, likewise
}
