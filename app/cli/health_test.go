package cli_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"daybook/app/apptest"
)

// answer asks a server for a text.
func answer(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", url, res.StatusCode, text, err)
	}
	return string(text)
}

// /readyz says when the first copy of the database stands, and so does a metric. Nothing waits for a target that is down.
func TestReadyTellsOfTheFirstCopy(t *testing.T) {
	dir, copies := t.TempDir(), t.TempDir()
	t.Setenv("AWS_ACCESS_KEY_ID", "k")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "s")
	none := startServer(t, dir)
	if said := answer(t, none.url+"/readyz"); said != "ok\n" {
		t.Errorf("without a replica: %q", said)
	}
	down := startServer(t, t.TempDir(), "--replica", "s3://salon/copies?endpoint=http://127.0.0.1:1&region=x")
	if said := answer(t, down.url+"/readyz"); said != "ok\nreplica: no copy yet\n" {
		t.Errorf("with a target that is down: %q", said)
	}
	if metrics := answer(t, down.url+"/metrics"); !strings.Contains(metrics, "\ndaybook_replica_first_copy 0\n") {
		t.Error("the metric is missing with a target that is down")
	}
	up := startServer(t, t.TempDir(), "--replica", "file://"+copies+"/salon")
	apptest.Eventually(t, "a copy stands", func() bool { return answer(t, up.url+"/readyz") == "ok\nreplica: the first copy stands\n" })
	if metrics := answer(t, up.url+"/metrics"); !strings.Contains(metrics, "\ndaybook_replica_first_copy 1\n") {
		t.Error("the metric does not tell of the first copy")
	}
}
