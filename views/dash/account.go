package dash

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
}
