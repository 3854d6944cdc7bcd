package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/store/enginetest"
)

// Two servers offer what comes free to who waits, while one of the two is killed amid it, again and again: no entry is lost, no
// time is held for two, and each entry is offered at most one time.
func TestKillAmidOffers(t *testing.T) {
	const hosts, waiting = 2, 6 // hosts, and who waits in a round
	c := newCluster(t, enginetest.Place(t), hosts, "--smtp-url", "smtp://127.0.0.1:1?from=crash@mail.example&tls=none")
	// Offers are made by day: the workspace is where it is noon.
	setup := strings.Replace(roundTheClock(hosts), "timeZone: UTC", "timeZone: "+noon(), 1)
	if !strings.Contains(setup, noon()) {
		t.Fatal("the set-up has another zone")
	}
	if err := os.WriteFile(filepath.Join(c.dir, "w.yaml"), []byte(setup), 0o600); err != nil {
		t.Fatal(err)
	}
	daybook(t, c.dir, "", "workspace", "apply", "w.yaml", "--db", c.place)
	for i := range c.nodes {
		c.start(t, i)
	}
	day := c.first.AddDate(0, 0, -1).Format(time.DateOnly)
	last := c.first.AddDate(0, 0, 20).Format(time.DateOnly)
	type entry struct {
		ID, Status string
		Offer      *struct{ Start, Host string }
	}
	var all []string
	get := func(url, id string) (e entry) {
		t.Helper()
		status, answer, err := c.ask(url, "GET", "/api/v1/waitlist/"+id, "")
		if err == nil {
			err = json.Unmarshal(answer, &e)
		}
		if err != nil || status != http.StatusOK {
			t.Fatalf("entry %s: %d %s, %v", id, status, answer, err)
		}
		return e
	}
	for round := range *rounds {
		dies, lives := round%2, 1-round%2
		living, dead := c.nodes[lives], c.nodes[dies]
		var ids []string
		for i := range waiting {
			body := fmt.Sprintf(`{"items":[{"eventType":"e%d"}],"wishes":[{"from":%q,"to":%q}],"invitee":{"name":"P","email":"w%d-%d@mail.example"}}`,
				i%hosts, day, last, round, i)
			status, answer, err := c.ask(living.url, "POST", "/api/v1/waitlist", body)
			var e entry
			if err == nil {
				err = json.Unmarshal(answer, &e)
			}
			if err != nil || status != http.StatusCreated {
				t.Fatalf("waiting: %d %s, %v", status, answer, err)
			}
			ids = append(ids, e.ID)
		}
		all = append(all, ids...)
		var booked []string
		for i := range waiting {
			status, answer, err := c.book(living.url, i%hosts, round*waiting+i, fmt.Sprintf("b%d-%d@mail.example", round, i))
			var b struct{ ID string }
			if err == nil {
				err = json.Unmarshal(answer, &b)
			}
			if err != nil || status != http.StatusCreated {
				t.Fatalf("booking: %d %s, %v", status, answer, err)
			}
			booked = append(booked, b.ID)
		}
		var wg sync.WaitGroup
		for i, id := range booked {
			wg.Go(func() {
				url := living.url
				if i%2 == 0 {
					url = dead.url
				}
				c.ask(url, "POST", "/api/v1/bookings/"+id+"/cancel", "") // perhaps there is no answer
			})
		}
		time.AfterFunc(time.Duration(round%12)*100*time.Millisecond, func() { dead.cmd.Process.Kill() }) // the moment is what is tried
		dead.cmd.Wait()
		wg.Wait()
		for _, id := range booked {
			if status, answer, err := c.ask(living.url, "POST", "/api/v1/bookings/"+id+"/cancel", ""); err != nil || status != http.StatusOK {
				t.Fatalf("cancel: %d %s, %v", status, answer, err)
			}
		}
		apptest.EventuallyWithin(t, time.Minute, "each of them is offered a time", func() bool {
			for _, id := range ids {
				if get(living.url, id).Offer == nil {
					return false
				}
			}
			return true
		})
		held := map[string]string{}
		for _, id := range ids {
			e := get(living.url, id)
			at := e.Offer.Host + " " + e.Offer.Start
			if other := held[at]; other != "" {
				t.Errorf("round %d: %s is offered to %s and to %s", round, at, other, id)
			}
			held[at] = id
			if status, answer, err := c.ask(living.url, "DELETE", "/api/v1/waitlist/"+id, ""); err != nil || status != http.StatusNoContent {
				t.Fatalf("end: %d %s, %v", status, answer, err)
			}
		}
		c.start(t, dies)
	}
	for _, id := range all {
		if e := get(c.nodes[0].url, id); e.Status != "ended" {
			t.Errorf("entry %s is %s", id, e.Status)
		}
	}
	t.Logf("%d entries in %d rounds", len(all), *rounds)
}

// noon returns a zone in which it is about noon now.
func noon() string {
	ahead := 12 - time.Now().UTC().Hour() // at most 12 either way
	return fmt.Sprintf("Etc/GMT%+d", -ahead)
}
