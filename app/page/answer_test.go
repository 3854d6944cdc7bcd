package page_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"

	"daybook/app/apptest"
)

// answer is what came back.
type answer struct {
	*http.Response
	text string
}

func (w *world) send(method, path string, form url.Values, headers ...string) answer {
	w.T.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, path, body)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	return answer{rec.Result(), rec.Body.String()}
}

func (w *world) get(path string, headers ...string) answer {
	return w.send("GET", path, nil, headers...)
}

// bookingForm is the form that an honest browser sends.
func bookingForm(at, person string, more ...string) url.Values {
	form := url.Values{"start": {apptest.At(at)}, "name": {person}, "email": {person + "@mail.example"}, "notes": {""}, "timeZone": {"Europe/Berlin"}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// path is the address of a link that the answer leads to, or of a booking's manage page.
func path(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		panic(err)
	}
	return u.RequestURI()
}

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)

// hidden are the hidden inputs of the answer's form.
func (a answer) hidden() url.Values {
	v := url.Values{}
	for _, m := range hiddenInput.FindAllStringSubmatch(a.text, -1) {
		v.Set(m[1], html.UnescapeString(m[2]))
	}
	return v
}

// all are what the pattern's group matches in the answer.
func (a answer) all(pattern string) (found []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(a.text, -1) {
		found = append(found, html.UnescapeString(m[1]))
	}
	return found
}
