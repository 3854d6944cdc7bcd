package dash

// WaitlistPage lists who waits for a time that comes free.
type WaitlistPage struct {
	Frame
	BackURL, BackLabel string
	NewURL             string // "" for who may not add anybody
	List               SettingsList
}

// The waitlist.
const (
	WaitlistPath = TodayPath + "/waitlist"
	NewWaitPath  = WaitlistPath + "/new"
)

// WaitEndPath ends an entry.
func WaitEndPath(id string) string { return WaitlistPath + "/" + id + "/end" }
