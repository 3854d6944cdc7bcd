package dash

import "daybook/assets"

// SessionRow is a browser that is signed in.
type SessionRow struct {
	Browser, Seen string
	Current       bool
}

// AccountPage is a member's own.
type AccountPage struct {
	Frame
	Problem  string
	Groups   []Group
	Language Input
	Sessions []SessionRow
	Push     PushCard
	Grants   []GrantRow
}

// PushCard are the devices on which the member hears of bookings.
type PushCard struct {
	Kinds   []PushKind // as a new device begins
	Devices []PushDevice
}

// PushKind is something that a device can tell.
type PushKind struct {
	Name, Label string
	On          bool
}

// PushDevice is a browser that gets notifications.
type PushDevice struct {
	ID       string
	Browser  string
	Endpoint string // the last characters of its address, by which a browser knows itself
	Same     bool   // of this sign-in
	Kinds    []PushKind
	Names    bool
	Problem  string
}

func (d PushDevice) path() string { return PushPath + "/" + d.ID }

func (v AccountPage) script() string { return assets.Path("push.js") }
