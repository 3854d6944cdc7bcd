package sms

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The errors of Read. Whoever posts learns no more than that it was refused.
var (
	ErrUnverified = errors.New("sms: it can't be shown that the service posted this")
	// ErrStale is an ErrUnverified: what was posted is older than MaxAge, or the clock of the service, such as a phone's,
	// is wrong.
	ErrStale   = fmt.Errorf("%w: it is too old, or a clock is wrong", ErrUnverified)
	ErrTooLong = errors.New("sms: more was posted than a service posts")
)

// MaxAge is how old a signature with a time may be, and how far ahead of our clock.
const MaxAge = 5 * time.Minute

// MaxBody is how many bytes a service may post.
const MaxBody = 64 << 10

func (s *Sender) verify(t *Template, r *http.Request, address *url.URL, text string, body []byte, now time.Time) error {
	v, key := &t.Verify, s.signingKey()
	if v.Kind == RouteProof {
		if s.Route == "" || !same(routeHash(lastPart(address)), s.Route) {
			return ErrUnverified
		}
		return nil
	}
	if key == "" {
		return ErrUnverified
	}
	good := false
	switch v.Kind {
	case TwilioProof:
		good = verifyTwilio(key, r, address, text, body)
	case HMACProof:
		good = v.verifyHMAC(key, r, address, text, body)
	case BasicProof:
		user, password, has := r.BasicAuth()
		goodUser, goodPassword := same(user, v.User), same(password, key)
		good = has && goodUser && goodPassword
	case HeaderProof:
		good = same(r.Header.Get(v.Header), key)
	}
	if !good {
		return ErrUnverified
	}
	if v.Kind == HMACProof && v.Timestamp != "" {
		return fresh(r.Header.Get(v.Timestamp), now)
	}
	return nil
}

// same compares in a time that doesn't depend on where the texts differ.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func lastPart(u *url.URL) string { return u.Path[strings.LastIndexByte(u.Path, '/')+1:] }

func fresh(seconds string, now time.Time) error {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n < 0 || n > 1<<40 {
		return ErrUnverified
	}
	if age := now.Sub(time.Unix(n, 0)); age > MaxAge || age < -MaxAge {
		return ErrStale
	}
	return nil
}

// verifyTwilio verifies X-Twilio-Signature: HMAC-SHA1, in base64, of the address and of the parameters, each a name and
// its value, by name; of one that comes twice each value once, in order. As Twilio's own libraries do it takes the
// address with its port or without.
func verifyTwilio(key string, r *http.Request, address *url.URL, text string, body []byte) bool {
	given := r.Header.Get("X-Twilio-Signature")
	form, err := url.ParseQuery(string(body))
	if given == "" || err != nil {
		return false
	}
	var params strings.Builder
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range slices.Compact(slices.Sorted(slices.Values(form[name]))) {
			params.WriteString(name + value)
		}
	}
	good := false
	for _, one := range withAndWithoutPort(address, text) {
		mac := hmac.New(sha1.New, []byte(key))
		mac.Write([]byte(one + params.String()))
		good = same(base64.StdEncoding.EncodeToString(mac.Sum(nil)), given) || good
	}
	return good
}

func withAndWithoutPort(u *url.URL, text string) []string {
	host := u.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := "443"
	if u.Scheme == "http" {
		port = "80"
	}
	begin := u.Scheme + "://"
	rest := strings.TrimPrefix(text, begin+u.Host) // as it was written
	all := []string{text, begin + host + rest}
	if u.Port() == "" {
		all = append(all, begin+net.JoinHostPort(u.Hostname(), port)+rest)
	}
	return all
}

// verifyHMAC verifies a header with an HMAC-SHA256.
func (v *Verify) verifyHMAC(key string, r *http.Request, address *url.URL, text string, body []byte) bool {
	given, has := strings.CutPrefix(r.Header.Get(v.Header), v.Prefix)
	if !has || given == "" {
		return false
	}
	var sum []byte
	var err error
	if v.Encoding == "base64" {
		sum, err = base64.StdEncoding.DecodeString(given)
	} else {
		sum, err = hex.DecodeString(given)
	}
	if err != nil || len(sum) != sha256.Size {
		return false
	}
	digest := md5.Sum(body)
	signed := values{"body": string(body), "md5": hex.EncodeToString(digest[:]), "method": r.Method, "url": text,
		"path": address.RequestURI(), "timestamp": header(r, v.Timestamp), "nonce": header(r, v.Nonce)}
	good := false
	for _, what := range v.Signed {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(signed.fill(what, nil)))
		good = hmac.Equal(mac.Sum(nil), sum) || good
	}
	return good
}

func header(r *http.Request, name string) string {
	if name == "" {
		return ""
	}
	return r.Header.Get(name)
}
