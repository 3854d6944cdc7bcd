package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"daybook/.bench/load"
)

// limit is what 999 of 1,000 answers may take at most.
const limit = 250 * time.Millisecond

// kind is what visitors and programs come for.
type kind struct {
	name    string
	many    int // at scale 1
	status  int
	keep    bool                       // the answer is read
	request func(d *day, i int) string // "" waits for another answer, and comes again
}

var kinds = []kind{
	{name: "page: services", many: 25_000, status: 200, request: func(d *day, i int) string { return load.Get("/day") }},
	{name: "page: month", many: 50_000, status: 200, request: func(d *day, i int) string {
		return load.Get(fmt.Sprintf("/day/host-%d?timeZone=Europe/Berlin&month=%s", i%hosts,
			d.salon.first.AddDate(0, i%3, 0).Format("2006-01")))
	}},
	{name: "page: form", many: 20_000, status: 200, request: func(d *day, i int) string {
		return load.Get(fmt.Sprintf("/day/host-%d?timeZone=Europe/Berlin&start=%s", i%hosts,
			d.start(i%hosts+hosts*(96*20+i/hosts%96)).Format(time.RFC3339)))
	}},
	{name: "page: own booking", many: 5_000, status: 200, request: func(d *day, i int) string {
		b := d.booked(i * 2)
		if b == nil {
			return ""
		}
		return load.Get(b.page)
	}},
	{name: "book", many: 10_000, status: 201, keep: true, request: func(d *day, i int) string {
		return load.Post("/api/v1/bookings", d.booking(i))
	}},
	{name: "book a taken time", many: 1_000, status: 409, request: func(d *day, i int) string {
		if d.booked(i*10) == nil {
			return ""
		}
		return load.Post("/api/v1/bookings", d.booking(i*10))
	}},
	{name: "move", many: 1_000, status: 200, request: func(d *day, i int) string {
		b := d.booked(i*10 + 3)
		if b == nil {
			return ""
		}
		return load.Post("/api/v1/bookings/"+b.id+"/reschedule", fmt.Sprintf(`{"start":%q}`,
			d.start(i*10+3+hosts*96*10).Format(time.RFC3339)))
	}},
	{name: "cancel", many: 500, status: 200, request: func(d *day, i int) string {
		b := d.booked(i*20 + 7)
		if b == nil {
			return ""
		}
		return load.Post("/api/v1/bookings/"+b.id+"/cancel", `{}`)
	}},
	{name: "availability", many: 5_000, status: 200, request: func(d *day, i int) string {
		return load.Get(fmt.Sprintf("/api/v1/availability?eventType=host-%d&timeZone=Europe/Berlin&from=%s&days=14", i%hosts,
			d.salon.first.Format(time.DateOnly)))
	}},
	{name: "list", many: 1_000, status: 200, request: func(d *day, i int) string {
		return load.Get("/api/v1/bookings?limit=50&from=" + d.start(i*10).Format(time.RFC3339))
	}},
	{name: "agent", many: 1_000, status: 200, request: func(d *day, i int) string {
		return load.Tool("check_availability", fmt.Sprintf(`{"eventType":"host-%d","from":%q,"limit":20}`, i%hosts,
			d.salon.first.Format(time.DateOnly)))
	}},
}

// visit is one request, at a time after the beginning.
type visit struct {
	kind  *kind
	i     int
	at    time.Duration
	took  time.Duration
	tries int
}

// made is what is known of a booking.
type made struct{ id, page string }

type day struct {
	salon  *salon
	span   time.Duration
	visits []visit
	posted []atomic.Pointer[made]
	ok     map[string]*atomic.Int64
}

// newDay draws when visitors come: in the middle of the day nine times as many as at its ends.
func newDay(s *salon, scale float64, span time.Duration) *day {
	d := &day{salon: s, span: span, ok: map[string]*atomic.Int64{}}
	random := rand.New(rand.NewPCG(19, 2026))
	for k := range kinds {
		n := max(int(float64(kinds[k].many)*scale), 1)
		d.ok[kinds[k].name] = new(atomic.Int64)
		if kinds[k].name == "book" {
			d.posted = make([]atomic.Pointer[made], n)
		}
		for i := range n {
			// Those of a kind come in their order, each at any time within its part of the day.
			part := hour((float64(i) + random.Float64()) / float64(n))
			d.visits = append(d.visits, visit{kind: &kinds[k], i: i, at: time.Duration(float64(span) * part)})
		}
	}
	slices.SortStableFunc(d.visits, func(a, b visit) int { return cmp.Compare(a.at, b.at) })
	return d
}

// hour is when, as a part of the day, a part of all visitors has come: their density is 1 − 0.8·cos 2πt.
func hour(part float64) float64 {
	low, high := 0.0, 1.0
	for range 40 {
		t := (low + high) / 2
		if t-0.8*math.Sin(2*math.Pi*t)/(2*math.Pi) < part {
			low = t
		} else {
			high = t
		}
	}
	return low
}

// start is the i-th quarter of an hour: of host i%hosts.
func (d *day) start(i int) time.Time {
	return d.salon.first.Add(time.Duration(i/hosts) * 15 * time.Minute)
}

func (d *day) booking(i int) string {
	return fmt.Sprintf(`{"eventType":"host-%d","start":%q,
		"invitee":{"name":"Bo Berg","email":"bo%d@bench.example","locale":"de"}}`, i%hosts,
		d.start(i).Format(time.RFC3339), i/3)
}

// booked is the i-th booking, or nil as long as its answer isn't there.
func (d *day) booked(i int) *made { return d.posted[i%len(d.posted)].Load() }

func (d *day) made() int            { return d.done("book") }
func (d *day) done(name string) int { return int(d.ok[name].Load()) }

// live lets the visitors come, each at their time.
func (d *day) live(ctx context.Context, clients int) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan *visit, len(d.visits))
	var all sync.WaitGroup
	began := time.Now()
	var left atomic.Int64
	left.Store(int64(len(d.visits)))
	for range clients {
		c, err := load.Dial(d.salon.server.Address, "Authorization: Bearer "+d.salon.key+"\r\n")
		if err != nil {
			return err
		}
		defer c.Close()
		all.Go(func() {
			for v := range queue {
				if ctx.Err() != nil {
					return
				}
				if err := d.ask(c, v, began, queue); err != nil {
					stop(err)
					return
				}
				if v.took > 0 && left.Add(-1) == 0 {
					stop(errDone)
					return
				}
			}
		})
	}
	for i := range d.visits {
		select {
		case <-ctx.Done():
		case <-time.After(time.Until(began.Add(d.visits[i].at))):
		}
		if ctx.Err() != nil {
			break
		}
		queue <- &d.visits[i]
	}
	<-ctx.Done()
	close(queue)
	all.Wait()
	if err := context.Cause(ctx); err != errDone {
		return err
	}
	return nil
}

var errDone = errors.New("all visitors have gone")

// ask is one request. One that needs another's answer first comes again a little later.
func (d *day) ask(c *load.Conn, v *visit, began time.Time, queue chan<- *visit) error {
	request := v.kind.request(d, v.i)
	if request == "" {
		if v.tries++; v.tries > 100 {
			return fmt.Errorf("%s %d waits in vain for a booking", v.kind.name, v.i)
		}
		v.at = time.Since(began) + 300*time.Millisecond
		time.AfterFunc(300*time.Millisecond, func() { queue <- v })
		return nil
	}
	answer, err := c.Ask(c.Wire(request), v.kind.status, v.kind.keep)
	if err != nil {
		return fmt.Errorf("%s %d: %w", v.kind.name, v.i, err)
	}
	v.took = max(time.Since(began)-v.at, 1)
	d.ok[v.kind.name].Add(1)
	if v.kind.keep {
		m := &made{id: text(answer, `"id":"bk_`), page: text(answer, `"manageUrl":"http`)}
		u, err := url.Parse("http" + m.page)
		if err != nil || m.id == "" || m.page == "" {
			return fmt.Errorf("a booking's answer is %s", answer)
		}
		m.id, m.page = "bk_"+m.id, u.RequestURI()
		d.posted[v.i].Store(m)
	}
	return nil
}

// text is what follows a word of JSON, up to the next quotation mark.
func text(answer []byte, after string) string {
	_, rest, _ := bytes.Cut(answer, []byte(after))
	value, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(value)
}

// print shows the times, and judges those of all.
func (d *day) print() error {
	fmt.Printf("%-20s %8s %9s %9s %9s %9s  %s\n", "", "requests", "p50 ms", "p99 ms", "p99.9 ms", "max ms",
		"the longest came at")
	row := func(name string, of []*visit) time.Duration {
		slices.SortFunc(of, func(a, b *visit) int { return cmp.Compare(a.took, b.took) })
		at := func(p float64) time.Duration { return of[min(len(of)-1, int(p*float64(len(of))))].took }
		last := of[len(of)-1]
		ms := func(t time.Duration) float64 { return float64(t) / float64(time.Millisecond) }
		fmt.Printf("%-20s %8d %9.2f %9.2f %9.2f %9.1f  %s (%s %d)\n", name, len(of), ms(at(.5)), ms(at(.99)), ms(at(.999)),
			ms(last.took), last.at.Round(time.Millisecond), last.kind.name, last.i)
		return at(.999)
	}
	var all []*visit
	for k := range kinds {
		var of []*visit
		for i := range d.visits {
			if d.visits[i].kind == &kinds[k] {
				of = append(of, &d.visits[i])
			}
		}
		row(kinds[k].name, of)
		all = append(all, of...)
	}
	if p := row("all", all); p > limit {
		return fmt.Errorf("p99.9 is %s, more than %s", p.Round(time.Millisecond), limit)
	}
	return nil
}
