package dash

// EmbedPage makes what an owner pastes into a website.
type EmbedPage struct {
	SettingsFrame
	Kind     string // see views.EmbedInline
	Kinds    []Option
	Inputs   []Input
	Code     string
	Link     string // to the booking page
	FrameURL string // shows a website with Code in it
}
