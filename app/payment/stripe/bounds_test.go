package stripe_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/app/payment/stripe"
)

// An answer that goes on and on is given up, though the library reads each as a whole.
func TestAnswersAreBounded(t *testing.T) {
	padding := ""
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":"acct_1","object":"account","livemode":false}`+padding)
	}))
	t.Cleanup(at.Close)
	s := stripe.New(at.URL)
	if a, err := s.Account(t.Context(), "sk_test_1"); err != nil || a.ID != "acct_1" {
		t.Fatal(a, err)
	}
	padding = strings.Repeat(" ", 5<<20)
	if a, err := s.Account(t.Context(), "sk_test_1"); err == nil {
		t.Errorf("5 MiB were read: %+v", a)
	}
}
