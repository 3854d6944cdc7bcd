package app

import (
	"testing"

	"daybook/app/fault"
	"daybook/app/record"
)

// actors are one of every kind.
var actors = map[string]Actor{
	"owner":         {Kind: record.ByOwner, User: 1, Role: OwnerRole},
	"manager":       {Kind: record.ByOwner, User: 2, Role: ManagerRole},
	"staff":         {Kind: record.ByOwner, User: 3, Role: StaffRole, Host: 1},
	"full key":      {Kind: record.ByAPI, Key: 1},
	"agent":         {Kind: record.ByAgent, Key: 1},
	"read-only key": {Kind: record.ByAPI, Key: 2, ReadOnly: true},
	"invitee":       {Kind: record.ByInvitee, Booking: 1},
	"approver":      {Kind: record.ByOwner, Booking: 1},
	"system":        {Kind: record.BySystem},
	"operator":      Operator(1),
	"nobody":        {},
	"without role":  {Kind: record.ByOwner, User: 4},
}

// TestPermits holds the table of rights against what it has to say of the commands that matter most.
func TestPermits(t *testing.T) {
	for c, may := range map[Command][]string{
		MayBook:            {"owner", "manager", "staff", "full key", "agent", "invitee", "operator"},
		MayDecide:          {"owner", "manager", "staff", "full key", "agent", "approver", "operator"},
		MayRefund:          {"owner", "manager", "operator"},
		MayManageEndpoints: {"owner", "manager", "full key", "agent", "operator"},
		MayManageKeys:      {"owner", "operator"},
		MayManageMembers:   {"owner", "operator"},
		MayManagePayments:  {"owner", "operator"},
		MayDeleteWorkspace: {"owner", "operator"},
		MayOperate:         {"operator"},
	} {
		allowed := map[string]bool{}
		for _, name := range may {
			allowed[name] = true
		}
		for name, a := range actors {
			if err := a.May(c); (err == nil) != allowed[name] || err != nil && !fault.Is(err, fault.Forbidden) {
				t.Errorf("command %d by %s: %v, allowed should be %v", c, name, err, allowed[name])
			}
		}
	}
	for c := range permits {
		if permits[c] == 0 {
			t.Errorf("nobody may do command %d", c)
		}
		for _, name := range []string{"nobody", "without role"} {
			if actors[name].May(Command(c)) == nil {
				t.Errorf("%s may do command %d", name, c)
			}
		}
	}
}
