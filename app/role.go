package app

import (
	"slices"

	"daybook/app/fault"
)

// Needs is the forbidden error of a member whose role is below least, or nil. Who comes through another door than the
// dashboard has no role, and is held to that door's rules.
func (a Actor) Needs(least Role) error {
	if err := a.MayManage(); err != nil {
		return err
	}
	if a.Role == "" && a.User == 0 || a.Role.AtLeast(least) {
		return nil
	}
	return &fault.Error{Code: fault.Forbidden, Reason: "role", Message: "Your role does not allow this. Ask an owner of the workspace."}
}

// AtLeast reports whether the role may do all that least may.
func (r Role) AtLeast(least Role) bool {
	i := slices.Index(Roles, r)
	return i >= 0 && i <= slices.Index(Roles, least)
}

// Own reports whether the actor sees one host's calendar only: Actor.Host, which is zero for none at all.
func (a Actor) Own() bool { return a.Role == StaffRole }

// Sees reports whether the actor may see what belongs to the host.
func (a Actor) Sees(h HostID) bool { return !a.Own() || a.Host == h && h != 0 }

// MayManage is the forbidden error of who may not change what belongs to the business, or nil.
func (a Actor) MayManage() error {
	if !a.Business() {
		return &fault.Error{Code: fault.Forbidden, Message: "An invitee's link is for one booking only."}
	}
	return a.MayWrite()
}
