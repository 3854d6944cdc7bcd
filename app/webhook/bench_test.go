package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/webhook"
	"daybook/app/when"
)

// Each figure is a ratio of two things done one after the other in one process: run with -benchtime 5x, and the median
// of five is reported.
//
//	go test ./app/webhook -run - -bench . -benchtime 5x

const senders = 64

// plain answers at once, or after a while, and counts.
type plain struct {
	*httptest.Server
	n    atomic.Int64
	wait time.Duration
}

func newPlain(b *testing.B, wait time.Duration) *plain {
	p := &plain{wait: wait}
	p.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if p.wait > 0 {
			time.Sleep(p.wait)
		}
		p.n.Add(1)
	}))
	b.Cleanup(p.Close)
	return p
}

// floor sends n bodies by hand: a POST and an HMAC, no queue.
func floor(b *testing.B, url string, body []byte, n int) (perSecond float64) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}
	defer client.CloseIdleConnections()
	began := time.Now()
	var left atomic.Int64
	left.Store(int64(n))
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				t := strconv.FormatInt(time.Now().Unix(), 10)
				m := hmac.New(sha256.New, []byte("whsec_secret"))
				m.Write([]byte(t + "."))
				m.Write(body)
				req, _ := http.NewRequest("POST", url, bytes.NewReader(body))
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("X-Service-Signature", "t="+t+",v1="+hex.EncodeToString(m.Sum(nil)))
				resp, err := client.Do(req)
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	all.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// queue puts n deliveries into the queue, all of the body of a real event.
func (b *bed) queue(e webhook.NewEndpoint, n int) []byte {
	b.T.Helper()
	k := b.mustBook()
	events, err := b.Store.EventsAfter(b.API.Workspace, 0, 1)
	if err != nil {
		b.T.Fatal(err)
	}
	seed, now := events[0], b.Clock.Now()
	for left := n; left > 0; left -= 1000 {
		err := b.Store.Write(context.Background(), func(tx app.Tx) error {
			last, err := tx.(webhook.Tx).LastEvent(b.Workspace.ID)
			if err != nil {
				return err
			}
			for range min(left, 1000) {
				last++
				event := booking.Event{ID: last, WorkspaceID: b.API.Workspace, Kind: seed.Kind, BookingID: k.ID, CreatedAt: when.At(now), Body: seed.Body,
					To: []booking.Recipient{{Delivery: booking.DeliveryID(last) + 1<<30, Endpoint: e.ID}}} // half a second on: clear of the ids that the Service makes
				if err := tx.(webhook.Tx).InsertEvent(&event); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.T.Fatal(err)
		}
	}
	return seed.Body
}

func (b *bed) waiting() bool {
	all, err := b.Webhook.WaitingEndpoints(b.T.Context())
	if err != nil {
		b.T.Fatal(err)
	}
	return len(all) > 0
}

func (b *bed) drain(n int) (perSecond float64) {
	_, stop := b.run(func(o *webhook.Options) { o.PerEndpoint = senders })
	defer stop()
	began := time.Now()
	for b.waiting() {
		time.Sleep(5 * time.Millisecond)
	}
	return float64(n) / time.Since(began).Seconds()
}

// figure reports the median of what b.N rounds measured.
func figure(b *testing.B, unit string, values []float64) {
	slices.Sort(values)
	b.ReportMetric(values[len(values)/2], unit)
	b.ReportMetric(0, "ns/op")
}

func BenchmarkDrain(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
		wait time.Duration
	}{{"instant", 20_000, 0}, {"20ms", 6_400, 20 * time.Millisecond}} {
		b.Run(c.name, func(b *testing.B) {
			var floors, drains, ratios []float64
			for range b.N {
				p := newPlain(b, c.wait)
				bed := newBed(b)
				body := bed.queue(bed.endpoint(p.URL), c.n)
				f := floor(b, p.URL, body, c.n)
				d := bed.drain(c.n)
				floors, drains, ratios = append(floors, f), append(drains, d), append(ratios, d/f)
			}
			figure(b, "floor/s", floors)
			figure(b, "drained/s", drains)
			figure(b, "ratio", ratios)
		})
	}
}

// BenchmarkBookWhileDraining: 32 clients book, alone and while 20,000 deliveries to an instant receiver drain.
func BenchmarkBookWhileDraining(b *testing.B) {
	var alone, during, ratios []float64
	for range b.N {
		p := newPlain(b, 0)
		bed := newBed(b)
		e := bed.endpoint(p.URL)
		bed.queue(e, 20_000)
		if _, err := bed.Webhook.CreateEndpoint(b.Context(), bed.API, webhook.EndpointInput{URL: p.URL, Events: []string{"payment.refunded"}}); err != nil {
			b.Fatal(err)
		}
		a := bed.bookFor(func() bool { return false }, time.Second)
		_, stop := bed.run(func(o *webhook.Options) { o.PerEndpoint = senders })
		d := bed.bookFor(func() bool { return p.n.Load() >= 20_000 }, 2*time.Second)
		stop()
		alone, during, ratios = append(alone, a), append(during, d), append(ratios, d/a)
	}
	figure(b, "alone/s", alone)
	figure(b, "during/s", during)
	figure(b, "ratio", ratios)
}

// BenchmarkBookWithoutEndpoints: 32 clients book where nobody is told, without the loop and with it.
func BenchmarkBookWithoutEndpoints(b *testing.B) {
	var ratios []float64
	for i := range b.N {
		measure := func(loop bool) float64 {
			bed := newBed(b)
			if loop {
				_, stop := bed.run()
				defer stop()
			}
			return bed.bookFor(func() bool { return false }, time.Second)
		}
		var with, without float64
		if i%2 == 0 {
			with, without = measure(true), measure(false)
		} else {
			without, with = measure(false), measure(true)
		}
		ratios = append(ratios, with/without)
	}
	figure(b, "ratio", ratios)
}

// bookFor books with 32 clients until enough, or for as long as most.
func (b *bed) bookFor(enough func() bool, most time.Duration) (perSecond float64) {
	began := time.Now()
	var n atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for !enough() && time.Since(began) < most {
				if _, err := b.book(); err != nil {
					b.T.Error(err)
					return
				}
				n.Add(1)
			}
		})
	}
	all.Wait()
	return float64(n.Load()) / time.Since(began).Seconds()
}

// BenchmarkSickNeighbours: how long after its commit an event reaches an endpoint, when two others are told of it too
// that are well, and when one of them hangs and the other answers 500.
func BenchmarkSickNeighbours(b *testing.B) {
	var well, sick, ratios []float64
	for range b.N {
		w, s := delays(b, http.StatusOK, false), delays(b, http.StatusInternalServerError, true)
		well, sick, ratios = append(well, w), append(sick, s), append(ratios, s/w)
	}
	figure(b, "well-ms", well)
	figure(b, "sick-ms", sick)
	figure(b, "ratio", ratios)
}

// delays is the mean, in milliseconds, over 400 events at 200 a second.
func delays(b *testing.B, status int, hang bool) float64 {
	bed := newBed(b)
	var mu sync.Mutex
	arrived := map[string]time.Time{}
	good := newReceiver(b, nil)
	good.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _, booking := eventOf(b, body)
		mu.Lock()
		arrived[booking] = time.Now()
		mu.Unlock()
	})
	one := newReceiver(b, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	two := newReceiver(b, func(_ http.ResponseWriter, r *http.Request) {
		if hang {
			<-r.Context().Done()
		}
	})
	bed.endpoint(good.URL)
	bed.endpoint(one.URL)
	bed.endpoint(two.URL)
	_, stop := bed.run(func(o *webhook.Options) { o.Grace = time.Millisecond })
	committed := map[string]time.Time{}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	const events = 400
	for range events {
		<-tick.C
		k := bed.mustBook()
		committed[k.ID.String()] = time.Now()
	}
	apptest.Eventually(b, "all arrived", func() bool { mu.Lock(); defer mu.Unlock(); return len(arrived) == events })
	stop()
	sum := 0.0
	for id, at := range arrived {
		sum += max(0, at.Sub(committed[id]).Seconds()*1000)
	}
	if sum == 0 {
		b.Fatal(fmt.Errorf("no delay was measured"))
	}
	return sum / events
}
