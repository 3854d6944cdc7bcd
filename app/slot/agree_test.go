package slot

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
)

const diaryDays = 5 // around a request, for ranges that begin before it and durations that end after

// agree holds Find, Explain and Check against the oracle, at every probe-th minute.
func agree(t *testing.T, r *Request, probe int64) {
	t.Helper()
	plans := plansOf(r)
	slots, closed := Explain(r)
	if found := Find(r); !reflect.DeepEqual(found, slots) {
		t.Fatalf("Find and Explain differ:\n%v\n%v", found, slots)
	}
	wantSlots, wantClosed := expected(r, plans)
	if !reflect.DeepEqual(slots, wantSlots) {
		t.Fatalf("open\n got %v\nwant %v", describe(r, slots), describe(r, wantSlots))
	}
	if len(closed)+len(wantClosed) > 0 && !reflect.DeepEqual(closed, wantClosed) {
		t.Fatalf("closed\n got %v\nwant %v", describeClosed(r, closed), describeClosed(r, wantClosed))
	}
	for i := range r.Hosts {
		for start := r.From; start < r.To; start += 60_000 {
			p := plans[i]
			if !p.onGrid[start/60_000-p.from] && start/60_000%probe != 0 {
				continue
			}
			got, want := r.Check(start, i), p.verdict(r, &r.Hosts[i], start)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("Check(%s, %d)\n got %+v\nwant %+v", stamp(r, start), i, got, want)
			}
			if want.Reason == Open {
				continue
			}
			for _, waived := range [][]Reason{want.Against.List(), want.Against.List()[1:], {Buffer}, {Busy}, ranked[:]} {
				got, want := r.Waiving(start, i, ReasonsOf(waived...)), p.verdict(r, &r.Hosts[i], start, waived...)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("Waiving(%s, %d, %v)\n got %+v\nwant %+v", stamp(r, start), i, waived, got, want)
				}
			}
		}
	}
	agreeMinutes(t, r, slots)
	agreeEveryMinute(t, r)
	for _, limit := range []int{1, len(slots) / 2} {
		if limit > 0 && limit <= len(slots) {
			agreeLimited(t, r, limit, slots, closed)
		}
	}
}

// agreeMinutes expects the open starts of each host, and when they end; the grid of each request is of whole minutes.
func agreeMinutes(t *testing.T, r *Request, slots []Slot) {
	t.Helper()
	for i, m := range FindMinutes(r) {
		want, at := map[int64]int64{}, int64(math.MinInt64)
		for _, s := range slots {
			if j := slices.Index(s.Hosts, i); j >= 0 {
				if want[s.Start] = s.End; s.Ends != nil {
					want[s.Start] = s.Ends[j]
				}
			}
		}
		for start := r.From; start < r.To; start += Minute {
			if end, open := m.End(start); end != want[start] || open != (want[start] != 0) {
				t.Fatalf("the minute %s of host %d ends at %d, %v, want %d", stamp(r, start), i, end, open, want[start])
			}
		}
		for n := 0; ; n++ {
			start, ok := m.Next(at)
			if !ok {
				if n != len(want) {
					t.Fatalf("host %d has %d open minutes, want %d", i, n, len(want))
				}
				break
			}
			if want[start] == 0 {
				t.Fatalf("the next open minute of host %d is %s", i, stamp(r, start))
			}
			at = start + 1
		}
	}
}

// agreeEveryMinute expects of a request without a grid what Check says of each minute.
func agreeEveryMinute(t *testing.T, r *Request) {
	t.Helper()
	every := *r
	every.Rules.Step = time.Minute
	for i, m := range FindMinutes(&every) {
		for start := r.From; start < r.To; start += Minute {
			end, open := m.End(start)
			if v := every.Check(start, i); open != (v.Reason == Open) || open && end != v.End {
				t.Fatalf("the minute %s of host %d: %v, until %d; Check says %q, until %d", stamp(r, start), i, open, end, v.Reason, v.End)
			}
		}
	}
}

// agreeLimited expects the beginning of the unlimited answer.
func agreeLimited(t *testing.T, r *Request, limit int, slots []Slot, closed []Closed) {
	t.Helper()
	limited := *r
	limited.Limit = limit
	some, told := Explain(&limited)
	if !reflect.DeepEqual(Find(&limited), slots[:limit]) || !reflect.DeepEqual(some, slots[:limit]) {
		t.Fatalf("limit %d is not the beginning of Find", limit)
	}
	n := 0
	for n < len(closed) && closed[n].Start <= slots[limit-1].Start {
		n++
	}
	if n+len(told) > 0 && !reflect.DeepEqual(told, closed[:n]) {
		t.Fatalf("limit %d tells of %d closed starts, want %d", limit, len(told), n)
	}
}

func plansOf(r *Request) []*plan {
	var plans []*plan
	for _, h := range r.Hosts {
		step := r.Rules.Step / time.Minute
		if step == 0 {
			step = takes(r, &h) / time.Minute
		}
		plans = append(plans, newPlan(h.Schedule, diaryOf(h.Schedule.Zone, r), int64(step), r.Rules.Dates))
	}
	return plans
}

// diaries keeps the last diaries, as writing one takes most of the oracle's time.
var diaries = map[diaryKey]*diary{}

type diaryKey struct {
	zone     string
	from, to int64 // Unix days
}

func diaryOf(zone *time.Location, r *Request) *diary {
	key := diaryKey{zone.String(), floorDiv(r.From, 2*dayMs)*2 - diaryDays, floorDiv(r.To, 2*dayMs)*2 + 2 + diaryDays}
	d := diaries[key]
	if d == nil {
		d = newDiary(zone, key.from*1440, key.to*1440)
		if len(diaries) > 200 {
			clear(diaries)
		}
		diaries[key] = d
	}
	return d
}

// expected is the oracle's answer to Explain.
func expected(r *Request, plans []*plan) (slots []Slot, closed []Closed) {
	for start := r.From; start < r.To; start += 60_000 {
		slot, begun := Slot{Start: start}, false
		for i, p := range plans {
			if !p.onGrid[start/60_000-p.from] {
				continue
			}
			v := p.verdict(r, &r.Hosts[i], start)
			if v.Reason != Open {
				one := Closed{Start: start, End: v.End, Host: i, Reason: v.Reason}
				one.Things, one.Need = unmetBy(r, &r.Hosts[i], p, start, v.Reason)
				one.Part = p.part(r, &r.Hosts[i], start, v.Reason)
				closed = append(closed, one)
				continue
			}
			slot.Hosts = append(slot.Hosts, i)
			slot.SeatsRemaining += v.Seats
			slot.Ends = append(slot.Ends, v.End)
			if v.Begun && !begun {
				slot.End, begun = v.End, true
			}
		}
		if slot.Hosts != nil {
			if !begun {
				slot.End = slices.Min(slot.Ends)
			}
			if slices.Min(slot.Ends) == slices.Max(slot.Ends) {
				slot.Ends = nil
			}
			slots = append(slots, slot)
		}
	}
	return slots, closed
}

// unmetBy is the first need that can't be met, for the reason, and whether it is the resources that are busy.
func unmetBy(r *Request, h *Host, p *plan, start int64, why Reason) (things bool, need int) {
	session, _ := p.split(h, start)
	if len(r.Needs) == 0 || len(session) > 0 && seatsOf(session)+max(1, r.Rules.Party) <= r.Rules.Seats && worksOf(r, h) == nil {
		return false, 0
	}
	ms := time.Duration.Milliseconds
	end := start + ms(takes(r, h))
	v := Verdict{End: end, Occupied: Span{start - ms(r.Rules.BufferBefore), end + ms(r.Rules.BufferAfter)}}
	var works, plain []Work
	for _, w := range worksOf(r, h) {
		works = append(works, Work{moved(w.Own, start), moved(w.Occupied, start)})
		plain = append(plain, Work{moved(w.Own, start), moved(w.Own, start)})
	}
	way := oracleWay{bare: true, calm: true}
	switch {
	case why == Busy:
		for _, w := range worksOrAll(r, h, start, &v) {
			if anyCovers(h.Busy, w.Occupied.Start, w.Occupied.End) {
				return false, 0
			}
		}
		if !metBy(r, start, &v, works, plain).calm {
			return false, 0
		}
		things, way.calm = true, false
	case why != ResourceTaken:
		return false, 0
	}
	few := *r
	for few.Needs = r.Needs[:1]; assigned(&few, Span{start, v.End}, plain, way, nil) != nil; need++ {
		few.Needs = r.Needs[:need+2]
	}
	return things, need
}

func stamp(r *Request, ms int64) string {
	zone := time.UTC
	if len(r.Hosts) > 0 {
		zone = r.Hosts[0].zone()
	}
	return time.UnixMilli(ms).In(zone).Format("Mon 2006-01-02T15:04:05.999Z07:00")
}

func describe(r *Request, slots []Slot) (lines []string) {
	for _, s := range slots {
		lines = append(lines, stamp(r, s.Start), stamp(r, s.End), "\n")
	}
	return slices.Clip(lines)
}

func describeClosed(r *Request, closed []Closed) (lines []string) {
	for _, c := range closed {
		lines = append(lines, stamp(r, c.Start), string(c.Reason), "\n")
	}
	return slices.Clip(lines)
}
