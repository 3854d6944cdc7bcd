package slot

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata")

// TestGolden reads testdata/*.txt: what the case is about, a request, "---" and
// the answer of Explain. Wall-clock times are in the zone of the last zone line.
//
//	zone    Europe/Berlin
//	now     2027-03-01 00:00
//	from    2027-03-28 00:00          and to
//	rules   duration=30m step=15m before=5m after=5m notice=1h window=240h perday=2 seats=3 party=2 inactive
//	dates   2027-03-28 18:00 2027-04-04 18:00
//	limit   3
//	host                              what follows is his
//	weekly  sun 09:00-12:00 13:00-17:00
//	override 2027-03-28 10:00-11:00
//	booked  2027-03-28 09:00 30m before=5m after=5m seats=2 other
//	off     2027-03-28 09:00 2h       and busy
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d cases in testdata, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			question, want, ok := strings.Cut(string(text), "---\n")
			if !ok {
				t.Fatal("no line ---")
			}
			r := readCase(t, question)
			got := writeAnswer(r)
			if *update {
				if err := os.WriteFile(file, []byte(question+"---\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got != want && !*update {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			checkAgrees(t, r)
		})
	}
}

func writeAnswer(r *Request) string {
	var b strings.Builder
	slots, closed := Explain(r)
	line := func(start, end int64) {
		fmt.Fprintf(&b, "%s  %v", stamp(r, start), time.Duration(end-start)*time.Millisecond)
	}
	for _, s := range slots {
		for len(closed) > 0 && closed[0].Start < s.Start {
			line(closed[0].Start, closed[0].End)
			fmt.Fprintf(&b, "  host %d: %s\n", closed[0].Host, closed[0].Reason)
			closed = closed[1:]
		}
		line(s.Start, s.End)
		fmt.Fprintf(&b, "  open, hosts %v, %d left\n", s.Hosts, s.SeatsRemaining)
	}
	for _, c := range closed {
		line(c.Start, c.End)
		fmt.Fprintf(&b, "  host %d: %s\n", c.Host, c.Reason)
	}
	return b.String()
}

// checkAgrees asks Check for every start of the answer and the minutes between.
func checkAgrees(t *testing.T, r *Request) {
	t.Helper()
	all := *r
	all.Limit = 0
	offered := map[[2]int64]bool{}
	for _, s := range Find(&all) {
		for _, h := range s.Hosts {
			offered[[2]int64{s.Start, int64(h)}] = true
			if r.Check(s.Start, h).Reason != Open {
				t.Errorf("Check closes what Find offers: %s, host %d", stamp(r, s.Start), h)
			}
		}
	}
	for start := r.From; start < r.To; start += minuteMs {
		for h := range r.Hosts {
			if r.Check(start, h).Reason == Open && !offered[[2]int64{start, int64(h)}] {
				t.Errorf("Check opens what Find does not offer: %s, host %d", stamp(r, start), h)
			}
		}
	}
}
