package account

import (
	"daybook/app"
	"daybook/app/fault"
	"daybook/app/right"
)

// notAbove refuses that an API key gets at a key that may do more than it may itself. Members and the operator may make
// any. The error is forbidden.
func notAbove(r Reader, a app.Actor, k *Key) error {
	if a.Key == 0 {
		return nil
	}
	by, err := r.Key(a.Key)
	if err != nil {
		return err
	}
	switch {
	case !k.Areas.Within(by.Areas):
		return above("This key lacks the area %q, so it can't give it to another key. An owner can.", k.Areas&^by.Areas)
	case by.Scope != FullScope:
		return above("A read-only key makes no keys.")
	case by.Limits != nil:
		return above("A restricted key makes no keys.")
	case k.RateLimit > by.RateLimit:
		return above("This key has %d requests a minute, so it can't give another key more. An owner can.", by.RateLimit)
	}
	return nil
}

// notAboveMember refuses that an API key makes, changes, invites or removes members who may do more than it may itself:
// owners, and managers unless it has the areas that managers have. The error is forbidden.
func notAboveMember(a app.Actor, roles ...app.Role) error {
	if a.Key == 0 {
		return nil
	}
	for _, role := range roles {
		if lacks := (right.Settings | right.Contacts) &^ a.Areas; role == app.OwnerRole {
			return above("No API key makes or changes owners. Do it in the dashboard, as an owner.")
		} else if role == app.ManagerRole && lacks != 0 {
			return above("A manager may do more than this key, which lacks the area %q. An owner can do this in the dashboard.",
				lacks)
		}
	}
	return nil
}

func above(format string, args ...any) *fault.Error {
	return fault.New(fault.Forbidden, "above_itself", format, args...)
}
