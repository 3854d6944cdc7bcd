package report

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/when"
)

// AnalyticsInput selects the bookings that count, by their start. Its fields hold the query parameters, as text.
type AnalyticsInput struct {
	From, To string // From "" is 30 days before today; To "" means no end, so future bookings count
	TimeZone string // the zone of the days; "" is the workspace's
	NoDays   bool   // ByDay is left empty
	Spoken   bool   // as booking.ListBookingsInput.Spoken
	Zeros    bool   // the total's Revenue has the currencies of its Value and the workspace's prices, also with 0
	Host     string // an id, or if Spoken a name: ByHost is of this host only, with each day
}

// Analytics are the figures of a workspace's bookings that start in [From, To).
type Analytics struct {
	From     when.Instant `json:"from"`
	To       when.Instant `json:"to"` // null is no end
	TimeZone string       `json:"timeZone"`
	Figures
	RevenueByMethod []MethodRevenue    `json:"revenueByMethod"` // Revenue, by how it was paid
	Tips            []money.Money      `json:"tips"`            // of Revenue
	ByEventType     []EventTypeFigures `json:"byEventType"`     // most bookings first
	// the latest maxDays days with bookings, the earliest first
	ByDay  []DayFigures  `json:"byDay"`
	ByHost []HostFigures `json:"byHost"` // most bookings first
}

// Figures are the sums over some bookings.
type Figures struct {
	Totals   Totals        `json:"totals"`
	Revenue  []money.Money `json:"revenue"`  // received minus given back, tips included, by currency
	Value    []money.Money `json:"value"`    // prices of bookings that took place or will, by currency
	ShowRate *float64      `json:"showRate"` // held ÷ (held + no-shows), of past bookings; null when there are none

	tookPlace int
	value     map[string]int64
	revenue   map[string]int64
	products  map[string]int64 // of revenue; of a host only
	tips      map[string]int64 // likewise
}

// EventTypeFigures are the figures of one event type.
type EventTypeFigures struct {
	EventType   string              `json:"eventType"`
	EventTypeID catalog.EventTypeID `json:"eventTypeId"`
	Title       string              `json:"title"`
	Figures
}

// DayFigures are the figures of one day.
type DayFigures struct {
	Date string `json:"date"`
	Figures
}

// Tallied is what the figures need of a booking. Currency is "" if it is free; discounts are taken off Price.
type Tallied struct {
	Start, End when.Instant
	EventType  catalog.EventTypeID
	Host       catalog.HostID
	Status     booking.Status
	Price      int64
	Currency   string
}

const (
	analyticsDays = 30  // before today, unless From says otherwise
	maxDays       = 400 // in ByDay
)

// Analytics sums up the bookings of a span, in total, by event type, by host and by day. Where sums of days are stored,
// they are used in place of the bookings (see tally). Errors: bad_request, forbidden (staff), not_found (host).
func (s *Service) Analytics(ctx context.Context, a app.Actor, in AnalyticsInput) (*Analytics, error) {
	if err := a.May(app.MaySeeAnalytics); err != nil {
		return nil, err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	return s.figures(ctx, a, setup, in)
}

// figures is Analytics for whoever may ask.
func (s *Service) figures(ctx context.Context, a app.Actor, setup *catalog.Setup, in AnalyticsInput) (*Analytics, error) {
	now := when.At(s.Core.Now())
	t := newTally(now, setup.Zone)
	res := &Analytics{}
	if err := res.setSpan(t, in); err != nil {
		return nil, err
	}
	if in.Host != "" {
		h, err := hostOf(setup, a, in.Host, in.Spoken)
		if err != nil {
			return nil, err
		}
		t.person = h.ID
	}
	if err := s.tally(ctx, a.Workspace, t, res.From, res.To, !in.NoDays); err != nil {
		return nil, err
	}
	t.fill(res, setup)
	if in.NoDays {
		res.ByDay = []DayFigures{}
	}
	if in.Zeros {
		res.zeros(setup)
	}
	return res, nil
}

// setSpan reads from, to and timeZone. A bare date is a day in timeZone, or without one in UTC, but see Spoken.
func (res *Analytics) setSpan(t *tally, in AnalyticsInput) (err error) {
	zone := time.UTC
	if in.TimeZone != "" {
		if zone, err = catalog.CheckZone("timeZone", in.TimeZone); err != nil {
			return err
		}
		t.zone = zone
	} else if in.Spoken {
		zone = t.zone
	}
	res.TimeZone = t.zone.String()
	if res.From, err = booking.ParseBound("from", in.From, zone); err != nil {
		return err
	}
	if res.To, err = booking.ParseBound("to", in.To, zone); err != nil {
		return err
	}
	if in.From == "" {
		last := t.now
		if in.To != "" {
			last = min(last, res.To)
		}
		res.From = when.At(when.AddDays(last.Time().In(t.zone), -analyticsDays))
	}
	if in.To != "" && res.From > res.To {
		return fault.Invalid("from", "must not lie after to")
	}
	return nil
}

// tally adds up figures while bookings pass in the order of their start.
type tally struct {
	now               when.Instant
	zone              *time.Location
	all               Figures
	byType            map[catalog.EventTypeID]*Figures
	byHost            map[catalog.HostID]*Figures
	person            catalog.HostID // whose days are asked for; 0 is nobody's
	personDays        map[string]*Figures
	work              dayWork
	byMethod          map[booking.Method]map[string]int64
	tips              map[string]int64
	days              []DayFigures
	dayEnds           when.Instant // the end of the last of days
	summed            []DayFigures // of sums that were kept; other days than days
	passed            int          // bookings that were added one by one, of which standing stand, and these end so:
	standing          int
	firstEnd, lastEnd when.Instant
}

func newTally(now when.Instant, zone *time.Location) *tally {
	return &tally{now: now, zone: zone, byType: map[catalog.EventTypeID]*Figures{},
		byHost: map[catalog.HostID]*Figures{}, personDays: map[string]*Figures{}, byMethod: map[booking.Method]map[string]int64{}}
}

func (t *tally) add(b *Tallied) {
	t.passed++
	if b.Start >= t.dayEnds || len(t.days) == 0 {
		t.nextDay(b.Start)
	}
	figuresOf(t.byType, b.EventType).add(b, t.now)
	figuresOf(t.byHost, b.Host).add(b, t.now)
	day := &t.days[len(t.days)-1]
	day.add(b, t.now)
	if b.Host == t.person {
		figuresOf(t.personDays, day.Date).add(b, t.now)
	}
	if b.Status.Stands() {
		if t.standing == 0 {
			t.firstEnd, t.lastEnd = b.End, b.End
		}
		t.standing++
		t.firstEnd, t.lastEnd = min(t.firstEnd, b.End), max(t.lastEnd, b.End)
	}
}

func figuresOf[ID comparable](all map[ID]*Figures, id ID) *Figures {
	f := all[id]
	if f == nil {
		f = &Figures{}
		all[id] = f
	}
	return f
}

func (t *tally) nextDay(start when.Instant) {
	d := start.Time().In(t.zone)
	t.dayEnds = when.At(when.AddDays(d, 1))
	date := d.Format(time.DateOnly)
	if n := len(t.days); n == 0 || t.days[n-1].Date != date { // money may have come in on it before
		t.days = append(t.days, DayFigures{Date: date})
	}
}

func (f *Figures) add(b *Tallied, now when.Instant) {
	f.Totals.add(b.Status)
	if !b.Status.Stands() {
		return
	}
	if b.End <= now {
		f.tookPlace++
	}
	if b.Currency != "" {
		sum(&f.value, b.Currency, b.Price)
	}
}

// Earned is the revenue of one payment for a booking: the amount received minus the amount given back, in one currency.
type Earned struct {
	Start     when.Instant
	EventType catalog.EventTypeID
	Host      catalog.HostID
	Method    booking.Method // Online, or that of the counter
	Tip       int64          // of Money
	money.Money
}

// Received is money that was received, or given back, at a moment.
type Received struct {
	At      when.Instant
	Host    catalog.HostID // of the booking, or who sold it; 0 is nobody
	Method  booking.Method
	Alone   bool  // it is for no booking
	Product bool  // and for a product
	Tip     int64 // of Money
	money.Money
}

// Online is the method of payments through the payment provider.
const Online booking.Method = "online"

// MethodRevenue is the revenue by one method.
type MethodRevenue struct {
	Method booking.Method `json:"method"`
	money.Money
}

// earn adds what a booking that was added has brought in.
func (t *tally) earn(e *Earned) {
	if f := t.byType[e.EventType]; f != nil {
		sum(&f.revenue, e.Currency, e.Amount)
	}
	t.take(e.Start, e.Method, e.Money, e.Tip)
}

// take adds money to all that was received, on a day.
func (t *tally) take(at when.Instant, method booking.Method, m money.Money, tip int64) {
	by := t.byMethod[method]
	sum(&by, m.Currency, m.Amount)
	t.byMethod[method] = by
	if tip != 0 {
		sum(&t.tips, m.Currency, tip)
	}
	date := at.Time().In(t.zone).Format(time.DateOnly)
	i, ok := slices.BinarySearchFunc(t.days, date,
		func(d DayFigures, date string) int { return cmp.Compare(d.Date, date) })
	if !ok { // a day without bookings
		t.days = slices.Insert(t.days, i, DayFigures{Date: date})
	}
	sum(&t.days[i].revenue, m.Currency, m.Amount)
}

// receive adds what was received on a day: to whose it is, and what is of no booking to all.
func (t *tally) receive(r *Received) {
	all := []*Figures{figuresOf(t.byHost, r.Host)}
	if r.Host != 0 && r.Host == t.person {
		all = append(all, figuresOf(t.personDays, r.At.Time().In(t.zone).Format(time.DateOnly)))
	}
	for _, f := range all {
		sum(&f.revenue, r.Currency, r.Amount)
		if r.Product {
			sum(&f.products, r.Currency, r.Amount)
		}
		if r.Tip != 0 {
			sum(&f.tips, r.Currency, r.Tip)
		}
	}
	if r.Alone {
		t.take(r.At, r.Method, r.Money, r.Tip)
	}
}

func sum(to *map[string]int64, currency string, amount int64) {
	if *to == nil {
		*to = map[string]int64{}
	}
	(*to)[currency] += amount
}

func amounts(sums map[string]int64) []money.Money {
	all := []money.Money{}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, money.Money{Amount: sums[currency], Currency: currency})
	}
	return all
}

// plus adds the sums of other but for what was received.
func (f *Figures) plus(other *Figures) {
	f.Totals.plus(&other.Totals)
	f.tookPlace += other.tookPlace
	for currency, amount := range other.value {
		sum(&f.value, currency, amount)
	}
}

// finish turns the sums into the figures that are shown.
func (f *Figures) finish() {
	f.Revenue, f.Value = amounts(f.revenue), amounts(f.value)
	if past := f.tookPlace + f.Totals.Of(booking.NoShow); past > 0 {
		rate := float64(f.tookPlace) / float64(past)
		f.ShowRate = &rate
	}
}

// zeros adds the currencies in which nothing was received.
func (res *Analytics) zeros(setup *catalog.Setup) {
	add := func(currency string) {
		if !slices.ContainsFunc(res.Revenue, func(m money.Money) bool { return m.Currency == currency }) {
			res.Revenue = append(res.Revenue, money.Money{Currency: currency})
		}
	}
	for _, m := range res.Value {
		add(m.Currency)
	}
	for i := range setup.EventTypes {
		if p := setup.EventTypes[i].Price; p != nil {
			add(p.Currency)
		}
	}
	slices.SortFunc(res.Revenue, func(a, b money.Money) int { return cmp.Compare(a.Currency, b.Currency) })
}

func (t *tally) fill(res *Analytics, setup *catalog.Setup) {
	res.ByEventType = make([]EventTypeFigures, 0, len(t.byType))
	for id, f := range t.byType {
		t.all.plus(f)
		row := EventTypeFigures{EventType: id.String(), EventTypeID: id, Figures: *f}
		if e := setup.EventTypeByID(id); e != nil {
			row.EventType, row.Title = e.Slug, e.Title
		}
		row.finish()
		res.ByEventType = append(res.ByEventType, row)
	}
	slices.SortFunc(res.ByEventType, func(a, b EventTypeFigures) int {
		return cmp.Or(b.Totals.Total-a.Totals.Total, cmp.Compare(a.EventTypeID, b.EventTypeID))
	})
	res.ByHost = t.hosts(setup)
	if len(t.summed) > 0 {
		t.days = append(t.days, t.summed...)
		slices.SortFunc(t.days, func(a, b DayFigures) int { return cmp.Compare(a.Date, b.Date) })
	}
	res.ByDay = append([]DayFigures{}, t.days[max(0, len(t.days)-maxDays):]...)
	for i := range res.ByDay {
		res.ByDay[i].finish()
	}
	res.RevenueByMethod, res.Tips = []MethodRevenue{}, amounts(t.tips)
	for _, method := range append([]booking.Method{Online}, booking.Methods...) {
		for _, m := range amounts(t.byMethod[method]) {
			res.RevenueByMethod = append(res.RevenueByMethod, MethodRevenue{method, m})
		}
	}
	res.Figures = t.all
	for _, received := range t.byMethod {
		for currency, amount := range received {
			sum(&res.revenue, currency, amount)
		}
	}
	res.finish()
}
