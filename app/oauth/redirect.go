package oauth

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

const maxRedirect = 2000 // characters

// browserSchemes are what browsers handle themselves, and what would have a code run or be read as a page. None of them
// is an app's own.
var browserSchemes = []string{
	"about", "blob", "chrome", "chrome-extension", "content", "data", "dict", "file", "filesystem", "ftp", "ftps", "git",
	"gopher", "imap", "intent", "irc", "jar", "javascript", "ldap", "ldaps", "mailto", "mms", "moz-extension", "news",
	"nntp", "res", "resource", "sftp", "sip", "sips", "sms", "smb", "ssh", "tel", "telnet", "urn", "vbscript",
	"view-source", "web+http", "ws", "wss", "wyciwyg", "xmpp",
}

// windowsSchemes are what Windows hands to programs of its own, which do as the address says: open a search, a folder,
// a tool. Those that begin with ms- are among them, too.
var windowsSchemes = []string{
	"calculator", "callto", "explorer.shell", "feedback-hub", "help", "hcp", "its", "mk", "mhtml", "ms",
	"onenote", "onenotedesktop", "outlookfeed", "rdp", "read", "search", "search-ms", "shell", "stssync", "tn3270",
	"rlogin", "windowsdefender", "wmp11", "xbox",
}

// checkRedirect says what is wrong with a redirect URI that a client wants to register, "" for nothing:
//
//   - it is absolute and has no fragment (RFC 6749 §3.1.2), nor a name or a password, which nobody needs;
//   - https anywhere; http to the machine that the browser runs on only (RFC 8252 §7.3, RFC 9700 §2.6);
//   - a private-use scheme of an app on that machine (RFC 8252 §7.1). §8.4 wants a period in it, but apps that people
//     use have none (Cursor's is cursor:), so any scheme will do that browsers leave to apps. An app that takes another
//     one's scheme gets a code without its verifier: PKCE makes that useless (RFC 8252 §8.1).
func checkRedirect(text string) string {
	if text == "" || len(text) > maxRedirect {
		return "a redirect URI has 1 to 2000 characters"
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 { // RFC 3986 §2
			return "a redirect URI has the characters of RFC 3986 only"
		}
	}
	u, err := url.Parse(text)
	if err != nil || !u.IsAbs() {
		return "a redirect URI is absolute"
	}
	if strings.Contains(text, "#") {
		return "a redirect URI has no fragment"
	}
	if u.User != nil {
		return "a redirect URI has no user name"
	}
	switch u.Scheme {
	case "https":
		if u.Hostname() == "" || u.Opaque != "" {
			return "a redirect URI names its host"
		}
	case "http":
		if !loopback(u) {
			return "http:// is for redirect URIs on the user's own machine: 127.0.0.1, [::1] or localhost; use https://"
		}
	default:
		if slices.Contains(browserSchemes, u.Scheme) || slices.Contains(windowsSchemes, u.Scheme) ||
			strings.HasPrefix(u.Scheme, "ms-") {
			return "the scheme " + u.Scheme + " is no app's own"
		}
	}
	return ""
}

// loopback reports whether an http address is on the machine that the browser runs on (RFC 8252 §7.3). localhost may
// lead elsewhere on a machine that is set up strangely (§8.3), but clients that people use know no other.
func loopback(u *url.URL) bool {
	if u.Scheme != "http" || u.Opaque != "" {
		return false
	}
	if strings.EqualFold(u.Hostname(), "localhost") {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback()
}

// registered reports whether a redirect URI is one of a client's. They are the same character by character (RFC 9700
// §4.1.3), but that an address on the user's own machine may have any port (RFC 8252 §7.3).
func registered(all []string, asked string) bool {
	if slices.Contains(all, asked) {
		return true
	}
	if checkRedirect(asked) != "" {
		return false
	}
	free := withoutPort(asked)
	return free != "" && slices.ContainsFunc(all, func(known string) bool { return withoutPort(known) == free })
}

// withoutPort returns a loopback address without its port, "" for all others.
func withoutPort(text string) string {
	u, err := url.Parse(text)
	if err != nil || !loopback(u) {
		return ""
	}
	host := u.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	u.Host = host
	return u.String()
}

// withQuery adds to the query of a redirect URI, of which what is there stays (RFC 6749 §3.1.2).
func withQuery(redirect string, q url.Values) string {
	sign := "?"
	if strings.Contains(redirect, "?") {
		sign = "&"
		if strings.HasSuffix(redirect, "?") || strings.HasSuffix(redirect, "&") {
			sign = ""
		}
	}
	return redirect + sign + q.Encode()
}

// Target is where a redirect URI leads, in a form that people recognise: a host, or the scheme of an app.
type Target struct {
	Host string // "" for an app's own scheme
	App  string // the scheme; "" for a host
	Here bool   // it is on the user's own machine
}

// TargetOf returns the Target of a redirect URI, which must have been checked.
func TargetOf(redirect string) Target {
	u, err := url.Parse(redirect)
	if err != nil {
		return Target{}
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return Target{App: u.Scheme, Here: true}
	}
	return Target{Host: u.Host, Here: loopback(u)}
}
