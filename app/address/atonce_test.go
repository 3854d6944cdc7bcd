package address_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"daybook/app/address"
)

// An answer is read when it has a place, which it gives back when it is closed, however often.
func TestAnswersAtOnce(t *testing.T) {
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "text") }))
	t.Cleanup(at.Close)
	c := &http.Client{Transport: address.AtOnce{RoundTripper: &http.Transport{}, Places: make(chan struct{}, 2)}}
	t.Cleanup(c.CloseIdleConnections)
	ask := func(ctx context.Context) io.ReadCloser {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return a.Body
	}
	read := func(b io.Reader) error {
		_, err := io.ReadAll(b)
		return err
	}
	first, second := ask(t.Context()), ask(t.Context())
	if err := errors.Join(read(first), read(second)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	third := ask(ctx)
	waits := make(chan error, 1)
	go func() { waits <- read(third) }()
	cancel()
	if err := <-waits; !errors.Is(err, context.Canceled) {
		t.Errorf("a third one is read beside two: %v", err)
	}
	third.Close()
	first.Close()
	first.Close()
	fourth := ask(t.Context())
	if err := read(fourth); err != nil {
		t.Error(err)
	}
	second.Close()
	fourth.Close()
	if n := len(c.Transport.(address.AtOnce).Places); n != 0 {
		t.Errorf("%d places are kept", n)
	}
}
