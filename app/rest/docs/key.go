package docs

import (
	"context"
	"net/http"
	"strings"

	"daybook/app/account"
	view "daybook/views/docs"
)

type keyOf struct{}

// WithKey returns the request for the first page with a new key in its commands, in place of r, for whom it was made.
// Its answer is kept nowhere.
func WithKey(r *http.Request, k account.NewKey) *http.Request {
	r = r.Clone(context.WithValue(r.Context(), keyOf{}, k))
	r.Method, r.URL.Path, r.URL.RawPath, r.URL.RawQuery = http.MethodGet, "/api"+Path, "", ""
	return r
}

// The first step is what lies between these.
const (
	firstStep  = "## 1. Get a key\n"
	secondStep = "## 2. "
	firstTitle = `<h2 id="1-get-a-key">1. Get a key</h2>`
)

// first is the first page, for somebody who may make keys, or who has just made one.
func (s *Site) first(r *http.Request, v *view.Page, text string) (private bool) {
	k, has := r.Context().Value(keyOf{}).(account.NewKey)
	switch {
	case has:
		v.HTML = render(withKey(text, &k, s.document.Servers[0].URL))
		return true
	case s.mayMakeKeys != nil && s.mayMakeKeys(r):
		before, after, _ := strings.Cut(v.HTML, firstTitle)
		v.HTML, v.NewKey, v.Rest = before+firstTitle, true, after
	}
	return false
}

// withKey returns the text of the first page with the key.
func withKey(text string, k *account.NewKey, base string) string {
	before, rest, _ := strings.Cut(text, firstStep)
	_, after, _ := strings.Cut(rest, secondStep)
	may := "It can read, book and change."
	if k.Scope != account.FullScope {
		may = "It can only read, which is enough for the steps 2 and 3; the steps 4 and 5 answer `403`."
	}
	return before + firstStep +
		"\nThis is your key, and it stands in the commands below. It ends in an hour, at **" +
		k.Limits.Until.Time().Format("15:04") + " UTC**. " + may +
		"\n\n```console\nexport DAYBOOK_KEY=" + k.Value + "\n```\n\n" +
		"It is shown here only: copy it now if you want it for the other pages, which take it from the shell's " +
		"`DAYBOOK_KEY`. It is called “docs” in your [list of keys](" + base + "/dashboard/developers), where you can " +
		"revoke it sooner.\n\n" + secondStep + strings.ReplaceAll(after, "$DAYBOOK_KEY", k.Value)
}
