package calendar

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// typedTime returns the time that was picked, or made of the day and the time of day that were typed; problem says why
// there is none.
func (c call) typedTime(q url.Values) (start, problem string) {
	if !q.Has("at") {
		return q.Get("start"), ""
	}
	day := q.Get("date")
	if day == "" {
		day = c.Now().Format(time.DateOnly)
	}
	t, err := when.ParseWall("2006-01-02T15:04", day+"T"+q.Get("at"), c.Zone())
	if err != nil {
		return "", c.T("waive_no_time")
	}
	return when.At(t).String(), ""
}

// anyTime adds the form in which any time can be typed.
func (c call) anyTime(v *dash.PickPage, q, keep url.Values) {
	day := q.Get("date")
	if day == "" {
		day = c.Now().Format(time.DateOnly)
	}
	clock := q.Get("at")
	if at, err := when.Parse(q.Get("start")); err == nil { // it can't be had, and may be but a few minutes off
		day, clock = c.At(at).Format(time.DateOnly), c.At(at).Format("15:04")
	}
	v.Typed = []dash.Input{{Name: "date", Label: c.T("waive_day"), Kind: "date", Value: day},
		{Name: "at", Label: c.T("waive_time"), Kind: "time", Value: clock}}
	for name := range keep {
		v.Kept = append(v.Kept, views.Pair{Name: name, Value: keep.Get(name)})
	}
}

// want picks the time, and names the rules that stand against it: the form waives them. anyway is the message on its
// button then. A time that nothing can give is no time picked, but a problem. refused is why it wasn't booked, or nil:
// what stands against the person is only known then.
func (c call) want(v *dash.PickPage, in availability.Input, start, anyway string, refused *fault.Error) error {
	at, err := when.Parse(start)
	if err != nil {
		return nil
	}
	against, possible, err := c.against(in)(at)
	if r := web.Refused(err); r != nil {
		v.Problem = c.Sentence(r)
		return nil
	}
	if err != nil {
		return err
	}
	if !possible {
		v.Problem = c.T("waive_at", "When", c.pickedText(start), "Problem", c.Rules(against, false))
		return nil
	}
	c.pick(v, start, against|personal(refused), anyway)
	return nil
}

// against tells which rules stand against a start, and whether all of them can be waived.
type against func(start when.Instant) (rules slot.Reasons, possible bool, err error)

// against tells it of one service.
func (c call) against(in availability.Input) against {
	return func(start when.Instant) (slot.Reasons, bool, error) {
		return c.Subjects.Shop.Against(c.Context(), c.Actor, in, start)
	}
}

// ofNow are the rules that a time breaks because it is now, which the page has chosen itself.
var ofNow = slot.ReasonsOf(slot.InPast, slot.TooSoon, slot.OffGrid)

// pick picks the time, and has the form waive the rules that stand against it. Of somebody who walks in those of now are
// not told.
func (c call) pick(v *dash.PickPage, start string, against slot.Reasons, anyway string) {
	v.Picked = c.pickedText(start)
	told := against
	if v.WalkIn {
		told &^= ofNow
		against |= ofNow // by the time the form is sent it has begun
	}
	if told != 0 {
		v.Waives, v.Submit = c.Rules(told, true), c.T(anyway)
	}
	v.Hidden = append(v.Hidden, web.Overrides(against)...)
}

// personal returns the rules about the person that a refusal names.
func personal(refused *fault.Error) (against slot.Reasons) {
	if refused == nil {
		return 0
	}
	for _, r := range reasonsOf(refused).List() {
		if r.Personal() {
			against |= slot.ReasonsOf(r)
		}
	}
	return against
}

// reasonsOf returns all that stands against a start, as far as the refusal says it.
func reasonsOf(refused *fault.Error) slot.Reasons {
	all, _ := refused.Details["reasons"].([]slot.Reason)
	return slot.ReasonsOf(all...)
}

// timeStep takes the step of a form whose time was refused: another time, or another week, was picked. It reports
// whether the form was sent for that.
func timeStep(form url.Values) bool {
	picked, err := url.ParseQuery(form.Get("time"))
	if err != nil || len(picked) == 0 {
		return false
	}
	nobodyNamed(form)
	form.Set("date", picked.Get("date"))
	form.Set("start", picked.Get("start"))
	form.Del("time")
	for _, name := range ofTime {
		form.Del(name)
	}
	return true
}

// ofTime are the fields of a form that say what a time was picked for, or against: another time leaves them behind.
var ofTime = []string{"override", "walkin", "soon", "at"}

// keep has the times of the week picked by a form that sends along what was typed, if the page answers a form.
func (c call) keep(w *dash.SlotWeek, typed url.Values, action string) {
	if w == nil || c.Method != http.MethodPost {
		return
	}
	w.Action = action
	for _, name := range slices.Sorted(maps.Keys(typed)) {
		if slices.Contains(ofTime, name) || slices.Contains([]string{"date", "start", "choose", "anyone"}, name) {
			continue
		}
		for _, value := range typed[name] {
			w.Kept = append(w.Kept, views.Pair{Name: name, Value: value})
		}
	}
}

// whoIsFree returns the host who does the service now: the first of those against whom the fewest rules stand, besides
// those of now. It is "" where there is nobody to choose from.
func (c call) whoIsFree(q url.Values, et *catalog.EventType) (best string, err error) {
	if len(et.Hosts) < 2 || c.Actor.Own() || q.Get(nth("type", 2)) != "" {
		return "", nil
	}
	now, least := when.At(c.Now().Truncate(time.Minute)), 0
	for _, h := range et.Hosts {
		in := availability.Input{EventType: et.Slug, Host: h.ID.String(), SwitchedOff: !et.Active, Choice: chosenIn(q, et)}
		rules, possible, err := c.against(in)(now)
		if web.Refused(err) != nil || err == nil && !possible {
			continue
		}
		if err != nil {
			return "", err
		}
		if n := 1 + (rules &^ ofNow).Len(); least == 0 || n < least {
			best, least = in.Host, n
		}
		if least == 1 {
			break
		}
	}
	return best, nil
}

// walkIn returns the time for somebody who has just come in: now, whatever rules stand against it. When now is taken it
// is the next free time of today, "" for none. next is that time where now is picked.
func (c call) walkIn(find finder, against against) (start, next string, err error) {
	if next, err = c.nextToday(find); err != nil {
		return "", "", err
	}
	now := when.At(c.Now().Truncate(time.Minute))
	_, possible, err := against(now)
	if err != nil && web.Refused(err) == nil {
		return "", "", err
	}
	if !possible || next == now.String() {
		return next, "", nil
	}
	return now.String(), next, nil
}
