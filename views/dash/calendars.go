package dash

// CalendarsPath lists the connections to hosts' other calendars.
const (
	CalendarsPath        = IntegrationsPath + "/calendars"
	NewCalendarsPath     = CalendarsPath + "/new"
	CalendarsUnknownPath = CalendarsPath + "/unknown"
)

// CalendarsConnectionPath returns a connection.
func CalendarsConnectionPath(id string) string { return CalendarsPath + "/" + id }

// CalendarsReadPath reads it now.
func CalendarsReadPath(id string) string { return CalendarsConnectionPath(id) + "/read" }

// CalendarsEndPath asks whether to disconnect it, and does.
func CalendarsEndPath(id string) string { return CalendarsConnectionPath(id) + "/disconnect" }

// CalendarsClientPath returns the business's own client at a provider; below it, /remove forgets it.
func CalendarsClientPath(kind string) string { return CalendarsPath + "/" + kind + "/client" }

// CalendarsLeavePath leaves a booking as it is, whatever somebody did to it in the calendar.
func CalendarsLeavePath(booking string) string { return CalendarsConnectionPath(booking) + "/leave" }

// CalendarsPage lists connections by host.
type CalendarsPage struct {
	SettingsFrame
	Hosts    []ConnectedHost
	News     CalendarNews
	Left     string       // what could not be removed; "" is nothing
	Clients  SettingsList // at Google and Microsoft; without rows for those who may not change them
	FeedsURL string       // the addresses of the bookings' own calendars; "" for those who may not see them
}

// ConnectedHost is a host with connections.
type ConnectedHost struct {
	ID, Name    string
	NewURL      string
	Connections []ConnectionRow
	Unknown     Input // what is done while a calendar can't be read; without a name it is not asked
}

// ConnectionRow is a connection in the list.
type ConnectionRow struct {
	Name, Text, Age, Problem string
	State                    Badge
	URL, ReadURL             string
}

// ConnectPage says where a calendar may be, and leads to the form for each place.
type ConnectPage struct {
	SettingsFrame
	Host   string
	Places []ConnectPlace
}

// ConnectPlace is a place where a calendar may be.
type ConnectPlace struct{ Name, Text, URL string }

// ConnectionPage is a connection with its calendars.
type ConnectionPage struct {
	SettingsFrame
	Name      string
	State     Badge
	Problem   string
	Facts     []Fact
	Calendars []SettingsRow
	Action    string
	Groups    []Group
	Wrong     string // why the choice was refused
	ReadURL   string
	EndURL    string
}

// CalendarNews is what somebody should know about hosts' other calendars.
type CalendarNews struct {
	Trouble []Trouble
	Clashes []BookingRow // bookings that meet a busy time
	More    int          // of them
	Wishes  []CalendarWish
}

// Any reports whether there is anything to know.
func (n CalendarNews) Any() bool { return len(n.Trouble)+len(n.Clashes)+len(n.Wishes) > 0 }

// CalendarWish is a booking that somebody moved or deleted in a calendar.
type CalendarWish struct {
	Text, Now         string // what was done; when the booking is
	Name              string
	DoURL, DoLabel    string // follows it: leads to a form
	LeaveURL, BackURL string
}
