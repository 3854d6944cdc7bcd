package app

import (
	"daybook/app/catalog"
)

// Own reports whether the actor sees one host's calendar only: Actor.Host, which is zero for none at all.
func (a Actor) Own() bool { return a.Role == StaffRole }

// Sees reports whether the actor may see what belongs to the host.
func (a Actor) Sees(h catalog.HostID) bool { return !a.Own() || a.Host == h && h != 0 }
