package app

// Permit is a row of the table of rights, for the documents.
type Permit struct {
	Command string // in words
	May     []bool // by Callers
	Area    string // that opens it to API keys which have it; "" is none
	Right   string // that a restricted key must list; "" is none
}

// Callers lists the kinds of callers, in the order of Permit.May.
var Callers = []string{"owner", "manager", "staff", "full key", "read-only key", "invitee", "approver", "system", "operator"}

// Permits returns the table of rights, in the order of the commands.
func Permits() []Permit {
	kinds := []who{anOwner, aManager, aStaff, aFullKey, aReadKey, anInvitee, anApprover, theSystem, theOperator}
	all := make([]Permit, 0, len(permits))
	for _, p := range permits {
		row := Permit{Command: p.name, Area: p.area.String(), Right: p.right.String()}
		for _, kind := range kinds {
			row.May = append(row.May, p.may&kind != 0)
		}
		all = append(all, row)
	}
	return all
}
