package dashboard

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views/dash"
)

// visitor is a client that keeps its cookies and follows nothing.
type visitor struct {
	w         *world
	client    *http.Client
	languages string // Accept-Language, where a test sets it
}

func (w *world) browser() *visitor {
	jar, _ := cookiejar.New(nil)
	return &visitor{w: w, client: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// as is a browser in which the user of that address is signed in.
func (w *world) as(email, password string) *visitor {
	w.T.Helper()
	b := w.browser()
	if r := b.post("/login", "email", email, "password", password); r.status != http.StatusSeeOther {
		w.T.Fatalf("sign in %s: %d %s", email, r.status, r.body)
	}
	return b
}

func (w *world) asOwner() *visitor { w.T.Helper(); return w.as(w.salon.Email, w.salon.Password) }

type response struct {
	status   int
	location string
	body     string
	header   http.Header
}

func (b *visitor) do(r *http.Request) response {
	b.w.T.Helper()
	if b.languages != "" {
		r.Header.Set("Accept-Language", b.languages)
	}
	res, err := b.client.Do(r)
	b.w.Must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	b.w.Must(err)
	return response{res.StatusCode, res.Header.Get("Location"), string(body), res.Header}
}

func (b *visitor) get(path string) response {
	b.w.T.Helper()
	r, err := http.NewRequest("GET", b.w.server.URL+path, nil)
	b.w.Must(err)
	return b.do(r)
}

func (b *visitor) post(path string, form ...string) response {
	b.w.T.Helper()
	values := url.Values{}
	for i := 0; i+1 < len(form); i += 2 {
		values.Add(form[i], form[i+1])
	}
	r, err := http.NewRequest("POST", b.w.server.URL+path, bytes.NewReader([]byte(values.Encode())))
	b.w.Must(err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

// wants fails unless the answer has the status and every text; a text that begins with ! must be missing.
func (b *visitor) wants(r response, status int, texts ...string) {
	b.w.T.Helper()
	if r.status != status {
		b.w.T.Fatalf("status %d, want %d: %s %.600s", r.status, status, r.location, mainOf(r.body))
	}
	for _, text := range texts {
		if without, not := strings.CutPrefix(text, "!"); not && strings.Contains(r.body, without) {
			b.w.T.Errorf("has %q", without)
		} else if !not && !strings.Contains(r.body, text) {
			b.w.T.Errorf("lacks %q in %.1500s", text, mainOf(r.body))
		}
	}
}

func mainOf(body string) string {
	if _, rest, ok := strings.Cut(body, "<main"); ok {
		return rest
	}
	return body
}

func hostURL(h *catalog.Host) string { return dash.HostPath(h.ID.String()) }

func contactURL(id booking.ContactID) string { return dash.ContactPath(id.String()) }
