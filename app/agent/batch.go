package agent

import (
	"encoding/json"
	"fmt"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/fault"
	"daybook/app/subjects"
)

// batchRow is what became of one of several bookings.
type batchRow struct {
	ID     string         `json:"id"`
	Local  string         `json:"local,omitempty"`
	Host   string         `json:"host,omitempty"`
	Status booking.Status `json:"status,omitempty"`
	Error  *batchError    `json:"error,omitempty"`
}

type batchError struct {
	Code    fault.Code `json:"code"`
	Reason  string     `json:"reason,omitempty"`
	Message string     `json:"message"`
}

// batch is the answer of a call about several bookings.
type batch struct {
	Done    int        `json:"done"`
	Refused int        `json:"refused"`
	Each    []batchRow `json:"results"`
}

// batched does something with several bookings or visits, each in a transaction of its own: one that is refused leaves the
// others as they are. The error is that of the server.
func batched(s *subjects.Set, a app.Actor, ids []string, do func(i int) (booking.Booking, error)) (any, error) {
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	told := batch{Each: make([]batchRow, len(ids))}
	for i, id := range ids {
		row := &told.Each[i]
		row.ID = id
		b, err := do(i)
		if e := fault.Refusal(err); e != nil {
			told.Refused++
			row.Error = &batchError{e.Code, e.Reason, e.Error() + nextStep(&tool{name: "reschedule_booking"}, e, false)}
			continue
		}
		if err != nil {
			return nil, err
		}
		told.Done++
		row.Local, row.Host, row.Status = localIn(setup, b.Start), b.Host.Name, b.Status
	}
	return told, nil
}

// ids returns the ids of a call about more than one, and refuses what goes with a single one.
func (in *args) ids(name string, alone ...string) (ids []string) {
	if in.given(name) == nil {
		return nil
	}
	ids = in.list(name)
	in.checkSeveral(name, ids, alone)
	return ids
}

func (in *args) checkSeveral(name string, ids []string, alone []string) {
	seen := map[string]bool{}
	for i := range ids {
		if !ofVisit(ids[i]) {
			if whole := booking.WholeID(ids[i]); whole != "" {
				ids[i] = whole
			}
		}
		if seen[ids[i]] {
			in.wrong(name, "must name each booking once: %q is there twice", shortened(ids[i], 50))
		}
		seen[ids[i]] = true
	}
	if len(ids) == 0 || len(ids) > maxBatch {
		in.wrong(name, "must be 1 to %d", maxBatch)
	}
	for _, other := range alone {
		if in.given(other) != nil {
			in.wrong(other, "is for one booking: leave it out with %s", name)
		}
	}
}

// maxBatch is the limit of one call, which has to be done in time.
const maxBatch = min(50, bulk.Most)

// moves returns the moves of a call about several.
func (in *args) moves() (ids []string, to []app.RescheduleInput) {
	raw := in.given("moves")
	if raw == nil {
		return nil, nil
	}
	var each []map[string]json.RawMessage
	if json.Unmarshal(raw, &each) != nil {
		in.wrong("moves", "must be a list of objects with id and start")
		return nil, nil
	}
	for i, fields := range each {
		one := &args{fields: fields, path: fmt.Sprintf("moves[%d].", i), parent: in}
		in.inner = append(in.inner, one)
		ids = append(ids, one.needed("id", "the id of a booking"))
		to = append(to, app.RescheduleInput{Start: one.needed("start", "where it goes"), Host: one.short("host"), Spoken: true})
	}
	in.checkSeveral("moves", ids, []string{"id", "start", "host", "scope"})
	return ids, to
}

// ofVisitOr calls one of two: for the id of a visit, or of a booking. Of a visit the first booking is told.
func ofVisitOr(ref string, visit func() (booking.Visit, error), single func() (booking.Booking, error)) (booking.Booking, error) {
	if !ofVisit(ref) {
		return single()
	}
	v, err := visit()
	if err != nil || len(v.Items) == 0 {
		return booking.Booking{}, err
	}
	return v.Items[0], nil
}
