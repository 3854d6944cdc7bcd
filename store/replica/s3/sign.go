package s3

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// credentials sign requests. token is of temporary ones.
type credentials struct{ id, secret, token string }

const (
	algorithm = "AWS4-HMAC-SHA256"
	dayFormat = "20060102"
	timestamp = "20060102T150405Z"
)

// sign adds the headers of Signature Version 4 to a request whose content has that SHA-256 in hex: see
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. All headers that the request has are
// signed.
func (c credentials) sign(r *http.Request, region, content string, now time.Time) {
	now = now.UTC()
	r.Header.Set("X-Amz-Date", now.Format(timestamp))
	r.Header.Set("X-Amz-Content-Sha256", content)
	if c.token != "" {
		r.Header.Set("X-Amz-Security-Token", c.token)
	}
	names := []string{"host"}
	for name := range r.Header {
		names = append(names, strings.ToLower(name))
	}
	slices.Sort(names)
	var headers strings.Builder
	for _, name := range names {
		value := r.URL.Host
		if name != "host" {
			value = strings.TrimSpace(r.Header.Get(name))
		}
		headers.WriteString(name + ":" + value + "\n")
	}
	signed := strings.Join(names, ";")
	parts := []string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, headers.String(), signed, content}
	request := strings.Join(parts, "\n")
	scope := strings.Join([]string{now.Format(dayFormat), region, "s3", "aws4_request"}, "/")
	sum := sha256.Sum256([]byte(request))
	text := strings.Join([]string{algorithm, now.Format(timestamp), scope, hex.EncodeToString(sum[:])}, "\n")
	key := []byte("AWS4" + c.secret)
	for _, part := range []string{now.Format(dayFormat), region, "s3", "aws4_request", text} {
		key = mac(key, part)
	}
	r.Header.Set("Authorization", algorithm+" Credential="+c.id+"/"+scope+", SignedHeaders="+signed+
		", Signature="+hex.EncodeToString(key))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// escape returns the URI encoding of the signature: everything but letters, digits, "-", ".", "_" and "~".
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// escapePath leaves the slashes.
func escapePath(s string) string { return strings.ReplaceAll(escape(s), "%2F", "/") }

// query writes parameters as the signature wants them: sorted by name.
func query(params map[string]string) string {
	var all []string
	for name, value := range params {
		all = append(all, escape(name)+"="+escape(value))
	}
	slices.Sort(all)
	return strings.Join(all, "&")
}
