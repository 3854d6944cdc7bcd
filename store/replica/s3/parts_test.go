package s3

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// A large object is sent in parts and comes back whole. Where a part fails, or the last call does although it is
// answered 200, nothing is there and nothing is left behind.
func TestParts(t *testing.T) {
	backend := s3mem.New()
	if err := backend.CreateBucket("salon"); err != nil {
		t.Fatal(err)
	}
	works := gofakes3.New(backend).Server()
	var calls []string
	var breaks func(w http.ResponseWriter, r *http.Request) bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls = append(calls, r.Method+" "+r.URL.Query().Get("partNumber"))
		if breaks == nil || !breaks(w, r) {
			works.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	o, err := Open(&url.URL{Scheme: "s3", Host: "salon", Path: "/copies", RawQuery: "endpoint=" + url.QueryEscape(server.URL)})
	if err != nil {
		t.Fatal(err)
	}
	b := o.(*Bucket)
	b.part = 5 << 20 // the least that the protocol allows
	content := make([]byte, 12<<20)
	rand.Read(content)

	if err := b.Write(t.Context(), "large", bytes.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(calls, ","), "POST ,PUT 1,PUT 2,PUT 3,POST "; got != want {
		t.Errorf("calls %s, want %s", got, want)
	}
	r, err := b.Read(t.Context(), "large", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	back, err := io.ReadAll(r)
	r.Close()
	if err != nil || !bytes.Equal(back, content) {
		t.Errorf("%d bytes came back, want %d: %v", len(back), len(content), err)
	}

	for name, broken := range map[string]func(w http.ResponseWriter, r *http.Request) bool{
		"a part": func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("partNumber") != "2" {
				return false
			}
			http.Error(w, "<Error><Code>AccessDenied</Code></Error>", http.StatusForbidden)
			return true
		},
		"the last call": func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost || !r.URL.Query().Has("uploadId") {
				return false
			}
			io.WriteString(w, `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>no</Message></Error>`)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls, breaks = nil, broken
			err := b.Write(t.Context(), "broken", bytes.NewReader(content), int64(len(content)))
			breaks = nil
			if f, ok := errors.AsType[*failure](err); !ok || f.Code != "AccessDenied" {
				t.Errorf("error %v, want AccessDenied", err)
			}
			if calls[len(calls)-1] != "DELETE " {
				t.Errorf("calls %v: the upload is not removed", calls)
			}
			if _, err := b.Stat(t.Context(), "broken"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it is there: %v", err)
			}
			left, err := http.Get(server.URL + "/salon?uploads")
			if err != nil {
				t.Fatal(err)
			}
			defer left.Body.Close()
			if text, _ := io.ReadAll(left.Body); strings.Contains(string(text), "<Upload>") {
				t.Errorf("left behind: %s", text)
			}
		})
	}
}
