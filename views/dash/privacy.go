package dash

// PrivacyPage is when customers are forgotten.
type PrivacyPage struct {
	SettingsFrame
	State      string // whether they are
	Last, Next string // nights; "" for none
	On         bool
	Groups     []Group
	Problem    string
	Preview    *Forecast // of what is typed; nil for none
	Copies     string    // how long copies of the database keep a name
}

// Forecast says what a rule would do.
type Forecast struct {
	Title string
	Lines []string
}

// When customers are forgotten.
const (
	PrivacyPath    = SettingsPath + "/privacy"
	PrivacyOffPath = PrivacyPath + "/off"
)

// ContactFilePath returns the file with everything about a person.
func ContactFilePath(id string) string { return ContactPath(id) + "/file" }

func privacySubmit(on bool) string {
	if on {
		return "dash_save_changes"
	}
	return "privacy_switch_on"
}
