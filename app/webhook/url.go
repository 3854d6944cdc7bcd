package webhook

import (
	"context"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/address"
	"daybook/app/fault"
)

// Config says how endpoints are checked when they are registered.
type Config struct {
	// Allow lists the networks, besides the public internet, in which endpoints may be.
	Allow   []netip.Prefix
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error) // nil asks the system
}

// checkEndpointURL refuses a URL that deliveries must not, or can't, go to. It asks DNS, so it must run outside
// transactions. A public name that does not resolve yet is accepted: each connection is checked again.
func (s *Service) checkEndpointURL(ctx context.Context, text string) error {
	u, err := parseEndpointURL(text)
	if err != nil {
		return err
	}
	law := address.Law{Allow: s.webhook.Allow, Resolve: s.webhook.Resolve, Option: "--webhook-allow"}
	listed, err := law.CheckHost(ctx, u.Hostname(), u.Scheme == "https")
	if err != nil {
		return fault.Invalid("url", "%v", err)
	}
	if !listed && !commonPort(u.Port()) {
		return fault.Invalid("url", "the port %s is not one for webhooks; use 443, 80 or one from 1024 on", u.Port())
	}
	return nil
}

// MaxURL is the most characters of an endpoint's address.
const MaxURL = 2000

func parseEndpointURL(text string) (*url.URL, error) {
	text, err := fault.CheckLine("url", text, 1, MaxURL)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Host == "":
		return nil, fault.Invalid("url", "must be a URL such as https://example.com/hooks/daybook")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, fault.Invalid("url", "must begin with https://")
	case u.User != nil:
		return nil, fault.Invalid("url", "must not hold a user name or password; receivers verify the signature instead")
	case strings.Contains(text, "#"):
		return nil, fault.Invalid("url", "must not have a fragment (#…); it would never be sent")
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, fault.Invalid("url", "the port must lie between 1 and 65535")
		}
	}
	return u, nil
}

// commonPort refuses the ports of older protocols (mail, ssh, …).
func commonPort(port string) bool {
	n, _ := strconv.Atoi(port)
	return port == "" || n == 80 || n == 443 || n >= 1024
}
