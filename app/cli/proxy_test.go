package cli_test

import (
	"net/http"
	"strings"
	"testing"

	"daybook/app/apptest"
)

// doctor warns of a proxy on the server's machine that the server doesn't trust, until the same flags name it.
func TestDoctorTellsOfAnUnknownProxy(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir)
	doctor := func(args ...string) string {
		return string(daybook(t, dir, "", append([]string{"doctor", "--base-url", "http://localhost:8080"}, args...)...))
	}
	const warning = "! address      Requests come from a proxy on the server's machine that is not trusted"
	if said := doctor(); strings.Contains(said, "! address") {
		t.Errorf("before any request:\n%s", said)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Forwarded-For", "203.0.113.9")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	apptest.Eventually(t, "doctor warns", func() bool { return strings.Contains(doctor(), warning) })
	if said := doctor("--trust-proxy", "127.0.0.0/8"); strings.Contains(said, "! address") {
		t.Errorf("with the proxy trusted:\n%s", said)
	}
}
