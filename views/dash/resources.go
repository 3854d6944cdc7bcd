package dash

// ResourceRow is a room or a thing in the list.
type ResourceRow struct {
	Name, Text string
	Needed     string // by which services; "" by none
	URL        string // "" for those who may not change it
	SwitchURL  string // likewise
	Off        bool
}

// ResourceKind is the resources of one kind.
type ResourceKind struct {
	Title string
	Rows  []ResourceRow
}

// ResourcesPage lists the rooms, chairs and equipment.
type ResourcesPage struct {
	Frame
	Kinds  []ResourceKind
	NewURL string // "" for those who make none
}

// ResourcePage is the form of a room or a thing, or of new ones.
type ResourcePage struct {
	HostFrame
	Action, Submit string
	Groups         []Group
	Hours          []HoursDay
	Week           Group // what is wrong with Hours
	Problem        string
	New            bool
	Calendars      []ConnectionRow // by which it is busy
	ConnectURL     string          // "" where none is connected here
}
