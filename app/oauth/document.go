package oauth

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"daybook/app/address"
)

// A client may be known by the address of a document about it instead of a registration
// (draft-ietf-oauth-client-id-metadata-document, here "CIMD"; MCP's authorization of 2025-11-25 wants it first).
const (
	maxDocument   = 5 << 10         // CIMD §6.6
	documentTime  = 5 * time.Second // for all of it
	documentKept  = 10 * time.Minute
	failureKept   = 30 * time.Second // so that a page that is loaded again does not ask again
	maxDocuments  = 500
	maxDocumentID = 1000 // characters of its address
	readAtOnce    = 8    // documents of all members: HTTP/2 takes in up to 4 MB before anybody reads it
)

func errNoDocument(text string) *Error {
	return refuse(InvalidClient, "the document of the client_id can't be used: "+text)
}

// checkDocumentID says what is wrong with the address of a client's document, "" for nothing (CIMD §3).
func checkDocumentID(text string) string {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxDocumentID:
		return "its address is too long"
	case err != nil || u.Scheme != "https" || u.Hostname() == "":
		return "its address must be https"
	case u.User != nil || strings.Contains(text, "#"):
		return "its address must have no user name and no fragment"
	case u.Path == "" || u.Path == "/":
		return "its address must have a path"
	case path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") || strings.Contains(u.EscapedPath(), "%2e") ||
		strings.Contains(u.EscapedPath(), "%2E"):
		return "its path must have no segments . and .."
	}
	return ""
}

// documents keeps the documents that were read lately.
type documents struct {
	mu   sync.Mutex
	kept map[string]keptDocument
}

type keptDocument struct {
	client Client
	wrong  *Error
	until  time.Time
}

func (d *documents) find(key string, now time.Time) (keptDocument, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	k, ok := d.kept[key]
	return k, ok && now.Before(k.until) && now.After(k.until.Add(-documentKept-time.Minute))
}

func (d *documents) keep(key string, k keptDocument) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept == nil || len(d.kept) >= maxDocuments {
		d.kept = map[string]keptDocument{}
	}
	d.kept[key] = k
}

// document finds the client of a document's address. It is asked for a member who is signed in only, so that strangers
// can't have the server call places. The error is *Error.
func (s *Service) document(ctx context.Context, key string) (Client, error) {
	if wrong := checkDocumentID(key); wrong != "" {
		return Client{}, errNoDocument(wrong)
	}
	now := s.Core.Now()
	k, ok := s.documents.find(key, now)
	if !ok {
		k = keptDocument{until: now.Add(documentKept)}
		if k.client, k.wrong = s.read(ctx, key); k.wrong != nil {
			k.until = now.Add(failureKept)
		}
		if ctx.Err() != nil {
			return Client{}, ctx.Err()
		}
		s.documents.keep(key, k)
	}
	if k.wrong != nil {
		return Client{}, k.wrong
	}
	return k.client, nil
}

// documentClient reads documents: each connection obeys the law, and no redirect is followed (CIMD §5, §6.5).
func documentClient(law *address.Law, trust *x509.CertPool) *http.Client {
	dialer := &net.Dialer{Timeout: documentTime, Control: law.Control(true)}
	return &http.Client{Timeout: documentTime,
		Transport: address.Outward{RoundTripper: &http.Transport{DialContext: dialer.DialContext,
			TLSClientConfig: &tls.Config{RootCAs: trust}, TLSHandshakeTimeout: documentTime,
			ResponseHeaderTimeout: documentTime, MaxResponseHeaderBytes: 16 << 10, DisableKeepAlives: true,
			ForceAttemptHTTP2: true}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (s *Service) read(ctx context.Context, key string) (c Client, wrong *Error) {
	ctx, cancel := context.WithTimeout(ctx, documentTime)
	defer cancel()
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	case <-ctx.Done():
		return c, errNoDocument("too many others are read at the moment")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, key, nil)
	if err != nil {
		return c, errNoDocument("its address can't be read")
	}
	r.Header.Set("Accept", "application/json")
	answer, err := s.http.Do(r)
	if err != nil {
		s.Core.Log().Warn("a client's document can't be read", "error", err.Error())
		return c, errNoDocument("it can't be read")
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK { // CIMD §5: nothing else is an answer, and redirects are not followed
		return c, errNoDocument("its server doesn't answer 200")
	}
	media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if media != "application/json" && !strings.HasSuffix(media, "+json") { // CIMD §4
		return c, errNoDocument("it is not JSON")
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	if err != nil || len(body) > maxDocument {
		return c, errNoDocument("it has more than 5 kB, or ends too early")
	}
	var m metadata
	if json.Unmarshal(body, &m) != nil {
		return c, errNoDocument("it is not JSON")
	}
	if m.ClientID != key { // CIMD §4.1: the same, character by character
		return c, errNoDocument("its client_id is another one")
	}
	if strings.HasPrefix(m.Method, "client_secret_") { // CIMD §4.1: whoever reads the document would know the secret
		return c, errNoDocument("its token_endpoint_auth_method needs a secret")
	}
	if c, wrong = m.client(); wrong != nil {
		return c, errNoDocument(wrong.Text)
	}
	c.Document = key
	return c, nil
}
