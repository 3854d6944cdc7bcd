package console

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Choice is a flag with a few possible values; the first is its default.
type Choice struct {
	Value string
	of    []string
}

// NewChoice returns a flag with these values.
func NewChoice(of ...string) *Choice { return &Choice{of[0], of} }

func (c *Choice) String() string { return c.Value }

func (c *Choice) Type() string { return strings.Join(c.of, "|") }

func (c *Choice) Set(text string) error {
	if !slices.Contains(c.of, text) {
		return errors.New("must be " + strings.Join(c.of[:len(c.of)-1], ", ") + " or " + c.of[len(c.of)-1])
	}
	c.Value = text
	return nil
}

// Networks is a flag that lists networks, repeated or with commas.
type Networks []netip.Prefix

func (p *Networks) String() string {
	var texts []string
	for _, one := range *p {
		texts = append(texts, one.String())
	}
	return strings.Join(texts, ",")
}

func (p *Networks) Type() string { return "CIDR,…" }

func (p *Networks) Set(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		prefix, err := netip.ParsePrefix(one)
		if addr, addrErr := netip.ParseAddr(one); addrErr == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return errors.New("must list networks such as 10.0.0.0/8 or 127.0.0.1")
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

// WebURL is a flag with an http or https address that has no query and no slash at its end.
type WebURL struct{ *url.URL }

func (u *WebURL) String() string {
	if u.URL == nil {
		return ""
	}
	return u.URL.String()
}

func (u *WebURL) Type() string { return "URL" }

func (u *WebURL) Set(text string) error {
	parsed, err := url.Parse(strings.TrimRight(strings.TrimSpace(text), "/"))
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Hostname() == "" ||
		parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil {
		return errors.New("must be an address such as https://book.example.com")
	}
	u.URL = parsed
	return nil
}
