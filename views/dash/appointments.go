package dash

// AppointmentsImportPath imports the appointments of another program.
const AppointmentsImportPath = ContactsPath + "/import/appointments"

// AppointmentsPage imports the appointments of another program.
type AppointmentsPage struct {
	Frame
	Problem string
	Most    string // how big a file may be
	Found   *AppointmentsFound
	Recent  []ImportedRow // imports of the last day
	Diary   *AppointmentsDiary
}

// AppointmentsDiary is an iCalendar file, of one service with one person: what asks for them, or their ids.
type AppointmentsDiary struct {
	Draft         string
	Groups        []Group
	Service, Host string
	Since         string // when it was read first, in seconds since 1970
}

// AppointmentsFound is what a file of appointments says and what becomes of it. Of ImportFound it has no changes and no
// rows.
type AppointmentsFound struct {
	ImportFound
	Order    *AppointmentsName // of the dates; nil where it doesn't matter
	Services []AppointmentsName
	People   []AppointmentsName
	Overlaps []AppointmentsOverlap
	Classes  []AppointmentsTick // services to which several come at once
	Seatless []string           // the same of services that are here, with too few seats
	Ended    []AppointmentsTick // lines that are cancelled there, of bookings that are here
	Hosts    []Option
	First    []AppointmentsRow
	Diary    *AppointmentsDiary
	Remind   string // the label with the number; "" where there is nothing to remind of
	Ticked   map[string]bool
}

// AppointmentsName is a name of the file that is unknown, and a select of what it becomes.
type AppointmentsName struct {
	Name, Text, Is string // Name is of the select
	Lines          string
	Options        []Option
	Email          *AppointmentsEmail // of somebody new, whom the name can become
}

// AppointmentsEmail is the field of an e-mail: what it is called and holds, and what is wrong with that.
type AppointmentsEmail struct{ Name, Value, Problem string }

// AppointmentsTick is something to tick: what its field is called and holds, and whether it is ticked.
type AppointmentsTick struct {
	Name, Value, Text string
	On                bool
}

// AppointmentsOverlap is a line whose time is taken.
type AppointmentsOverlap struct {
	Line, Text string
	Host, At   string // as they are chosen now; At is for an input of a date and a time
	Out        bool
}

// AppointmentsRow is a line as it would be saved.
type AppointmentsRow struct{ When, Name, Text string }
