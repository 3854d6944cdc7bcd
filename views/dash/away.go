package dash

// AwayRow is a time off.
type AwayRow struct {
	Span, Reason string
	Repeat       string // when it comes again; "" where it does not
	Start, End   string // as the form that removes it names them, with the Tag
	Tag          string
	Over         bool
	Hit          int // bookings in it
	HitURL       string
}

// AwayPage is a host's time off, or everybody's, and the public holidays.
type AwayPage struct {
	HostFrame
	Everybody         bool
	Thing             bool // a resource's, for which there are no holidays
	Rows              []AwayRow
	Past              []AwayRow
	Action, RemoveURL string
	Groups            []Group
	Again             []Group // of what comes again
	AgainOpen         bool
	Problem           string

	HolidaysURL     string
	HolidaysOn      bool // somebody's public holidays are days off
	WorksOnHolidays bool
	Country         Input
	Holidays        []ChangedDay // of the next year
	HolidaysHit     int          // bookings on them
	HolidaysHitURL  string
	EverybodyURL    string
}
