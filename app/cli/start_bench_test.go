package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"daybook/store/storetest"
)

// BenchmarkStart measures how long `daybook serve` takes from its start to its first answer on a database of a million
// bookings, and how much memory of its own it holds idle (RssAnon; what it maps of files, the kernel takes back at will).
//
//	go test ./app/cli -run XXX -bench BenchmarkStart -benchtime 5x -timeout 20m
func BenchmarkStart(b *testing.B) {
	path := storetest.NewMany(b, 1_000_000).Store.Path()
	var took time.Duration
	var anon, rss float64
	for b.Loop() {
		began := time.Now()
		s := startServer(b, filepath.Dir(path), "--db", path)
		res, err := http.Get(s.url + "/readyz")
		if err != nil || res.StatusCode != 200 {
			b.Fatalf("%v, %v", res, err)
		}
		res.Body.Close()
		took += time.Since(began)
		time.Sleep(time.Second) // what is measured is memory after a second in which nothing happens
		anon, rss = memory(b, s.cmd.Process.Pid, "RssAnon"), memory(b, s.cmd.Process.Pid, "VmRSS")
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
	b.ReportMetric(took.Seconds()*1e3/float64(b.N), "start-ms")
	b.ReportMetric(anon, "idle-MB")
	b.ReportMetric(rss, "idle-rss-MB")
}

func memory(b *testing.B, pid int, name string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skipf("no /proc here: %v", err)
	}
	found := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(text)
	kb, err := strconv.Atoi(string(found[1]))
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1000
}
