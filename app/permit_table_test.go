package app

import (
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/right"
)

// actors are one of every kind.
var actors = map[string]Actor{
	"owner":                      {Kind: booking.ByOwner, User: 1, Role: OwnerRole},
	"manager":                    {Kind: booking.ByOwner, User: 2, Role: ManagerRole},
	"staff":                      {Kind: booking.ByOwner, User: 3, Role: StaffRole, Host: 1},
	"full key":                   {Kind: booking.ByAPI, Key: 1},
	"agent":                      {Kind: booking.ByAgent, Key: 1},
	"read-only key":              {Kind: booking.ByAPI, Key: 2, ReadOnly: true},
	"owner's agent":              {Kind: booking.ByAgent, User: 1, Role: OwnerRole},
	"staff's agent":              {Kind: booking.ByAgent, User: 3, Role: StaffRole, Host: 1},
	"manager's agent that reads": {Kind: booking.ByAgent, User: 2, Role: ManagerRole, ReadOnly: true},
	"agent without role":         {Kind: booking.ByAgent, User: 4},
	"invitee":                    {Kind: booking.ByInvitee, Booking: 1},
	"approver":                   {Kind: booking.ByOwner, Booking: 1},
	"system":                     {Kind: booking.BySystem},
	"operator":                   Operator(1),
	"nobody":                     {},
	"without role":               {Kind: booking.ByOwner, User: 4},
}

// TestPermits holds the table of rights against what it has to say of the commands that matter most.
func TestPermits(t *testing.T) {
	for c, may := range map[Command][]string{
		MayBook:            {"owner", "manager", "staff", "full key", "agent", "owner's agent", "staff's agent", "invitee", "operator"},
		MayDecide:          {"owner", "manager", "staff", "full key", "agent", "owner's agent", "staff's agent", "approver", "operator"},
		MayRefund:          {"owner", "manager", "full key", "agent", "owner's agent", "operator"},
		MayManageEndpoints: {"owner", "manager", "full key", "agent", "owner's agent", "operator"},
		MaySeeContacts:     {"owner", "manager", "full key", "read-only key", "agent", "owner's agent", "manager's agent that reads", "operator"},
		MaySeeCustomers: {"owner", "manager", "staff", "full key", "read-only key", "agent", "owner's agent", "staff's agent",
			"manager's agent that reads", "operator"},
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
				t.Errorf("%q by %s: %v, allowed should be %v", c, name, err, allowed[name])
			}
		}
	}
	for c := range permits {
		if permits[c].may == 0 || permits[c].name == "" {
			t.Errorf("command %d has no name, or nobody may do it", c)
		}
		for _, name := range []string{"nobody", "without role", "agent without role"} {
			if actors[name].May(Command(c)) == nil {
				t.Errorf("%s may do %q", name, Command(c))
			}
		}
	}
}

// The table that the documents show is what the actors of each kind may.
func TestPermitsAsShown(t *testing.T) {
	for c, row := range Permits() {
		for i, kind := range Callers {
			if may := actors[kind].May(Command(c)) == nil; row.May[i] != may {
				t.Errorf("%q by %s is shown as %v, it is %v", row.Command, kind, row.May[i], may)
			}
		}
	}
}

// TestAreas asks every command with every kind of caller that has one area each: it opens to full keys what the table says, of
// that to a member's agent what the member may, and nothing to anybody else.
func TestAreas(t *testing.T) {
	for name, a := range actors {
		for c := range permits {
			for i := range right.AreaNames {
				with := a
				with.Areas = 1 << i
				opens := permits[c].area&with.Areas != 0 && (name == "full key" || name == "agent" && permits[c].right != right.Unlisted)
				if member, is := strings.CutSuffix(name, "'s agent"); is { // what its member may, as far as they agreed
					opens = permits[c].area&with.Areas != 0 && permits[c].right != right.Unlisted && actors[member].May(Command(c)) == nil
				}
				before, err := a.May(Command(c)), with.May(Command(c))
				if got, want := err == nil, before == nil || opens; got != want {
					t.Errorf("%q by %s with %s: %v, allowed should be %v", Command(c), name, with.Areas, err, want)
				}
			}
		}
	}
	refused := fault.As(actors["full key"].May(MayManageMembers))
	if refused.Reason != "area" || !strings.Contains(refused.Error(), "members") {
		t.Errorf("a key without the area is told %v", refused)
	}
}

// TestRights asks every command with keys that list one right each: it opens what the table says, and whatever else a key
// may do needs one, but for the question whether it may change anything at all.
func TestRights(t *testing.T) {
	for _, name := range []string{"full key", "agent", "read-only key"} {
		for c := range permits {
			if permits[c].right == 0 && actors[name].May(Command(c)) == nil && c != int(MayChange) {
				t.Errorf("no right limits that a restricted key may %q", Command(c))
			}
			for i := range right.Names {
				a := actors[name]
				a.Limits = &right.Limits{Rights: 1 << i}
				want := actors[name].May(Command(c)) == nil && permits[c].right&^a.Limits.Rights == 0
				if err := a.May(Command(c)); (err == nil) != want {
					t.Errorf("%q by %s with %s: %v, allowed should be %v", Command(c), name, a.Limits.Rights, err, want)
				}
			}
		}
	}
}
