package dash

// The page Health of the settings.
const (
	HealthPath     = SettingsPath + "/health"
	HealthKeysPath = HealthPath + "/keys" // confirms that the keys are kept elsewhere
)

// HealthPage is how the server is.
type HealthPage struct {
	SettingsFrame
	Keeps      bool         // for somebody who looks after the server
	Wrong      []HealthLine // what to do something about, what has failed first; none is well
	Failed     bool         // something of it has
	All        []HealthLine
	Copies     []HealthCopy
	Verified   string // the last test restore that went well
	KeysNeeded bool
	Confirmed  string // when the keys were confirmed to be kept elsewhere; "" for not yet
}

// HealthLine is what one check found.
type HealthLine struct {
	Title, Text, Do string
	State           Badge
}

// HealthCopy is a copy of the database at another place.
type HealthCopy struct{ Name, Synced, Problem string }
