package caldav

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"daybook/app/calsync"
)

// said is an answer of a server that does what a test says.
type said struct {
	status int
	body   string
	header string // "Name: value"
}

// answers are what it says to a method and path; others are 404.
type answers map[string]func(r *http.Request) said

func always(status int, body string, header ...string) func(*http.Request) said {
	return func(*http.Request) said { return said{status, body, strings.Join(header, "\n")} }
}

func (a answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	say, there := a[r.Method+" "+r.URL.Path]
	if !there {
		http.NotFound(w, r)
		return
	}
	x := say(r)
	for line := range strings.Lines(x.header) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		w.Header()[http.CanonicalHeaderKey(name)] = []string{value}
	}
	w.WriteHeader(x.status)
	io.WriteString(w, x.body)
}

func (a answers) account(t testing.TB) calsync.Writer {
	t.Helper()
	return account(in(t, a.ServeHTTP)+"/", "ana", "right", http.DefaultClient)
}

// many is a multistatus of those responses.
func many(responses ...string) string {
	return xmlHead + `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">` + strings.Join(responses, "") + `</d:multistatus>`
}

func one(href, properties string) string {
	return `<d:response><d:href>` + href + `</d:href><d:propstat><d:prop>` + properties +
		`</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:quota/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`
}

func without(href string, status int) string {
	return fmt.Sprintf(`<d:response><d:href>%s</d:href><d:status>HTTP/1.1 %d No</d:status></d:response>`, href, status)
}

func token(text string) string { return `<d:sync-token>` + text + `</d:sync-token>` }

// object is an event with its ETag.
func object(n int, tag string) string {
	return one(fmt.Sprintf("/cal/%d.ics", n), `<d:getetag>`+tag+`</d:getetag><c:calendar-data>`+escaped(file(event(n)))+`</c:calendar-data>`)
}

const (
	syncs    = `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:supported-report-set><d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report></d:supported-report-set>`
	noSyncs  = `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>`
	tagged   = `<d:getetag>"1"</d:getetag>`
	homeProp = `<c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>`
)

// reports says what to answer to a REPORT by what it asks for.
func reports(sync, multiget func(r *http.Request, body string) said) func(*http.Request) said {
	return func(r *http.Request) said {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "sync-collection") {
			return sync(r, string(body))
		}
		return multiget(r, string(body))
	}
}

func changes(t *testing.T, w calsync.Source, cursor string) (calsync.Changes, error) {
	t.Helper()
	return w.Changes(t.Context(), askedOf(t, "/cal/", cursor))
}

func TestRedirectsCarryThePasswordNowhereElse(t *testing.T) {
	asked := 0
	other := in(t, func(w http.ResponseWriter, r *http.Request) { asked++ })
	for _, from := range []string{"/", "/.well-known/caldav"} {
		w := answers{"PROPFIND " + from: always(301, "", "Location: "+strings.Replace(other, "127.0.0.1", "localhost", 1)+"/dav/")}.account(t)
		if _, err := w.Calendars(t.Context()); !errors.Is(err, calsync.ErrNotFound) || asked > 0 {
			t.Errorf("%s: %v, and the other was asked %d times", from, err, asked)
		}
	}
	w := answers{"PUT /cal/daybook-bk_1.ics": always(307, "", "Location: "+other+"/x.ics")}.account(t) // another port
	if _, _, err := w.Put(t.Context(), "/cal/", "", "", entry(t, 9)); err == nil || asked > 0 {
		t.Errorf("%v, and the other was asked %d times", err, asked)
	}
	for _, c := range []struct {
		from, to string
		may      bool
	}{
		{"https://a.example/", "https://a.example:443/dav", true}, {"http://a.example/", "https://A.example./dav", true},
		{"https://a.example/", "http://a.example/dav", false}, {"https://a.example/", "https://b.example/", false},
		{"https://a.example/", "https://a.example:8443/", false}, {"https://a.example/", "https://a.example.evil/", false},
	} {
		from, _ := url.Parse(c.from)
		to, _ := url.Parse(c.to)
		if mayRedirect(from, to) != c.may {
			t.Errorf("from %s to %s: %t", c.from, c.to, !c.may)
		}
	}
}

// A server behind a proxy that ends TLS often leads to http:// on itself. The password stays under TLS.
func TestARedirectToPlainHTTP(t *testing.T) {
	a := answers{"PROPFIND /.well-known/caldav": always(207, many(one("/dav/", homeProp))),
		"PROPFIND /home/": always(207, many(one("/home/a/", noSyncs)))}
	s := httptest.NewTLSServer(a)
	defer s.Close()
	a["PROPFIND /"] = always(301, "", "Location: "+strings.Replace(s.URL, "https:", "http:", 1)+"/.well-known/caldav")
	if got, err := account(s.URL, "ana", "right", s.Client()).Calendars(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A signed-in server may name the places of its calendars, such as p01-caldav.example.com, but no stranger.
func TestCalendarsOnOtherHosts(t *testing.T) {
	base, _ := url.Parse("https://caldav.example.com/")
	s := &source{base: base}
	for href, want := range map[string]string{
		"/home/": "https://caldav.example.com/home/", "http://caldav.example.com:8080/home/": "https://caldav.example.com/home/",
		"https://p01-caldav.example.com:443/home/": "https://p01-caldav.example.com:443/home/",
		"http://p01-caldav.example.com/home/":      "", "https://example.org/": "", "https://notexample.com/": "",
		"https://example.com.evil.org/": "", "//evil.org/": "", "mailto:x": "", "https://me:pw@caldav.example.com/a": "https://caldav.example.com/a",
	} {
		got, err := s.follow(base, href)
		if want == "" && err == nil || want != "" && (err != nil || got.String() != want) {
			t.Errorf("%s: %v, %v; want %q", href, got, err, want)
		}
	}
	w := answers{"PROPFIND /": always(207, many(one("/", `<c:calendar-home-set><d:href>https://evil.example/</d:href></c:calendar-home-set>`)))}.account(t)
	if _, err := w.Calendars(t.Context()); !errors.Is(err, calsync.ErrForbidden) {
		t.Error(err)
	}
}

// Discovery: by the well-known place, which leads elsewhere on the host; what is listed, and what may be written.
func TestDiscovery(t *testing.T) {
	privileges := func(names ...string) string {
		text := ""
		for _, n := range names {
			text += `<d:privilege><d:` + n + `/></d:privilege>`
		}
		return `<d:current-user-privilege-set>` + text + `</d:current-user-privilege-set>`
	}
	named := func(name string) string { return `<d:displayname>` + name + `</d:displayname>` }
	events := `<c:supported-calendar-component-set><c:comp name="VTODO"/><c:comp name="VEVENT"/></c:supported-calendar-component-set>`
	a := answers{
		"PROPFIND /":                   always(405, "no DAV here"),
		"PROPFIND /.well-known/caldav": always(301, "", "Location: /dav/"),
		"PROPFIND /dav/":               always(207, many(one("/dav/", `<d:current-user-principal><d:href>me/</d:href></d:current-user-principal>`))),
		"PROPFIND /dav/me/":            always(207, many(one("/dav/me/", homeProp))),
		"PROPFIND /home/": always(207, many(one("/home/", `<d:resourcetype><d:collection/></d:resourcetype>`),
			one("/home/b/", noSyncs+named("B \n life")+events+privileges("read", "write")),
			one("/home/a%20b/", noSyncs+privileges("read")),
			one("/home/c/", noSyncs+named("C")+privileges("bind", "write-content", "unbind")),
			one("/home/d/", noSyncs+named("D")+privileges("all")),
			one("/home/e/", noSyncs+named("E")+privileges("write-properties", "bind")),
			one("/home/tasks/", noSyncs+`<c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>`),
			one("/home/inbox/", `<d:resourcetype><d:collection/><c:schedule-inbox/></d:resourcetype>`))),
	}
	got, err := a.account(t).Calendars(t.Context())
	want := []calsync.Remote{{ID: "/home/b/", Name: "B life"}, {ID: "/home/c/", Name: "C"}, {ID: "/home/d/", Name: "D"},
		{ID: "/home/e/", Name: "E", ReadOnly: true}, {ID: "/home/a%20b/", Name: "a b", ReadOnly: true}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for name, c := range map[string]struct {
		answers answers
		want    error
	}{
		"signed out":  {answers{"PROPFIND /": always(401, "")}, calsync.ErrSignIn},
		"nobody":      {answers{"PROPFIND /": always(207, many(one("/", `<d:current-user-principal><d:unauthenticated/></d:current-user-principal>`)))}, calsync.ErrSignIn},
		"no calendar": {answers{"PROPFIND /": always(207, many(one("/", homeProp))), "PROPFIND /home/": always(207, many())}, calsync.ErrNotFound},
		"a website":   {answers{"PROPFIND /": always(200, "<html>")}, calsync.ErrNotOne},
		"nothing":     {answers{}, calsync.ErrNotFound},
		"in a circle": {answers{"PROPFIND /": always(302, "", "Location: /"), "PROPFIND /.well-known/caldav": always(302, "", "Location: /")}, &calsync.Status{}},
	} {
		_, err := c.answers.account(t).Calendars(t.Context())
		if status := (*calsync.Status)(nil); !errors.Is(err, c.want) && !(errors.As(c.want, &status) && errors.As(err, &status)) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestAnswersThatAreNotWhatWasAskedFor(t *testing.T) {
	none := func(*http.Request, string) said { return said{207, many(), ""} }
	sync := func(status int, body string) func(*http.Request, string) said {
		return func(*http.Request, string) said { return said{status, body, ""} }
	}
	calendar := func(report func(*http.Request) said) answers {
		return answers{"PROPFIND /cal/": always(207, many(one("/cal/", syncs))), "REPORT /cal/": report}
	}
	listed := sync(207, many(one("/cal/1.ics", tagged), one("/cal/2.ics", tagged), token("t1")))
	for name, c := range map[string]struct {
		answers answers
		cursor  string
		want    error
	}{
		"no XML":               {calendar(always(207, "BEGIN:VCALENDAR")), "sync:x", calsync.ErrNotOne},
		"cut off":              {calendar(always(207, many(object(1, `"1"`))[:300])), "sync:x", calsync.ErrNotOne},
		"another document":     {calendar(always(207, `<html/>`)), "sync:x", calsync.ErrNotOne},
		"not of many":          {calendar(always(200, many())), "sync:x", calsync.ErrNotOne},
		"nothing at all":       {calendar(always(207, "")), "sync:x", calsync.ErrNotOne},
		"entities":             {calendar(always(207, `<!DOCTYPE x [<!ENTITY a "aaaa">]><d:multistatus xmlns:d="DAV:">&a;</d:multistatus>`)), "sync:x", calsync.ErrNotOne},
		"an event left out":    {calendar(reports(listed, sync(207, many(object(1, `"1"`))))), "", calsync.ErrUnclear},
		"an event without":     {calendar(reports(listed, sync(207, many(object(1, `"1"`), one("/cal/2.ics", tagged))))), "", calsync.ErrUnclear},
		"an odd event":         {calendar(reports(listed, sync(207, many(object(1, `"1"`), one("/cal/2.ics", tagged+`<c:calendar-data>BEGIN:VCALENDAR</c:calendar-data>`))))), "", calsync.ErrUnclear},
		"an expired token":     {calendar(always(403, `<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>`)), "sync:x", calsync.ErrCursor},
		"a token that is gone": {calendar(always(410, "")), "sync:x", calsync.ErrCursor},
		"too many for it":      {calendar(always(507, "")), "sync:x", calsync.ErrCursor},
		"no new token":         {calendar(reports(sync(207, many()), none)), "sync:x", calsync.ErrCursor},
		"signed out":           {calendar(always(401, "")), "sync:x", calsync.ErrSignIn},
		"deleted":              {answers{}, "sync:x", calsync.ErrNotFound},
		"deleted, at first":    {answers{}, "", calsync.ErrNotFound},
		"no calendar":          {answers{"PROPFIND /cal/": always(207, many(one("/cal/", `<d:resourcetype><d:collection/></d:resourcetype>`)))}, "", calsync.ErrNotOne},
		"more for ever":        {calendar(reports(sync(207, many(one("/cal/1.ics", tagged), without("/cal/", 507), token("x"))), none)), "sync:x", &calsync.Status{}},
		"broken":               {calendar(always(502, "")), "sync:x", &calsync.Status{}},
		"quota":                {calendar(always(429, "", "Retry-After: 60")), "sync:x", &calsync.Later{}},
		"quota, at first":      {answers{"PROPFIND /cal/": always(503, "", "Retry-After: 60")}, "", &calsync.Later{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := changes(t, c.answers.account(t), c.cursor)
			status, later := (*calsync.Status)(nil), (*calsync.Later)(nil)
			ok := errors.Is(err, c.want)
			if errors.As(c.want, &status) {
				ok = errors.As(err, &status)
			}
			if errors.As(c.want, &later) {
				ok = errors.As(err, &later) && later.After == time.Minute
			}
			if !ok {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// A list in parts, an event that goes while it is read, ETags without quotes, hrefs in another spelling or with the
// host of the server behind a proxy.
func TestAListInParts(t *testing.T) {
	var tokens []string
	w := answers{"PROPFIND /cal/": always(207, many(one("/cal/", syncs))), "REPORT /cal/": reports(
		func(_ *http.Request, body string) said {
			_, rest, _ := strings.Cut(body, "<sync-token>")
			sent, _, _ := strings.Cut(rest, "<")
			tokens = append(tokens, sent)
			if sent == "" {
				return said{207, many(one("/cal/", noSyncs), one("http://inside:8080/cal/1%2Eics", `<d:getetag>1</d:getetag>`), without("/cal/", 507), token("t&amp;1")), ""}
			}
			return said{207, many(one("/cal/2.ics", tagged), one("/cal/3.ics", tagged), one("/cal/sub/", tagged), without("/cal/9.ics", 404), token("t2")), ""}
		},
		func(_ *http.Request, body string) said {
			return said{207, many(strings.Replace(object(1, "1"), "/cal/1.ics", "/c%61l/1.ics", 1), object(2, `"1"`), without("/cal/3.ics", 404), object(7, `"1"`)), ""}
		})}.account(t)
	got, err := changes(t, w, "")
	if err != nil || !got.All || len(got.Items) != 2 || len(got.Gone) != 0 || got.Cursor != "sync:t2" {
		t.Fatalf("%+v, %v", got, err)
	}
	if x := got.Items[0]; x.Key != "/cal/1.ics" || x.ETag != `"1"` {
		t.Errorf("%+v", x)
	}
	if fmt.Sprint(tokens) != "[ t&amp;1]" {
		t.Errorf("asked with the tokens %q", tokens)
	}
	got, err = changes(t, w, "sync:t1")
	if err != nil || got.All || len(got.Items) != 1 || fmt.Sprint(got.Gone) != "[/cal/3.ics /cal/9.ics]" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A server that can't tell what has changed is asked for all ETags, and for what they say has changed.
func TestETagsOfASimpleServer(t *testing.T) {
	tags, asked := map[int]string{}, 0
	for n := range 250 {
		tags[n] = `"a"`
	}
	largest := 0
	w := answers{
		"PROPFIND /cal/": func(r *http.Request) said {
			if r.Header.Get("Depth") == "0" {
				return said{207, many(one("/cal/", syncs)), ""} // it says so, and can't
			}
			list := []string{one("/cal/", noSyncs)}
			for n, tag := range tags {
				list = append(list, one(fmt.Sprintf("/cal/%d.ics", n), `<d:getetag>`+tag+`</d:getetag><d:resourcetype/>`))
			}
			return said{207, many(list...), ""}
		},
		"REPORT /cal/": reports(func(*http.Request, string) said { return said{501, "", ""} }, func(_ *http.Request, body string) said {
			var list []string
			for n, tag := range tags {
				if strings.Contains(body, fmt.Sprintf("/cal/%d.ics<", n)) {
					list = append(list, object(n, tag))
				}
			}
			asked, largest = asked+len(list), max(largest, len(list))
			return said{207, many(list...), ""}
		}),
	}.account(t)
	got, err := changes(t, w, "")
	if err != nil || !got.All || len(got.Items) != 250 || asked != 250 || largest != step {
		t.Fatalf("%d events, %d asked for, %d at once, %v", len(got.Items), asked, largest, err)
	}
	if len(got.Cursor) > 20*250 {
		t.Errorf("a cursor of %d bytes", len(got.Cursor))
	}
	tags[7], tags[250] = `"b"`, `"a"`
	asked = 0
	next, err := changes(t, w, got.Cursor)
	if err != nil || next.All || len(next.Items) != 2 || asked != 2 {
		t.Fatalf("%+v, %d asked for, %v", next, asked, err)
	}
	delete(tags, 3)
	if all, err := changes(t, w, next.Cursor); err != nil || !all.All || len(all.Items) != 250 {
		t.Errorf("%d events, %v", len(all.Items), err)
	}
}

// An invitation that the owner declined keeps nobody busy; who the owner is, the server knows.
func TestDeclined(t *testing.T) {
	text := strings.Replace(event(9), "somebody@else.example", "ana@work.example", 1)
	a := answers{
		"PROPFIND /cal/": func(r *http.Request) said {
			return said{207, many(one("/cal/", syncs+`<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>`)), ""}
		},
		"PROPFIND /me/": always(207, many(one("/me/", `<c:calendar-user-address-set><d:href>mailto:Ana@work.example</d:href><d:href>/me/</d:href></c:calendar-user-address-set>`))),
		"REPORT /cal/": reports(func(*http.Request, string) said {
			return said{207, many(one("/cal/1.ics", tagged), token("t")), ""}
		}, func(*http.Request, string) said {
			return said{207, many(one("/cal/1.ics", tagged+`<c:calendar-data>`+escaped(file(text))+`</c:calendar-data>`)), ""}
		}),
	}
	got, err := changes(t, a.account(t), "")
	if err != nil || len(got.Items) != 1 || len(got.Items[0].Spans) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	delete(a, "PROPFIND /me/")
	if got, err = changes(t, a.account(t), ""); err != nil || len(got.Items) != 1 || len(got.Items[0].Spans) != 1 {
		t.Errorf("where nobody knows, it is busy: %+v, %v", got, err)
	}
}

func TestWritingToOddServers(t *testing.T) {
	stored := func(hour int, tag string) func(*http.Request) said {
		e := entry(t, hour)
		text := file(strings.ReplaceAll("BEGIN:VEVENT\nUID:"+e.UID+"\nDTSTAMP:20260101T000000Z\nDTSTART:"+
			e.Start.UTC().Format("20060102T150405Z")+"\nDURATION:PT1H\nEND:VEVENT\n", "\n", "\r\n"))
		return always(207, many(one("/cal/daybook-bk_1.ics", `<d:getetag>`+tag+`</d:getetag><c:calendar-data>`+escaped(text)+`</c:calendar-data>`)))
	}
	const path = "/cal/daybook-bk_1.ics"
	for name, c := range map[string]struct {
		put, look func(*http.Request) said
		key       string
		want      error
		etag      string
	}{
		"an ETag":               {always(201, "", `ETag: "n"`), nil, "", nil, `"n"`},
		"none":                  {always(204, ""), stored(9, `"s"`), "", nil, `"s"`},
		"a weak one":            {always(201, "", `ETag: W/"n"`), stored(9, `"s"`), "", nil, `"s"`},
		"none, and another was": {always(204, ""), stored(10, `"s"`), path, calsync.ErrConflict, ""},
		"none, and gone":        {always(204, ""), always(207, many(without(path, 404))), path, calsync.ErrGone, ""},
		"there already":         {always(412, ""), stored(10, `"s"`), "", calsync.ErrConflict, ""},
		"there, as it should": {func(r *http.Request) said {
			if r.Header.Get("If-Match") == `"s"` { // what it says is written again
				return said{204, "", `ETag: "n"`}
			}
			return said{412, "", ""}
		}, stored(9, `"s"`), "", nil, `"n"`},
		"changed":               {always(412, ""), stored(9, `"s"`), path, calsync.ErrConflict, ""},
		"gone":                  {always(412, ""), always(207, many(without(path, 404))), path, calsync.ErrGone, ""},
		"gone by 404":           {always(404, ""), always(207, many()), path, calsync.ErrGone, ""},
		"no calendar":           {always(404, ""), always(404, ""), path, calsync.ErrNotFound, ""},
		"no calendar for a new": {always(409, ""), nil, "", calsync.ErrNotFound, ""},
		"the UID elsewhere":     {always(403, `<d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><c:no-uid-conflict><d:href>/cal/x</d:href></c:no-uid-conflict></d:error>`), nil, "", calsync.ErrConflict, ""},
		"the UID, by 409":       {always(409, `<d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><c:no-uid-conflict/></d:error>`), nil, "", calsync.ErrConflict, ""},
		"read only":             {always(403, `<d:error xmlns:d="DAV:"><d:need-privileges/></d:error>`), nil, path, calsync.ErrReadOnly, ""},
		"read only by 405":      {always(405, ""), nil, "", calsync.ErrReadOnly, ""},
		"signed out":            {always(401, ""), nil, "", calsync.ErrSignIn, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := answers{"PUT " + path: func(r *http.Request) said {
				body, _ := io.ReadAll(r.Body)
				if !strings.HasPrefix(string(body), "BEGIN:VCALENDAR") || strings.Contains(string(body), "ATTENDEE") || r.Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
					t.Errorf("%s\n%s", r.Header, body)
				}
				if fresh := r.Header.Get("If-None-Match") == "*"; fresh && c.key != "" || !fresh && r.Header.Get("If-Match") != `"old"` && r.Header.Get("If-Match") != `"s"` {
					t.Errorf("%s", r.Header)
				}
				return c.put(r)
			}}
			if c.look != nil {
				a["REPORT /cal/"] = c.look
			}
			key, etag, err := a.account(t).Put(t.Context(), "/cal/", c.key, `W/"old"`, entry(t, 9))
			if !errors.Is(err, c.want) || etag != c.etag || err == nil && key != path {
				t.Errorf("%s %s, %v; want %s, %v", key, etag, err, c.etag, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		status int
		look   func(*http.Request) said
		want   error
	}{
		"removed": {204, nil, nil}, "gone": {404, nil, nil}, "gone for good": {410, nil, nil}, "read only": {403, nil, calsync.ErrReadOnly},
		"changed": {412, stored(9, `"s"`), calsync.ErrConflict}, "gone by 412": {412, always(207, many(without(path, 404))), nil}, "signed out": {401, nil, calsync.ErrSignIn},
	} {
		a := answers{"DELETE " + path: func(r *http.Request) said {
			if r.Header.Get("If-Match") != `"old"` {
				t.Errorf("%s", r.Header)
			}
			return said{c.status, "", ""}
		}}
		if c.look != nil {
			a["REPORT /cal/"] = c.look
		}
		if err := a.account(t).Remove(t.Context(), "/cal/", path, `"old"`); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if fileName("a/../b@x") == fileName("a/../c@x") || strings.Contains(fileName("a/../b@x"), "/") {
		t.Error(fileName("a/../b@x"))
	}
}

// A packed answer of any size takes no more memory than the largest that is taken.
func TestBombs(t *testing.T) {
	packed := &strings.Builder{}
	z := gzip.NewWriter(packed)
	io.WriteString(z, strings.TrimSuffix(many(), "</d:multistatus>"))
	fill := strings.Repeat(" ", 1<<20)
	for range 3 * calsync.MaxResponse / 2 / len(fill) {
		io.WriteString(z, fill)
	}
	z.Close()
	w := answers{"REPORT /cal/": always(207, packed.String(), "Content-Encoding: gzip")}.account(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := changes(t, w, "sync:x")
	runtime.ReadMemStats(&after)
	if !errors.Is(err, calsync.ErrTooMuch) {
		t.Error(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 6*calsync.MaxResponse {
		t.Errorf("%d bytes for an answer that isn't taken", used)
	}
}

// A few small events can have more busy times than are kept.
func TestManyBusyTimes(t *testing.T) {
	var list, all []string
	for n := range 40 {
		href := fmt.Sprintf("/cal/%d.ics", n)
		list = append(list, one(href, tagged))
		all = append(all, one(href, tagged+`<c:calendar-data>`+escaped(file(fmt.Sprintf("BEGIN:VEVENT\r\nUID:e%d\r\n"+
			"DTSTART:20260302T000000Z\r\nDURATION:PT5M\r\nRRULE:FREQ=MINUTELY;INTERVAL=30\r\nEND:VEVENT\r\n", n)))+`</c:calendar-data>`))
	}
	w := answers{"REPORT /cal/": func(r *http.Request) said {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "multiget") {
			return said{207, many(all...), ""}
		}
		return said{207, many(append(list, token("y"))...), ""}
	}}.account(t)
	if got, err := changes(t, w, "sync:x"); !errors.Is(err, calsync.ErrTooMuch) {
		t.Errorf("%d items, %v", len(got.Items), err)
	}
}

// A server that doesn't go on is left when the time is over.
func TestSlow(t *testing.T) {
	asking := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(207)
		io.WriteString(w, xmlHead+`<d:multistatus xmlns:d="DAV:">`)
		w.(http.Flusher).Flush()
		close(asking)
		<-r.Context().Done()
	}))
	defer s.Close()
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-asking; stop() }()
	_, err := account(s.URL, "ana", "right", http.DefaultClient).Changes(ctx, askedOf(t, "/cal/", "sync:x"))
	if calsync.ProblemOf(err) != calsync.Unreachable {
		t.Error(err)
	}
}

// A server that wants HTTP Digest and nothing else is told from one that refuses the password.
func TestDigestIsNotSpoken(t *testing.T) {
	for challenge, want := range map[string]error{
		`Digest realm="BaikalDAV",qop="auth",nonce="63",opaque="df"`:                   calsync.ErrDigest,
		`Basic realm="Radicale - Password Required"`:                                   calsync.ErrSignIn,
		`Digest realm="a", nonce="b", Basic realm="a"`:                                 calsync.ErrSignIn,
		`digest realm="a, b", algorithm=SHA-256, nonce="c", digest realm="a", nonce=d`: calsync.ErrDigest,
		`Bearer realm="a"`: calsync.ErrSignIn,
	} {
		a := answers{"PROPFIND /cal/": always(401, "", "WWW-Authenticate: "+challenge)}
		if _, err := changes(t, a.account(t), ""); !errors.Is(err, want) {
			t.Errorf("%s: %v", challenge, err)
		}
	}
}
