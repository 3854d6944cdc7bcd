package dash

import "net/url"

// ConsentPage asks whether a program may use the agent tools.
type ConsentPage struct {
	Frame
	Action   string   // the program's request, which the answer repeats
	Name     string   // as the program calls itself
	Document string   // the host of the document that describes it; ""
	Where    string   // where the answer goes: a host, or an app's scheme
	Here     string   // what kind of place that is
	Account  string   // who allows it
	Scopes   []Option // what can be allowed, each with all before it; the last is asked for
	Until    string
}

// GrantRow is what was allowed to a program.
type GrantRow struct {
	Name, Where, Who, Scope, Used, Until string
	End                                  Danger
}

// GrantEndPath ends what a program was allowed, and leads back to that page.
func GrantEndPath(id, at string) string {
	return TodayPath + "/connections/" + id + "/end?at=" + url.QueryEscape(at)
}
