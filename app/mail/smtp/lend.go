package smtp

import (
	"net/url"
	"strings"

	"daybook/app/address"
	"daybook/app/fault"
)

// LendPassword returns the address of the other server, whose text has no password, with the one of s: if that is the
// same server, user and at least as much encryption. Else the error is bad_request on the field password.
func (s *Server) LendPassword(other *Server, text string) (string, error) {
	same := address.SameHost(s.Host, other.Host) && s.Port == other.Port && s.User == other.User
	if !same || other.TLS == NoTLS && s.TLS != NoTLS {
		return "", fault.Invalid("password", "give the password again: the saved one is only for %s at %s, "+
			"with the encryption that was chosen", s.User, s.Address())
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return "", fault.Invalid("smtpUrl", Form)
	}
	u.User = url.UserPassword(other.User, s.Password)
	return u.String(), nil
}
