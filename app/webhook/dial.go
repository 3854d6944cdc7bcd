package webhook

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"daybook/app/address"
)

// newTransport makes the transport for https:// endpoints, or for http:// ones. Every connection is checked once its
// address is known, so a host name that resolves elsewhere after registration gains nothing. There is no proxy and no
// HTTP/2: each delivery has a connection of its own while it is under way.
func newTransport(o *Options, secure bool) http.RoundTripper {
	law := &address.Law{Allow: o.Allow, Option: "--webhook-allow"}
	dialer := &net.Dialer{Timeout: o.Connect, Control: law.Control(secure)}
	return address.Outward{RoundTripper: &http.Transport{
		DialContext:         dialer.DialContext,
		TLSClientConfig:     &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: o.Connect,
		DisableCompression:  true,
		MaxIdleConns:        o.Total,
		MaxIdleConnsPerHost: max(o.PerEndpoint, 256),
		// Shorter than the 5 s after which Node and others close idle connections: a request sent at that moment is lost.
		IdleConnTimeout:        4 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}}
}
