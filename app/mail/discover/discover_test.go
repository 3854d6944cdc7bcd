package discover_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"daybook/app/address"
	"daybook/app/fault"
	"daybook/app/mail/discover"
	"daybook/app/mail/discovertest"
)

// web is an https server on the loopback that every name leads to, through the law of addresses and of certificates.
type web struct {
	*httptest.Server
	allow []netip.Prefix

	mu      sync.Mutex
	asked   []string // host and path of each request
	refused []error  // what the law refused
}

func newWeb(t testing.TB, h func(w http.ResponseWriter, r *http.Request)) *web {
	x := &web{allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	x.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.mu.Lock()
		x.asked = append(x.asked, r.Host+r.URL.Path)
		x.mu.Unlock()
		h(w, r)
	}))
	x.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that hang up
	x.StartTLS()
	t.Cleanup(x.Close)
	return x
}

// RoundTrip makes the request as a server in the internet would be asked: any certificate but the test's is refused, and
// the certificate has to be for a name of the host. The one of httptest is for example.com and *.example.com.
func (x *web) RoundTrip(r *http.Request) (*http.Response, error) {
	roots := x509.NewCertPool()
	roots.AddCert(x.Certificate())
	law := &address.Law{Allow: x.allow, Option: "--mail-allow"}
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}
	tr.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
		d := net.Dialer{Control: law.Control(true)}
		if r.URL.Scheme == "https" {
			to = x.Listener.Addr().String()
		}
		return d.DialContext(ctx, network, to)
	}
	res, err := tr.RoundTrip(r)
	if no := (*address.Refused)(nil); errors.As(err, &no) {
		x.mu.Lock()
		x.refused = append(x.refused, err)
		x.mu.Unlock()
	}
	return res, err
}

func nothing(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }

func shown(all []discover.Server) string {
	var texts []string
	for _, s := range all {
		text := fmt.Sprintf("%s %s %s", s.Address(), s.TLS, s.User)
		if !s.Sure {
			text += " ?"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// Where each kind of address sends its mail, and what its owner must know. The first source that knows it wins.
func TestFind(t *testing.T) {
	z := discovertest.Zone{
		"workspace.example.":                       {discovertest.MX("aspmx.l.google.com.")},
		"m365.example.":                            {discovertest.MX("m365-example.mail.protection.outlook.com.")},
		"ionos.example.":                           {discovertest.MX("mx00.ionos.de."), discovertest.MX("mx01.ionos.de.")},
		"evil.example.":                            {discovertest.MX("smtp.google.com.evil.example.")},
		"strato.example.":                          {discovertest.MX("smtpin.rzone.de.")},
		"_submissions._tcp.strato.example.":        {discovertest.SRV(465, "other.strato.example.")},
		"example.com.":                             {discovertest.MX("mx.example.com.")},
		"_submissions._tcp.example.com.":           {discovertest.SRV(465, "later.example.com.")},
		"_submissions._tcp.records.example.":       {discovertest.SRV(465, "mx.host.example.")},
		"_submission._tcp.records.example.":        {discovertest.SRV(587, "smtp.records.example."), discovertest.After(discovertest.SRV(587, "mx.host.example."))},
		"_submissions._tcp.none.example.":          {discovertest.SRV(0, ".")},
		"_submission._tcp.literal.example.":        {discovertest.SRV(587, "127.0.0.1.")},
		"_submissions._tcp.xn--frisr-mua.example.": {discovertest.SRV(465, "smtp.xn--frisr-mua.example.")},
		"_submissions._tcp.many.example.":          {discovertest.SRV(465, "a.many.example."), discovertest.SRV(466, "a.many.example."), discovertest.SRV(467, "a.many.example."), discovertest.SRV(468, "a.many.example."), discovertest.SRV(469, "a.many.example.")},
		"_submissions._tcp.known-host.example.":    {discovertest.SRV(465, "ssl0.ovh.net.")},
		"_submissions._tcp.notexample.com.":        {discovertest.SRV(465, "smtp.example.com.")},
		"_submissions._tcp.sub.example.com.":       {discovertest.SRV(465, "smtp.example.com.")},
	}
	served := newWeb(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Host {
		case "autoconfig.example.com":
			if r.URL.Query().Get("emailaddress") != "info+x@example.com" {
				t.Errorf("asked with %q", r.URL.RawQuery)
			}
			fmt.Fprint(w, discovertest.File("smtp.example.com 587 STARTTLS %EMAILLOCALPART% password-cleartext", "mx.hoster.example 465 SSL %EMAILADDRESS% password-cleartext", "smtp.example.com 25 plain x password-cleartext", "127.0.0.1 465 SSL x password-cleartext"))
		case "refused.example.com":
			fmt.Fprint(w, discovertest.File("smtp.example.com 465 SSL %EMAILADDRESS% OAuth2"))
		default:
			nothing(w, r)
		}
	})
	finder := discover.Finder{DNS: discovertest.DNS(t, z), Web: served}
	for _, c := range []struct {
		addr, want string
		provider   string
		passwords  discover.Passwords
	}{
		{"ana@gmail.com", "smtp.gmail.com:465 tls ana@gmail.com, smtp.gmail.com:587 starttls ana@gmail.com", "Google", discover.AppPassword},
		{"Ana@ICLOUD.com", "smtp.mail.me.com:587 starttls Ana@ICLOUD.com", "Apple iCloud", discover.AppPassword},
		{"salon@web.de", "smtp.web.de:465 tls salon, smtp.web.de:587 starttls salon", "WEB.DE", discover.Switched},
		{"salon@gmx.at", "mail.gmx.net:465 tls salon@gmx.at, mail.gmx.net:587 starttls salon@gmx.at", "GMX", discover.Switched},
		{"salon@t-online.de", "securesmtp.t-online.de:465 tls salon@t-online.de, securesmtp.t-online.de:587 starttls salon@t-online.de", "Telekom", discover.OwnPassword},
		{"salon@hotmail.co.uk", "", "Outlook.com", discover.NoPassword},
		{"salon@shop.onmicrosoft.com", "", "Microsoft 365", discover.NoPassword},
		{"a@workspace.example", "smtp.gmail.com:465 tls a@workspace.example, smtp.gmail.com:587 starttls a@workspace.example", "Google", discover.AppPassword},
		{"a@m365.example", "", "Microsoft 365", discover.NoPassword},
		{"a@ionos.example", "smtp.ionos.de:465 tls a@ionos.example, smtp.ionos.de:587 starttls a@ionos.example", "IONOS", discover.AnyPassword},
		{"a@strato.example", "smtp.strato.de:465 tls a@strato.example, smtp.strato.de:587 starttls a@strato.example", "STRATO", discover.AnyPassword},
		{"a@evil.example", "", "", discover.AnyPassword},
		// The file counts before the records, and TLS before STARTTLS; what is in the clear or no name is left out.
		{"info+x@example.com", "mx.hoster.example:465 tls info+x@example.com ?, smtp.example.com:587 starttls info+x, later.example.com:465 tls info+x@example.com", "", discover.AnyPassword},
		{"a@records.example", "mx.host.example:465 tls a@records.example ?, smtp.records.example:587 starttls a@records.example, mx.host.example:587 starttls a@records.example ?", "", discover.AnyPassword},
		{"a@none.example", "", "", discover.AnyPassword},
		{"a@literal.example", "", "", discover.AnyPassword},
		{"a@frisör.example", "smtp.xn--frisr-mua.example:465 tls a@frisör.example", "", discover.AnyPassword},
		{"a@known-host.example", "ssl0.ovh.net:465 tls a@known-host.example", "", discover.AnyPassword},
		{"a@notexample.com", "smtp.example.com:465 tls a@notexample.com ?", "", discover.AnyPassword},
		{"a@sub.example.com", "smtp.example.com:465 tls a@sub.example.com ?", "", discover.AnyPassword},
		{"a@refused.example.com", "", "refused.example.com", discover.NoPassword},
		{"a@nowhere.example", "", "", discover.AnyPassword},
	} {
		all, advice, err := finder.Find(t.Context(), c.addr)
		if err != nil || shown(all) != c.want || advice.Provider != c.provider || advice.Passwords != c.passwords {
			t.Errorf("%s: %s; %+v, %v\nwant %s", c.addr, shown(all), advice, err, c.want)
		}
		if advice.Passwords != discover.AnyPassword && advice.Provider != "refused.example.com" && !strings.HasPrefix(advice.Help, "https://") {
			t.Errorf("%s: no help: %+v", c.addr, advice)
		}
	}
	if all, _, err := finder.Find(t.Context(), "a@many.example"); err != nil || len(all) != 4 {
		t.Errorf("%s, %v", shown(all), err)
	}
	for _, wrong := range []string{"", "ana", "ana@localhost", "ana@[127.0.0.1]", "ana@127.0.0.1", "ana@exa mple.com", "ana@-.example", "a\r\n@example.com"} {
		if all, _, err := finder.Find(t.Context(), wrong); fault.As(err) == nil || fault.As(err).Field != "address" || all != nil {
			t.Errorf("%q: %v, %v", wrong, all, err)
		}
	}
}

// A file that can't be trusted, or is meant to hurt, is as none; the one at the other place counts then.
func TestFilesThatAreNotTaken(t *testing.T) {
	good := discovertest.File("smtp.example.com 465 SSL %EMAILADDRESS% password-cleartext")
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, good) }))
	defer plain.Close()
	to := func(place string) func(w http.ResponseWriter, r *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, place, http.StatusFound) }
	}
	for name, c := range map[string]struct {
		domain string
		file   func(w http.ResponseWriter, r *http.Request)
		want   string
		most   int // requests
	}{
		"good":                  {"example.com", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, good) }, "smtp.example.com:465 tls a@example.com", 2},
		"a redirect by https":   {"example.com", toOnce("https://www.example.com/file", good), "smtp.example.com:465 tls a@example.com", 4},
		"a redirect by http":    {"example.com", to(plain.URL), "", 2},
		"redirects without end": {"example.com", to("https://www.example.com/again"), "", 8},
		"too long":              {"example.com", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, good+strings.Repeat(" ", 65<<10)) }, "", 2},
		"no XML":                {"example.com", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html><p>parked") }, "", 2},
		"entities": {"example.com", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `<!DOCTYPE x [<!ENTITY a "b">]>`+strings.Replace(good, "smtp.example", "&a;.example", 1))
		}, "", 2},
		"an error":                {"example.com", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); fmt.Fprint(w, good) }, "", 2},
		"a certificate of others": {"other.test", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, good) }, "", 0},
		"a control character": {"example.com", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, strings.Replace(good, "%EMAILADDRESS%", "a&#13;&#10;b", 1))
		}, "smtp.example.com:465 tls a@example.com", 2},
	} {
		t.Run(name, func(t *testing.T) {
			served := newWeb(t, c.file)
			f := discover.Finder{DNS: discovertest.DNS(t, discovertest.Zone{}), Web: served}
			all, _, err := f.Find(t.Context(), "a@"+c.domain)
			if err != nil || shown(all) != c.want {
				t.Errorf("%s, %v; want %s", shown(all), err, c.want)
			}
			served.mu.Lock()
			defer served.mu.Unlock()
			if len(served.asked) > c.most {
				t.Errorf("%d requests: %v", len(served.asked), served.asked)
			}
		})
	}
}

// toOnce redirects to a place, where the file is.
func toOnce(place, file string) func(w http.ResponseWriter, r *http.Request) {
	u, _ := url.Parse(place)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == u.Path {
			fmt.Fprint(w, file)
			return
		}
		http.Redirect(w, r, place, http.StatusFound)
	}
}

// The requests obey the law of addresses: a domain whose name leads inside is not asked.
func TestNoFileIsReadInside(t *testing.T) {
	served := newWeb(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, discovertest.File("smtp.example.com 465 SSL %EMAILADDRESS% password-cleartext"))
	})
	served.allow = nil
	f := discover.Finder{DNS: discovertest.DNS(t, discovertest.Zone{}), Web: served}
	all, _, err := f.Find(t.Context(), "a@example.com")
	if err != nil || len(all) != 0 || len(served.asked) != 0 || len(served.refused) != 2 {
		t.Errorf("%s, %v; asked %v, refused %v", shown(all), err, served.asked, served.refused)
	}
	// So does the transport that the program has, whose names DNS answers.
	law := address.Law{Option: "--mail-allow", DNS: discovertest.DNS(t, discovertest.Zone{"autoconfig.inside.example.": {discovertest.Loopback()}, "inside.example.": {discovertest.Loopback()}})}
	seen := &watched{RoundTripper: law.Transport()}
	f.Web = seen
	if all, _, err := f.Find(t.Context(), "a@inside.example"); err != nil || len(all) != 0 {
		t.Errorf("%s, %v", shown(all), err)
	}
	for _, err := range seen.errs {
		if no := (*address.Refused)(nil); !errors.As(err, &no) {
			t.Errorf("not refused: %v", err)
		}
	}
	if len(seen.errs) != 2 {
		t.Error(seen.errs)
	}
}

type watched struct {
	http.RoundTripper
	mu   sync.Mutex
	errs []error
}

func (w *watched) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := w.RoundTripper.RoundTrip(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs = append(w.errs, err)
	return res, err
}

// Who does not answer may know a server: that is told apart from a domain that names none.
func TestSilence(t *testing.T) {
	f := discover.Finder{DNS: discovertest.DNS(t, discovertest.Zone{"_submission._tcp.half.example.": {discovertest.SRV(587, "smtp.half.example.")}}, "silent.example."), Web: newWeb(t, nothing)}
	if all, _, err := f.Find(t.Context(), "a@silent.example"); !errors.Is(err, discover.ErrSilent) {
		t.Errorf("%s, %v", shown(all), err)
	}
	ctx, _ := address.Within(t.Context())
	if _, _, err := f.Find(ctx, "a@half.example"); !errors.Is(err, address.ErrWithin) {
		t.Error(err)
	}
	if all, _, err := f.Find(t.Context(), "a@half.example"); err != nil || len(all) != 1 {
		t.Errorf("%s, %v", shown(all), err)
	}
}

// Every provider has a server, a name and, where a password is special, its page about it; no domain is of two.
func TestProviders(t *testing.T) {
	of := map[string]string{}
	for _, p := range discover.Providers {
		if p.Key == "" || p.Name == "" || p.Host == "" || (p.Passwords != discover.AnyPassword) != strings.HasPrefix(p.Help, "https://") || p.Domains+p.MX == "" {
			t.Errorf("%+v", p)
		}
		for _, d := range append(strings.Fields(p.Domains), strings.Fields(p.MX)...) {
			if of[d] != "" && of[d] != p.Name {
				t.Errorf("%s is of %s and %s", d, of[d], p.Name)
			}
			of[d] = p.Name
		}
	}
}
