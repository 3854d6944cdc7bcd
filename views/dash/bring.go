package dash

// BringPath moves a business in from another program; the paths below take over what was read, and stop or forget it.
const (
	BringPath     = TodayPath + "/move-in"
	BringTakePath = BringPath + "/take"
	BringEndPath  = BringPath + "/end"
)

// BringPage moves a business in from another program.
type BringPage struct {
	SettingsFrame
	Problem string
	Places  []ConnectPlace // to choose from
	Run     *BringRun      // in their place
}

// BringRun is a business that moves in: how far that has come, or what was found or done.
type BringRun struct {
	ID          string
	Title, Text string
	Problem     string // why it failed
	Runs        bool
	Stops       bool // it can be stopped
	Part        string
	Done, All   int
	Submit      string // of the button that takes it over; "" where there is nothing to take over
	Counts      []string
	Left        []BringLeft
	More        int // of what is left out, beyond Left
	Webhooks    []BringWebhook
	MoreHooks   int
	UndoURL     string
	Notes       []string
	Good        bool // it was taken over
}

// BringLeft is something that is left out, or not as it was there, and why.
type BringLeft struct {
	Kind, Name string
	Why        []string
}

// BringWebhook is an address that the other program calls.
type BringWebhook struct{ URL, Text string }
