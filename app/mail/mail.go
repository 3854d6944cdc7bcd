package mail

import (
	"time"

	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/own"
	"daybook/app/when"
	"daybook/views/finding"
)

// Role is the recipient's part in the booking.
type Role string

const (
	ToInvitee Role = "invitee"
	ToHost    Role = "host"
	ToOwner   Role = "owner"
)

// State is the state of a mail.
type State string

const (
	Waiting State = "waiting" // to be sent, or sent again, when it is due
	Sent    State = "sent"
	Failed  State = "failed"  // given up
	Dropped State = "dropped" // not sent: the booking had changed, or its time had passed
)

// States lists all states, in the order of their stored codes.
var States = []State{Waiting, Sent, Failed, Dropped}

// Mail is one message to one recipient, as the log shows it. Its text is written from its facts when it is sent.
type Mail struct {
	ID          MailID              `json:"id"`
	WorkspaceID catalog.WorkspaceID `json:"-"`
	BookingID   booking.BookingID   `json:"bookingId,omitzero"`
	Kind        catalog.MailKind    `json:"kind"`
	To          string              `json:"to"`
	State       State               `json:"state"`
	Attempts    int                 `json:"attempts"`
	Answer      string              `json:"answer"`    // what became of the last attempt
	DueAt       when.Instant        `json:"dueAt"`     // while it waits
	SettledAt   when.Instant        `json:"settledAt"` // when it was sent, given up or dropped
	CreatedAt   when.Instant        `json:"createdAt"`

	Facts   Facts        `json:"-"`
	Until   when.Instant `json:"-"` // when it is given up
	Tries   int          `json:"-"` // since it was last asked for
	Resends int          `json:"-"`
	Lease   when.Instant `json:"-"` // of a claim
}

// subscription returns what the recipient can end; without a Topic it is none.
func (m *Mail) subscription() Subscription {
	return Subscription{m.WorkspaceID, fault.EmailKey(m.To), m.Kind.Topic()}
}

// Facts holds what was true when the mail was queued.
type Facts struct {
	For       Role                `json:"for,omitempty"`
	Start     when.Instant        `json:"start,omitzero"`
	End       when.Instant        `json:"end,omitzero"`
	Previous  when.Instant        `json:"previous,omitzero"` // a move: the start before it
	Host      catalog.HostID      `json:"host,omitzero"`
	Status    booking.Status      `json:"status,omitempty"`
	By        booking.ActorKind   `json:"by,omitempty"`
	Reason    string              `json:"reason,omitempty"`
	Amount    *money.Money        `json:"amount,omitempty"`   // of a refund
	Sequence  int                 `json:"sequence,omitempty"` // of the booking's changes, from 0
	EventType catalog.EventTypeID `json:"eventType,omitzero"` // of a move, or beside held ones; 0 in old mails
	// The values before the change, if they were different.
	PreviousEnd       when.Instant        `json:"previousEnd,omitzero"`
	PreviousHost      catalog.HostID      `json:"previousHost,omitzero"`
	PreviousEventType catalog.EventTypeID `json:"previousEventType,omitzero"`
	Held              bool                `json:"held,omitempty"` // see settled and settledTeam

	Gone bool `json:"gone,omitempty"` // a move: the recipient does it no more
	// To the team, of what comes after the booking was made: who does it, its host first, and who did before a move.
	Doing []catalog.HostID `json:"doing,omitempty"`
	Did   []catalog.HostID `json:"did,omitempty"`
	Owner bool             `json:"owner,omitempty"` // the host who is told is an owner, too

	Lead int    `json:"lead,omitempty"` // a reminder: minutes before the start
	Asks bool   `json:"asks,omitempty"` // a reminder that somebody has sent to ask whether the invitee comes
	URL  string `json:"url,omitempty"`  // of a webhook endpoint

	Invitation booking.InvitationID `json:"invitation,omitzero"`
	Expires    when.Instant         `json:"expires,omitzero"`   // of the invitation link
	Calendar   *CalendarAlert       `json:"calendar,omitempty"` // one that can't be read
	Texts      *TextsAlert          `json:"texts,omitempty"`    // how much of the month is used
	Server     []finding.Finding    `json:"server,omitempty"`   // what is wrong with the server
	Factor     *FactorAlert         `json:"factor,omitempty"`   // what has changed of a member's sign-in
	Receipt    *counter.Receipt     `json:"receipt,omitempty"`
	Typed      bool                 `json:"typed,omitempty"`  // a receipt: somebody typed the address in
	Member     *account.Invitation  `json:"member,omitempty"` // the mail's recipient chooses a password by it
	Guest      *GuestAsk            `json:"guest,omitempty"`
	Own        *own.Link            `json:"own,omitempty"`
	Voucher    *VoucherNews         `json:"voucher,omitempty"` // that was bought online
	Waits      *WaitNews            `json:"waits,omitempty"`   // to who is on the waitlist
	Visit      *VisitNews           `json:"visit,omitempty"`   // an invitee's, about a visit
	Series     []SeriesPart         `json:"series,omitempty"`  // an invitee's, about several dates of a series, by their places
	Team       []TeamItem           `json:"team,omitempty"`    // the team's, about several bookings of a visit, by start
}

// reminderUntil returns when a reminder is too late to be useful: halfway between its due time and the start, so that
// two reminders of a booking never go out together.
func reminderUntil(start when.Instant, lead int) when.Instant {
	return start.Add(-time.Duration(lead) * time.Minute / 2)
}

// MailID identifies a mail.
type MailID = id.ID[MailIDKind]

// MailIDKind gives ids of mails their prefix.
type MailIDKind struct{ id.Many }

func (MailIDKind) Prefix() string { return "ml_" }
