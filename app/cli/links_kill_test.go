package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/store/enginetest"
)

// Two servers have 64 clients who all book by the same links, each good for one booking, while one of the two is killed,
// again and again: no link is used twice, each stands for one booking, and no acknowledged booking is lost.
func TestKillAmidSingleUseLinks(t *testing.T) {
	const clients, links = 64, 4 // links in a round, each to a service of its own
	c := startCluster(t, enginetest.Place(t), links)
	type link struct{ ID, URL, EventType, token string }
	var all []*link
	var acknowledged sync.Map // of a booking's id the link
	var refused, unanswered atomic.Int64
	for round := range *rounds {
		dies := round % 2
		lives := 1 - dies
		fresh := make([]*link, links)
		for i := range fresh {
			fresh[i] = &link{}
			status, answer, err := c.ask(c.nodes[lives].url, "POST", "/api/v1/invitations", fmt.Sprintf(`{"eventType":"e%d"}`, i))
			if err == nil {
				err = json.Unmarshal(answer, fresh[i])
			}
			if err != nil || status != http.StatusCreated {
				t.Fatalf("the link: %d %s, %v", status, answer, err)
			}
			fresh[i].token = fresh[i].URL[len(fresh[i].URL)-26:]
		}
		all = append(all, fresh...)
		// book claims a link for the client's own time, and reports whether there was an answer.
		book := func(url string, l *link, client int) bool {
			at := c.first.Add(time.Duration(round*clients+client) * 15 * time.Minute).Format(time.RFC3339)
			body := fmt.Sprintf(`{"eventType":%q,"invitation":%q,"start":%q,"invitee":{"name":"P","email":"p%d@mail.example"}}`,
				l.EventType, l.token, at, client)
			status, answer, err := c.ask(url, "POST", "/api/v1/bookings", body)
			var got struct {
				ID    string
				Error struct {
					Details struct{ Reason, BookingID string }
				}
			}
			if err == nil {
				err = json.Unmarshal(answer, &got)
			}
			switch {
			case err != nil:
				return false
			case status == http.StatusCreated:
				acknowledged.Store(got.ID, l.ID)
			case status == http.StatusConflict && got.Error.Details.Reason == "already_booked": // before the server died
				acknowledged.Store(got.Error.Details.BookingID, l.ID)
			case status == http.StatusConflict && got.Error.Details.Reason == "invitation_used":
				refused.Add(1)
			default:
				t.Errorf("round %d: %d %s", round, status, answer)
			}
			return true
		}
		dead, living := c.nodes[dies], c.nodes[lives]
		var answered atomic.Int64 // by the server that is killed
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for client := range clients {
			wg.Go(func() {
				<-begin
				for i := range fresh {
					l := fresh[(client+i)%links]
					if (client+i)%2 == 0 {
						if book(dead.url, l, client) {
							answered.Add(1)
							continue
						}
						unanswered.Add(1)
					}
					if !book(living.url, l, client) {
						t.Errorf("round %d: the server that lives does not answer", round)
					}
				}
			})
		}
		close(begin)
		enough := rand.Int64N(100) // the moment of the kill is what is tried
		apptest.Eventually(t, "the server that will be killed answers", func() bool { return answered.Load() >= enough })
		if err := dead.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		dead.cmd.Wait() // killed: it has no exit code to look at
		wg.Wait()
		c.start(t, dies)
	}
	bookings := c.bookings(t, c.nodes[0].url)
	told := map[string]int{}
	acknowledged.Range(func(id, of any) bool {
		if told[of.(string)]++; !bookings[id.(string)] {
			t.Errorf("booking %s was acknowledged and is gone", id)
		}
		return true
	})
	for _, l := range all {
		status, answer, err := c.ask(c.nodes[1].url, "GET", "/api/v1/invitations/"+l.ID, "")
		var now struct{ Used int }
		if err == nil {
			err = json.Unmarshal(answer, &now)
		}
		if err != nil || status != http.StatusOK || now.Used != 1 || told[l.ID] > 1 {
			t.Errorf("link %s: %d acknowledged bookings, %d %s, %v", l.ID, told[l.ID], status, answer, err)
		}
	}
	if len(bookings) != len(all) {
		t.Errorf("%d bookings by %d links", len(bookings), len(all))
	}
	if refused.Load() == 0 || unanswered.Load() == 0 {
		t.Errorf("nothing was tried: %d refused, %d links acknowledged", refused.Load(), len(told))
	}
	t.Logf("%d links, %d of them acknowledged, %d refused, %d without an answer in %d rounds", len(all), len(told),
		refused.Load(), unanswered.Load(), *rounds)
}
