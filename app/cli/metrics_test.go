package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// What /metrics tells is as Prometheus' own check wants it, and has what pages an operator: queues, database, disk, loops,
// connections, bookings, and what Health found.
func TestMetricsAreSound(t *testing.T) {
	dir := t.TempDir()
	token := filepath.Join(dir, "metrics.token")
	if err := os.WriteFile(token, []byte("a-token-of-the-metrics\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, dir, "--replica", "file://"+t.TempDir()+"/salon", "--metrics-token-file", token)
	text := answer(t, s.url+"/metrics")
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "daybook_") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
	for _, want := range []string{
		`daybook_check_state{about="",check="disk"} `, `daybook_check_state{about="",check="mail"} 0`, `daybook_check_state{about="",check="loops"} 0`,
		`daybook_queue_due{queue="mail"} 0`, `daybook_queue_late_seconds{queue="webhooks"} 0`, `daybook_queue_due{queue="payments"} 0`,
		`daybook_queue_due{queue="push"} 0`, `daybook_queue_due{queue="calendars_read"} 0`, "daybook_booking_changes_total 0",
		"daybook_database_bytes ", "daybook_database_log_bytes ", "daybook_disk_free_bytes ", "daybook_disk_size_bytes ",
		"daybook_database_connections_used ", "daybook_database_connections_limit ", `daybook_loop_failures_total{loop="health"} 0`,
		"daybook_http_connections 1", "daybook_http_rate_limited_total 0", "daybook_replica_first_copy ",
		`daybook_mails_total{outcome="sent"} 0`, `daybook_mails_total{outcome="failed"} 0`, `daybook_mails_total{outcome="given_up"} 0`,
		`daybook_mails_total{outcome="dropped"} 0`,
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("there is no %s", want)
		}
	}
	if strings.Contains(text, "timestamp_seconds 0\n") || regexp.MustCompile(`timestamp_seconds\{[^}]*\} 0\n`).MatchString(text) {
		t.Error("what never was is told as 1970")
	}
	if t.Failed() {
		t.Log(text)
	}

	from := func(headers ...string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if status := from("X-Forwarded-For", "203.0.113.9"); status != http.StatusForbidden {
		t.Errorf("from elsewhere: %d", status)
	}
	if status := from("X-Forwarded-For", "203.0.113.9", "Authorization", "Bearer a-token-of-the-metrics"); status != http.StatusOK {
		t.Errorf("from elsewhere with the token: %d", status)
	}
}
