package discover

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"daybook/app/mail/smtp"
)

const (
	fileTime      = 6 * time.Second // for a file, with all its redirects
	mostFile      = 64 << 10        // bytes of it
	mostRedirects = 3
)

// errRedirect is the error of a file that is elsewhere, where it can't be read safely.
var errRedirect = errors.New("discover: a redirect to another than https, or too many of them")

// configFile is what is read of an autoconfiguration file, version 1.1, as mail programs know it from Thunderbird.
type configFile struct {
	XMLName   xml.Name `xml:"clientConfig"`
	Providers []struct {
		Outgoing []struct {
			Type   string   `xml:"type,attr"`
			Host   string   `xml:"hostname"`
			Port   int      `xml:"port"`
			Socket string   `xml:"socketType"`
			User   string   `xml:"username"`
			Auth   []string `xml:"authentication"`
		} `xml:"outgoingServer"`
	} `xml:"emailProvider"`
}

// autoconfig reads the domain's file from the two places where it may be, both at once. The first place counts first.
func (f *Finder) autoconfig(ctx context.Context, who *person) answer {
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	places := []string{
		"https://autoconfig." + who.domain + "/mail/config-v1.1.xml?emailaddress=" + url.QueryEscape(who.addr),
		"https://" + who.domain + "/.well-known/autoconfig/mail/config-v1.1.xml",
	}
	var answers [2]chan answer
	for i, place := range places {
		answers[i] = make(chan answer, 1)
		go func() { answers[i] <- f.file(ctx, place, who) }()
	}
	first := <-answers[0]
	if len(first.servers) > 0 {
		return first
	}
	second := <-answers[1]
	second.refused = second.refused || first.refused
	second.failed = errors.Join(first.failed, second.failed)
	return second
}

// file reads one of them. A file that isn't there or can't be understood says nothing.
func (f *Finder) file(ctx context.Context, place string, who *person) (a answer) {
	client := http.Client{Transport: f.Web, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if r.URL.Scheme != "https" || len(via) > mostRedirects {
			return errRedirect
		}
		r.Header.Del("Referer") // it has the mail address
		return nil
	}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return answer{}
	}
	res, err := client.Do(r)
	if err != nil {
		// Most domains have no such host, or another kind of server there. Only DNS that fails may know one.
		if no := (*net.DNSError)(nil); errors.As(err, &no) {
			return answer{failed: unknown(err)}
		}
		return answer{}
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return answer{}
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, mostFile+1))
	if err != nil || len(text) > mostFile {
		return answer{}
	}
	var c configFile
	if xml.Unmarshal(text, &c) != nil {
		return answer{}
	}
	return c.answer(who)
}

// answer returns the servers in the file that take a password over TLS.
func (c *configFile) answer(who *person) (a answer) {
	secure := map[string]smtp.TLS{"ssl": smtp.FullTLS, "starttls": smtp.StartTLS} // plain is never used
	n := 0
	for _, p := range c.Providers {
		for _, o := range p.Outgoing {
			if n++; n > mostRecords {
				break
			}
			host := cleanHost(who.fill(o.Host))
			tls := secure[strings.ToLower(strings.TrimSpace(o.Socket))]
			if o.Type != "smtp" || tls == "" || !isHost(host) || o.Port < 1 || o.Port > 65535 {
				continue
			}
			byPassword := func(way string) bool { return strings.HasPrefix(strings.TrimSpace(way), "password-") }
			if len(o.Auth) > 0 && !slices.ContainsFunc(o.Auth, byPassword) {
				a.refused = true
				continue
			}
			user := who.fill(o.User)
			if user == "" || len(user) > 254 || strings.ContainsFunc(user, unicode.IsControl) {
				user = who.addr
			}
			a.servers = append(a.servers, Server{Host: host, Port: o.Port, TLS: tls, User: user, Sure: who.sure(host)})
		}
	}
	a.best()
	return a
}

// fill puts the address into the placeholders of a file.
func (p *person) fill(text string) string {
	return strings.TrimSpace(strings.NewReplacer("%EMAILADDRESS%", p.addr, "%EMAILLOCALPART%", p.local, "%EMAILDOMAIN%",
		p.domain).Replace(text))
}
