package dash

// SettingsFrame is what the pages of the settings share.
type SettingsFrame struct {
	Frame
	Heading string // of all of them
	Tabs    []Tab
	Split   []TabGroup // in place of Tabs
}

// TabGroup is some tabs under a heading.
type TabGroup struct {
	Title string
	Tabs  []Tab
}

// SettingsPage is a form of the settings.
type SettingsPage struct {
	SettingsFrame
	Action  string
	Version string // of what the form showed; "" where nobody asks for it
	Groups  []Group
	Problem string
}

// BrandPage is the brand with its preview.
type BrandPage struct {
	SettingsPage
	PageURL  string
	FrameURL string // shows the page with what is typed; "" shows none
	Picture  PictureCard
	Photos   PhotosCard
}

// MemberRow is a member and the forms that change them.
type MemberRow struct {
	ID, Email, Role, Host string
	Waiting               bool // for the invitation to be taken
	You                   bool
	Inputs                []Input
}

// MembersPage lists who may sign in.
type MembersPage struct {
	SettingsFrame
	Rows    []MemberRow
	Link    string // shown once
	LinkFor string
	Factor  Input // whose role needs a second one
	Groups  []Group
	Problem string
}

// DataPage is what leaves with the owner, and the end.
type DataPage struct {
	SettingsFrame
	Slug    string
	Health  Input // whether an export has customers' health, signatures and files
	Delete  Danger
	Open    bool
	Problem string
}

func inviteLabel(m MemberRow) string {
	if m.Waiting {
		return "dash_invite_new"
	}
	return "dash_invite_new_password"
}
