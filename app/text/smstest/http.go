package smstest

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func copyBody(to io.Writer, r *http.Request) (int64, error) {
	return io.Copy(to, io.LimitReader(r.Body, 1<<20))
}

func bodyOf(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

// post makes a request of a service.
func post(t testing.TB, address, kind, body string, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func hexMAC(key, text string) string {
	m := hmac.New(sha256.New, []byte(key))
	io.WriteString(m, text)
	return fmt.Sprintf("%x", m.Sum(nil))
}
