package right

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// ParseOrigins reads origins of web pages such as https://salon.example, as browsers send them in Origin. The error is
// bad_request for the field origins.
func ParseOrigins(texts []string) (all []string, err error) {
	for _, text := range texts {
		u, err := url.Parse(strings.ToLower(strings.TrimSuffix(strings.TrimSpace(text), "/")))
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Hostname() == "" || u.User != nil ||
			u.Path != "" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(u.Host, "* ") || len(u.Host) > 260 {
			return nil, fault.Invalid("origins", "%q is no origin such as https://salon.example", text)
		}
		if u.Port() == map[string]string{"https": "443", "http": "80"}[u.Scheme] { // browsers leave it out
			u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
		}
		if origin := u.Scheme + "://" + u.Host; !slices.Contains(all, origin) {
			all = append(all, origin)
		}
	}
	return all, nil
}

// CheckPublic checks the limits of a public key, which has no rights but those of visitors. Errors: bad_request.
func (l *Limits) CheckPublic(now time.Time) error {
	switch {
	case l.Rights != 0:
		return fault.Invalid("rights", "aren't for public keys, which show open times and book, as visitors do")
	case len(l.Addresses) > 0:
		return fault.Invalid("addresses", "aren't for public keys, which every visitor of a page uses")
	case len(l.Origins) == 0:
		return fault.Invalid("origins", "lists the pages that may use a public key, such as https://salon.example")
	case len(l.EventTypes) > Most || len(l.Hosts) > Most || len(l.Origins) > Most:
		return fault.Invalid("origins", "at most %d origins, services and hosts each", Most)
	case l.Until != 0 && l.Until <= when.At(now):
		return fault.Invalid("until", "must lie in the future")
	}
	return nil
}

// Allows reports whether pages of the origin may use the public key. This stops browsers only, since other programs can
// send any origin.
func (l *Limits) Allows(origin string) bool {
	return l != nil && slices.Contains(l.Origins, strings.ToLower(origin))
}

// Public returns the error for a public key used for something that is not for visitors.
func Public() *fault.Error {
	return fault.New(fault.Forbidden, "public_key",
		"This is a public key: it works at /api/v1/public/… only, for open times and booking. Use a secret key, "+
			"on a server, for everything else.")
}

// NotPublic returns the error for any other key used at the routes for visitors.
func NotPublic() *fault.Error {
	return fault.New(fault.Forbidden, "public_key",
		"Only public keys (pk_…) work here. Keep this key out of web pages; on a server, the same is at /api/v1/…")
}

// Foreign returns the error for a web page that may not use a public key.
func Foreign(origin string) *fault.Error {
	if len(origin) > 200 {
		origin = origin[:200]
	}
	return fault.New(fault.Forbidden, "foreign_origin",
		"Pages of %s may not use this key. Its owner lists the origins when it is made.", origin)
}
