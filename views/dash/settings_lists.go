package dash

// SettingsListsPage is a tab of the settings with lists, below a form where there is one.
type SettingsListsPage struct {
	SettingsPage
	Submit string         // "" is Save
	First  []SettingsList // above the form
	Lists  []SettingsList
}

// Presets is a choice that fills in the form below it.
type Presets struct {
	Action, Name  string
	Label, Submit string
	Options       []Option // none shows nothing
	Value         string
}

// SettingsList is a list beside a form: members, mails, feeds.
type SettingsList struct {
	Title, Text string
	Icon        string
	EmptyTitle  string // with Empty, what a list without rows says
	Empty       string
	Tabs        []Tab
	Rows        []SettingsRow
	Facts       []Fact
	Pager       Pager
}

// SettingsRow is one of them.
type SettingsRow struct {
	Title, Text, Small string
	State              Badge
	Copy, CopyLabel    string // to copy; the label "" is the title
	Post, PostLabel    string
	URL, URLLabel      string // the label "" is Look
	Actions            []Danger
}
