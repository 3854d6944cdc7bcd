package app

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/when"
)

// The ids of callers, and the kinds that give each its prefix.
type (
	KeyID      = id.ID[KeyIDKind]
	UserID     = id.ID[UserIDKind]
	KeyIDKind  struct{ id.Few }
	UserIDKind struct{ id.Few }
)

func (KeyIDKind) Prefix() string  { return "key_" }
func (UserIDKind) Prefix() string { return "us_" }

// Role is what a member of a workspace may do in the dashboard.
type Role string

const (
	OwnerRole   Role = "owner"   // everything
	ManagerRole Role = "manager" // everything but members, payments and keys
	StaffRole   Role = "staff"   // their own calendar
)

// Roles are all roles, the most powerful first.
var Roles = []Role{OwnerRole, ManagerRole, StaffRole}

// User is a member of one workspace who signs in to its dashboard.
type User struct {
	ID           UserID              `json:"id"`
	WorkspaceID  catalog.WorkspaceID `json:"-"`
	Workspace    string              `json:"workspace"` // slug
	Email        string              `json:"email"`
	Role         Role                `json:"role"`
	HostID       catalog.HostID      `json:"hostId,omitzero"`  // the host that is this staff member
	Locale       string              `json:"locale,omitempty"` // of the dashboard and of mails; "" is the browser's choice
	CreatedAt    when.Instant        `json:"createdAt"`
	PasswordHash string              `json:"-"` // argon2id; "" until the invitation is accepted
}

// Actor returns the member as an actor of the dashboard.
func (u User) Actor() Actor {
	return Actor{Kind: booking.ByOwner, Workspace: u.WorkspaceID, User: u.ID, Role: u.Role, Host: u.HostID}
}
