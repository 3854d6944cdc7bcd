package catalog

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"daybook/app/fault"
)

// Pages are a workspace's choices of where its booking pages and video bookings lead to.
type Pages struct {
	// RedirectHosts are the hosts that an event type's RedirectURL may lead to, in lower case.
	RedirectHosts []string `json:"redirectHosts,omitempty"`
	// VideoServer is the address of the Jitsi server that video bookings get their rooms on; "" is DefaultVideoServer.
	VideoServer string `json:"videoServer,omitempty"`
}

// DefaultVideoServer is the server of video rooms unless a workspace names another one.
const DefaultVideoServer = "https://meet.jit.si"

const (
	maxRedirectHosts = 20
	maxHostName      = 253
	maxVideoServer   = 300
)

var videoServerForm = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~-]+)*$`)

var hostNameForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)

func (p *Pages) check() error {
	var wrong fault.Problems
	wrong.Add(p.checkHosts())
	p.VideoServer = strings.TrimRight(strings.TrimSpace(p.VideoServer), "/")
	if s := p.VideoServer; s != "" && (!videoServerForm.MatchString(s) || len(s) > maxVideoServer) {
		wrong.Add(fault.Invalid("workspace.videoServer", "must be the https:// address of a Jitsi server"))
	}
	return wrong.Err()
}

func (p *Pages) checkHosts() error {
	hosts := make([]string, 0, len(p.RedirectHosts))
	for _, name := range p.RedirectHosts {
		name = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), ".")
		if len(name) > maxHostName || !hostNameForm.MatchString(name) {
			return fault.Invalid("workspace.redirectHosts", "%s is no host name such as www.example.com: leave out https:// "+
				"and the path", quoted(name))
		}
		if !slices.Contains(hosts, name) {
			hosts = append(hosts, name)
		}
	}
	if len(hosts) > maxRedirectHosts {
		return fault.Invalid("workspace.redirectHosts", "at most %d", maxRedirectHosts)
	}
	if p.RedirectHosts = hosts; len(hosts) == 0 {
		p.RedirectHosts = nil
	}
	return nil
}

func quoted(text string) string {
	if r := []rune(text); len(r) > 60 {
		text = string(r[:60]) + "…"
	}
	return `"` + strings.ReplaceAll(text, `"`, `'`) + `"`
}

// CheckRedirect returns bad_request for a RedirectURL whose host the workspace doesn't list. field names its place in
// the input.
func (p *Pages) CheckRedirect(field, address string) error {
	if address == "" || p.LeadsTo(address) {
		return nil
	}
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	return fault.Invalid(field, "leads to %s, which is none of the workspace's redirectHosts: add it there first",
		quoted(host))
}

// LeadsTo reports whether the address is one that booking pages may go on to.
func (p *Pages) LeadsTo(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && slices.Contains(p.RedirectHosts, strings.ToLower(u.Hostname()))
}

// Asks returns the contact details that the booking page asks for: AsksFor, and the telephone number if the host calls.
func (e *EventType) Asks() Asks {
	switch {
	case e.Where == nil || e.Where.Kind != HostCalls || e.AsksFor == AskPhone:
		return e.AsksFor
	case e.AsksFor == AskEither:
		return AskPhone
	}
	return AskBoth
}

// TravelMinutes returns how many minutes must lie between a booking of e and one of the same host at another place.
func (e *EventType) TravelMinutes() int {
	if e == nil || e.Where == nil {
		return 0
	}
	return e.Where.TravelMinutes
}
