package app

import (
	"daybook/app/id"
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
