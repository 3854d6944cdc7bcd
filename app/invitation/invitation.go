// Package invitation holds the rules of invitation links: a link opens the page of one service, also of a hidden one,
// for so many bookings, and may fix the host and who books. The core asks it within the transaction that books or
// cancels (app.Links), so that a link is never used more often than it allows.
//
// Only the SHA-256 of a token is stored. The token of a link that goes to a recipient is a MAC under the workspace's
// link key, so that the mail can be written when it is sent: neither the queue nor the log of mails holds it.
package invitation

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// Invitation is a link by which one service can be booked.
type Invitation struct {
	ID        booking.InvitationID `json:"id"`
	URL       string               `json:"url,omitempty"` // in the answer to who made it, and nowhere else
	EventType string               `json:"eventType"`     // its slug
	Host      *catalog.HostRef     `json:"host"`          // nil: whoever is free, or is picked
	ExpiresAt when.Instant         `json:"expiresAt"`     // 0: never
	Uses      int                  `json:"uses"`
	Used      int                  `json:"used"`
	Email     string               `json:"email"` // who alone may book; "" is anybody with the link
	CreatedAt when.Instant         `json:"createdAt"`
	RevokedAt when.Instant         `json:"revokedAt"` // 0 unless it was revoked

	WorkspaceID catalog.WorkspaceID `json:"-"`
	EventTypeID catalog.EventTypeID `json:"-"`
	HostID      catalog.HostID      `json:"-"`
	ForgetAt    when.Instant        `json:"-"` // when it is deleted; 0: not yet known
	Mail        int64               `json:"-"` // the id of the mail that it went out in; 0: none
}

// Fields describes the fields of invitations.
var Fields = field.Resource{
	Text: "A link by which one event type can be booked, a hidden one, too.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the invitation.", Example: "inv_1p4s8yvz04k2c"},
		{Name: "url", Text: "The link. It is shown once, in the answer that made it, and not at all where it is mailed.",
			Format: "uri"},
		{Name: "eventType", Text: "Slug of the event type that it opens.", Example: "haircut"},
		{Name: "host", Text: "The host who is booked by it; null for whoever is free.", Null: true},
		{Name: "expiresAt", Text: "When it stops working; null for never.", Null: true},
		{Name: "uses", Text: "How many bookings can be made by it."},
		{Name: "used", Text: "How many were made, less those that were cancelled or have lapsed."},
		{Name: "email", Text: "Who alone may book by it, and was mailed the link; empty for whoever has the link."},
		{Name: "createdAt", Text: "When it was made."},
		{Name: "revokedAt", Text: "When it was revoked; null while it is not.", Null: true},
	},
}

// Input describes a new invitation.
type Input struct {
	EventType string `json:"eventType"`
	Host      string `json:"host"`
	ExpiresAt string `json:"expiresAt"`
	Uses      *int   `json:"uses"` // nil is 1
	Email     string `json:"email"`
}

// MaxUses is the most bookings that one link can be used for.
const MaxUses = 10_000

// InputFields describes what an invitation is made of.
var InputFields = field.Resource{
	Text: "An invitation to be made.",
	Fields: []field.Field{
		{Name: "eventType", Text: "Slug or id of the event type that the link opens.", Example: "haircut", Least: 1,
			Most: booking.MaxRef, Required: true},
		{Name: "host", Most: booking.MaxRef, Pattern: "^hs_",
			Text: "Id of the host who is booked by it. Without it, whoever is free; for staff it is themselves."},
		{Name: "expiresAt", Text: "When it stops working: an ISO 8601 time with a zone. Without it, it never does.",
			Format: "date-time", Example: "2026-12-24T18:00:00Z"},
		{Name: "uses", Text: "How many bookings can be made by it; 1 unless it says otherwise.", Least: 1, Most: MaxUses},
		{Name: "email", Text: "Who alone may book by it. They are mailed the link, and the answer doesn't show it.",
			Format: "email", Most: fault.MaxEmail, Example: "bo@example.com"},
	},
}

// State says whether a link can be used.
type State string

// The states of a link, as a list shows them.
const (
	Open    State = "open"
	Used    State = "used" // as often as it may be
	Expired State = "expired"
	Revoked State = "revoked"
)

// State returns whether the link can be used at that time, or why not.
func (l *Invitation) State(now when.Instant) State {
	switch {
	case l.RevokedAt != 0:
		return Revoked
	case l.ExpiresAt != 0 && l.ExpiresAt <= now:
		return Expired
	case l.Used >= l.Uses:
		return Used
	}
	return Open
}

// refusal returns the error of a link that can't be used, or nil.
func (s State) refusal() *fault.Error {
	switch s {
	case Expired:
		return fault.Conflictf("invitation_expired",
			"This invitation link has expired. Ask the business for a new one.")
	case Used:
		return fault.Conflictf("invitation_used",
			"This invitation link has been used already. Ask the business for a new one.")
	case Revoked:
		return errInvalid()
	}
	return nil
}

func errInvalid() *fault.Error {
	return fault.New(fault.BadRequest, "invitation_invalid",
		"This invitation link is not valid for this event type. Ask the business for a new one.").At("invitation")
}

// unseen makes the error not_found: of an event type that the caller can't see otherwise.
func unseen(e *fault.Error) *fault.Error {
	hidden := e.Saying(e.Error())
	hidden.Code, hidden.Field = fault.NotFound, ""
	return hidden
}

// keptFor is how long a link stays in the list that can't be used any more.
const keptFor = 90 * when.Day

// newToken makes a token of 130 random bits.
func newToken() string { return strings.ToLower(rand.Text()) }

// hashOf returns what is stored of a token.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// MailedToken returns the token of an invitation that goes to a recipient.
func MailedToken(s *catalog.Setup, id booking.InvitationID) string {
	return catalog.Signed(s, catalog.InvitationPurpose, id)
}

// Path returns the path of a link's page.
const Path = "/_i/"
