package dash

// Snippet is text to copy, and what it is for.
type Snippet struct{ Title, Text, Code string }

// KeyRow is an API key in the list.
type KeyRow struct {
	ID, Name, Hint, Scope, Limit string
	Areas                        []string
	Used, Made                   string
	State                        Badge
	Revoked                      bool
	Rotate, Revoke               Danger
}

// EndpointRow is a webhook endpoint in the list.
type EndpointRow struct {
	URL, Address, Kinds string
	State               Badge
	Latest              string
}

// DevelopersPage is for those who connect other programs.
type DevelopersPage struct {
	Frame
	Tabs        []Tab // of the integrations
	Views       []Tab // of the developers' pages
	Keys        []KeyRow
	NewKeyURL   string
	Grants      []GrantRow // beside the keys
	AgentKeyURL string     // where a key for an agent is made
	Endpoints   []EndpointRow
	NewHook     string
	Snippets    []Snippet
	Intro       string
}

// SecretPage shows a secret, once.
type SecretPage struct {
	Frame
	BackURL, BackLabel string
	Text, Label, Value string
	Snippets           []Snippet
}

// EndpointPage is one webhook endpoint with its log.
type EndpointPage struct {
	Frame
	State   Badge
	Facts   []Fact
	Note    string
	TestURL string
	Switch  string
	SwitchL string
	Actions []Danger
	Tabs    []Tab
	Log     []DeliveryRow
	Pager   Pager
}

// DeliveryRow is an entry of the log.
type DeliveryRow struct {
	URL, Kind, When, Result string
	State                   Badge
}

// DeliveryPage is an entry of the log with what was sent and answered.
type DeliveryPage struct {
	Frame
	BackURL  string
	State    Badge
	Facts    []Fact
	Request  string
	Response string
	AgainURL string
}
