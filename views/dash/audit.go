package dash

// The page Log of the settings.
const (
	AuditPath       = SettingsPath + "/log"
	AuditExportPath = AuditPath + "/export"
)

// AuditPage is who changed what.
type AuditPage struct {
	SettingsFrame
	Filters   []Input
	Clear     string // where nothing is filtered; "" while nothing is
	ExportURL string
	Rows      []AuditRow
	Pager     Pager
}

// AuditRow is an entry in words.
type AuditRow struct {
	Text   string
	URL    string // of what it is about
	Detail string
	At     string // when, and by which door
}
