package counter

import (
	"context"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/when"
)

// Day holds what was taken at the counter on a day, and how the day was closed. Amounts are in the minor units of
// Currency, which is the workspace's.
type Day struct {
	Day      string     `json:"day"` // 2026-12-01, in the workspace's time zone
	Currency string     `json:"currency"`
	Takings  []Taking   `json:"takings"`  // by method and currency
	Opening  int64      `json:"opening"`  // the cash in the drawer when the day began, as last said
	Cash     int64      `json:"cash"`     // taken in cash less given back, tips included
	Expected int64      `json:"expected"` // Opening and Cash
	Closes   []DayClose `json:"closes"`   // the earliest first; the last one counts
}

// Taking is the sum of what was taken by one method in one currency.
type Taking struct {
	Method    booking.Method `json:"method"`
	Currency  string         `json:"currency"`
	Amount    int64          `json:"amount"`    // received less given back, tips included
	Tips      int64          `json:"tips"`      // of Amount
	GivenBack int64          `json:"givenBack"` // what Amount is less by
}

// DayClose is a count of the cash in the drawer.
type DayClose struct {
	ID         CloseID           `json:"id"`
	Opening    int64             `json:"opening"`
	Cash       int64             `json:"cash"`
	Expected   int64             `json:"expected"`
	Counted    int64             `json:"counted"`
	Difference int64             `json:"difference"` // Counted less Expected
	Currency   string            `json:"currency"`
	Note       string            `json:"note"`
	By         booking.ActorKind `json:"by"`
	At         when.Instant      `json:"at"`

	WorkspaceID catalog.WorkspaceID `json:"-"`
	Day         string              `json:"-"`
	ByID        string              `json:"-"` // id of the key or user
}

// CloseInput is the input of Close.
type CloseInput struct {
	Day     string `json:"day"`     // "" is today
	Counted *int64 `json:"counted"` // the cash in the drawer
	Opening *int64 `json:"opening"` // nil is what was last said
	Note    string `json:"note"`
}

// CloseInputFields describes how a day is closed.
var CloseInputFields = field.Resource{
	Text: "The cash in the drawer at the end of a day.",
	Fields: []field.Field{
		{Name: "day", Text: "The day in the workspace's time zone; today when left out.", Example: "2026-12-01"},
		{Name: "counted", Text: "The cash that was counted, in minor units of the workspace's currency.", Required: true},
		{Name: "opening", Text: "The cash that was there when the day began; that of the last close when left out."},
		{Name: "note", Text: "Such as why the difference.", Most: MaxNote},
	},
}

// Day returns what has been taken on a day so far; "" means today. Errors: forbidden, bad_request.
func (s *Service) Day(ctx context.Context, a app.Actor, day string) (Day, error) {
	if err := a.May(app.MaySeeTill); err != nil {
		return Day{}, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return Day{}, err
	}
	return dayOf(s.Reader(ctx), setup, s.Now(), day)
}

// Close saves the cash that was counted, beside the amount expected. A day may be closed again; the last count applies.
// Errors: forbidden, bad_request.
func (s *Service) Close(ctx context.Context, a app.Actor, in CloseInput) (d Day, err error) {
	if err := a.May(app.MayCloseDay); err != nil {
		return d, err
	}
	if err := in.check(); err != nil {
		return d, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		setup, err := tx.Setup(a.Workspace)
		if err != nil {
			return err
		}
		now := s.Now()
		if d, err = dayOf(tx, setup, now, in.Day); err != nil {
			return err
		}
		if in.Opening != nil {
			d.Opening = *in.Opening
			d.Expected = d.Opening + d.Cash
		}
		c := DayClose{ID: id.New[closeKind](now), Opening: d.Opening, Cash: d.Cash, Expected: d.Expected,
			Counted: *in.Counted, Difference: *in.Counted - d.Expected, Currency: d.Currency, Note: in.Note, By: a.Kind,
			At: when.At(now), WorkspaceID: a.Workspace, Day: d.Day, ByID: a.ID()}
		d.Closes = append(d.Closes, c)
		return tx.InsertDayClose(&c)
	})
	return d, err
}

func (in *CloseInput) check() (err error) {
	var p fault.Problems
	if in.Counted == nil {
		p.Add(fault.Invalid("counted", "is required: the cash in the drawer, in minor units"))
	}
	for name, n := range map[string]*int64{"counted": in.Counted, "opening": in.Opening} {
		if n != nil && (*n < 0 || *n > maxDrawer) {
			p.Add(fault.Invalid(name, "must lie between 0 and %d minor units", int64(maxDrawer)))
		}
	}
	in.Note, err = fault.CheckText("note", in.Note, MaxNote)
	p.Add(err)
	return p.Err()
}

// maxDrawer is the most cash that a drawer may hold, in minor units.
const maxDrawer = 1_000_000_000_000

// dayOf sums up a day, as r sees it.
func dayOf(r Reads, setup *catalog.Setup, now time.Time, day string) (d Day, err error) {
	from := when.DayOf(now.In(setup.Zone))
	if day != "" {
		if from, err = when.ParseDay(day, setup.Zone); err != nil {
			return d, fault.Invalid("day", "must be a date such as 2026-12-01")
		}
	}
	if from.After(now) {
		return d, fault.Invalid("day", "has not begun yet")
	}
	ws := setup.Workspace.ID
	d = Day{Day: from.Format(time.DateOnly), Currency: setup.Workspace.Currency, Takings: []Taking{}}
	sums, err := r.CounterSums(ws, when.At(from), when.At(when.AddDays(from, 1)))
	if err != nil {
		return d, err
	}
	d.Takings = append(d.Takings, sums...)
	for _, x := range sums {
		if x.Method == booking.ByCash && x.Currency == d.Currency {
			d.Cash = x.Amount
		}
	}
	closes, err := r.DayCloses(ws, d.Day)
	if err != nil {
		return d, err
	}
	d.Closes = append([]DayClose{}, closes...)
	if len(closes) > 0 {
		d.Opening = closes[len(closes)-1].Opening
	} else if last, err := r.LastClose(ws, d.Day); err == nil {
		d.Opening = last.Opening
	} else if !errors.Is(err, fault.ErrNotFound) {
		return d, err
	}
	d.Expected = d.Opening + d.Cash
	return d, nil
}
