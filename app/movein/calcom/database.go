package calcom

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/movein"
)

// The most rows that are read of a table.
const (
	mostPeople    = 5_000
	mostBookings  = 50_000
	mostCustomers = 100_000
)

// Address returns the address of a database without what only Cal.com's own driver understands: its schema is the search path.
func Address(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	q := u.Query()
	if schema := q.Get("schema"); schema != "" && !q.Has("search_path") {
		q.Set("search_path", schema)
	}
	for _, name := range []string{"schema", "pgbouncer", "connection_limit", "pool_timeout", "statement_cache_size", "socket_timeout"} {
		q.Del(name)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// FromDatabase reads a Cal.com database in one snapshot, and changes nothing there: of the team with that slug, or of all with "".
// Of its tables only the columns are asked for that are used: no password, no key, no secret of a webhook leaves it. now
// says what is to come. Errors say what to do.
func FromDatabase(ctx context.Context, db *sql.DB, team string, now time.Time) (*movein.Business, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	t := &tables{ctx: ctx, tx: tx, now: now.UTC()}
	if err := t.read(team); err != nil {
		return nil, err
	}
	return t.business(now)
}

// tables reads the tables of a database.
type tables struct {
	account
	ctx context.Context
	tx  *sql.Tx
	now time.Time
}

// stamp is a moment as the database writes it: in UTC where it says no zone.
type stamp struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (s *stamp) UnmarshalJSON(from []byte) (err error) {
	text := strings.Trim(string(from), `"`)
	for _, layout := range []string{"2006-01-02T15:04:05.999999", time.RFC3339Nano} {
		if s.Time, err = time.ParseInLocation(layout, text, time.UTC); err == nil {
			return nil
		}
	}
	return err
}

// rowsOf reads the columns of a table t that the fields of T name, as far as the table has them: the versions of Cal.com
// differ. more follows FROM t. A table that is missing has no rows.
func rowsOf[T any](t *tables, table, more string, most int, args ...any) (all []T, err error) {
	there := false
	if err := t.tx.QueryRowContext(t.ctx, `SELECT to_regclass($1) IS NOT NULL`, table).Scan(&there); err != nil || !there {
		return nil, err
	}
	var columns []string
	of := reflect.TypeFor[T]()
	for i := range of.NumField() {
		columns = append(columns, of.Field(i).Tag.Get("json"))
	}
	query := `SELECT (SELECT coalesce(jsonb_object_agg(c.key, c.value), '{}') FROM jsonb_each(to_jsonb(t)) c
		WHERE c.key = ANY (string_to_array($1, ',')))::text FROM ` + table + ` t ` + more + ` LIMIT ` + strconv.Itoa(most+1)
	rows, err := t.tx.QueryContext(t.ctx, query, append([]any{strings.Join(columns, ",")}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("can't read the table %s of Cal.com: %w", table, err)
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		var one T
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, fmt.Errorf("the table %s has a row that can't be read: %w", table, err)
		}
		if all = append(all, one); len(all) > most {
			return nil, fmt.Errorf("the table %s has more than %d rows that would be read: take over one team after the other, by --team", table, most)
		}
	}
	return all, rows.Err()
}

func (t *tables) read(team string) error {
	there := false
	if err := t.tx.QueryRowContext(t.ctx, `SELECT to_regclass('"EventType"') IS NOT NULL AND to_regclass('"Booking"') IS NOT NULL`).Scan(&there); err != nil {
		return err
	}
	if !there {
		return fmt.Errorf(`this is no database of Cal.com: it has no tables "EventType" and "Booking". If they are in another schema, ` +
			`add ?search_path=NAME to its address`)
	}
	for _, part := range []func(string) error{t.readServices, t.readPeople, t.readBookings, t.readWebhooks, t.readRest} {
		if err := part(team); err != nil {
			return err
		}
	}
	return nil
}

type serviceRow struct {
	ID            int64           `json:"id"`
	Title         string          `json:"title"`
	Slug          string          `json:"slug"`
	Description   string          `json:"description"`
	Position      int             `json:"position"`
	Locations     json.RawMessage `json:"locations"`
	Length        int             `json:"length"`
	Offset        int             `json:"offsetStart"`
	Hidden        bool            `json:"hidden"`
	User          int64           `json:"userId"`
	Team          int64           `json:"teamId"`
	Parent        int64           `json:"parentId"`
	Fields        json.RawMessage `json:"bookingFields"`
	Period        string          `json:"periodType"`
	Days          int             `json:"periodDays"`
	CalendarDays  bool            `json:"periodCountCalendarDays"`
	Confirms      bool            `json:"requiresConfirmation"`
	Recurring     json.RawMessage `json:"recurringEvent"`
	Notice        int             `json:"minimumBookingNotice"`
	Before        int             `json:"beforeEventBuffer"`
	After         int             `json:"afterEventBuffer"`
	Seats         int             `json:"seatsPerTimeSlot"`
	Scheduling    string          `json:"schedulingType"`
	Schedule      int64           `json:"scheduleId"`
	Price         int64           `json:"price"`
	Currency      string          `json:"currency"`
	Interval      int             `json:"slotInterval"`
	Metadata      json.RawMessage `json:"metadata"`
	Limits        json.RawMessage `json:"bookingLimits"`
	MinutesLimits json.RawMessage `json:"durationLimits"`
	FirstOnly     bool            `json:"onlyShowFirstAvailableSlot"`
	AllMembers    bool            `json:"assignAllTeamMembers"`
}

// metadata is what event types keep in a column of that name.
type metadata struct {
	Lengths  []int `json:"multipleDuration"`
	Confirms any   `json:"requiresConfirmationThreshold"`
	Config   struct {
		OwnSchedules bool `json:"useHostSchedulesForTeamEvent"`
	} `json:"config"`
	Apps map[string]struct {
		Enabled  bool    `json:"enabled"`
		Price    float64 `json:"price"`
		Currency string  `json:"currency"`
	} `json:"apps"`
}

// loosely reads JSON of a column; what has another form than expected is as if it weren't there.
func loosely(from json.RawMessage, to any) {
	if len(from) > 0 && !bytes.Equal(from, []byte("null")) {
		json.Unmarshal(from, to) //nolint:errcheck // see above
	}
}

type (
	teamRow struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
		Slug string `json:"slug"`
	}
	memberRow struct {
		Team     int64 `json:"teamId"`
		User     int64 `json:"userId"`
		Accepted bool  `json:"accepted"`
	}
	hostRow struct {
		User     int64 `json:"userId"`
		Service  int64 `json:"eventTypeId"`
		Fixed    bool  `json:"isFixed"`
		Schedule int64 `json:"scheduleId"`
	}
	linkRow struct {
		Service int64 `json:"A"`
		User    int64 `json:"B"`
	}
	inputRow struct {
		Service  int64           `json:"eventTypeId"`
		Label    string          `json:"label"`
		Type     string          `json:"type"`
		Required bool            `json:"required"`
		Options  json.RawMessage `json:"options"`
	}
)

func (t *tables) readServices(team string) error {
	only := int64(0)
	if team != "" {
		teams, err := rowsOf[teamRow](t, `"Team"`, `WHERE t.slug = $2 ORDER BY t.id`, mostPeople, team)
		if err != nil {
			return err
		}
		if len(teams) == 0 {
			return fmt.Errorf("there is no team %q in this database; the slug of a team is the last part of its page's address", team)
		}
		only = teams[0].ID
	}
	rows, err := rowsOf[serviceRow](t, `"EventType"`, `ORDER BY t.id`, mostPeople)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(x serviceRow) bool {
		ofTeam := func(id int64) bool { // a managed event type's copies are its people's
			return slices.ContainsFunc(rows, func(p serviceRow) bool { return p.ID == id && p.Team == only && id != 0 })
		}
		return only != 0 && x.Team != only && !ofTeam(x.Parent)
	})
	members, err := rowsOf[memberRow](t, `"Membership"`, `ORDER BY t."teamId", t."userId"`, mostPeople)
	if err != nil {
		return err
	}
	hosts, err := rowsOf[hostRow](t, `"Host"`, `ORDER BY t."eventTypeId", t."userId"`, 10*mostPeople)
	if err != nil {
		return err
	}
	links, err := rowsOf[linkRow](t, `"_user_eventtype"`, `ORDER BY t."A", t."B"`, 10*mostPeople)
	if err != nil {
		return err
	}
	inputs, err := rowsOf[inputRow](t, `"EventTypeCustomInput"`, `ORDER BY t.id`, 10*mostPeople)
	if err != nil {
		return err
	}
	for i := range rows {
		x := &rows[i]
		s := x.service()
		for _, h := range hosts {
			if h.Service == x.ID {
				s.hosts = append(s.hosts, host{h.User, h.Fixed, h.Schedule})
			}
		}
		add := func(user int64) {
			if user != 0 && !slices.ContainsFunc(s.hosts, func(h host) bool { return h.user == user }) {
				s.hosts = append(s.hosts, host{user: user})
			}
		}
		if x.Team == 0 {
			s.hosts = nil
			add(x.User)
		}
		if len(s.hosts) == 0 {
			for _, l := range links {
				if l.Service == x.ID {
					add(l.User)
				}
			}
		}
		if x.Team != 0 && x.AllMembers {
			for _, m := range members {
				if m.Team == x.Team && m.Accepted {
					add(m.User)
				}
			}
		}
		if len(x.Fields) == 0 || bytes.Equal(x.Fields, []byte("null")) { // it is older than these
			for _, in := range inputs {
				if in.Service == x.ID {
					q := question{name: in.Label, label: in.Label, kind: in.Type, required: in.Required}
					var options []struct{ Label string }
					loosely(in.Options, &options)
					for _, o := range options {
						q.options = append(q.options, o.Label)
					}
					s.questions = append(s.questions, q)
				}
			}
		}
		t.services = append(t.services, s)
	}
	return nil
}

// service returns the event type of a row, without its hosts.
func (x *serviceRow) service() service {
	s := service{id: x.ID, title: x.Title, slug: x.Slug, about: x.Description, position: x.Position, hidden: x.Hidden,
		scheduling: x.Scheduling, schedule: x.Schedule, minutes: x.Length, interval: x.Interval, offset: x.Offset, before: x.Before,
		after: x.After, notice: x.Notice, window: x.Period, windowDays: x.Days, businessDays: !x.CalendarDays && x.Days > 0,
		firstOnly: x.FirstOnly, seats: x.Seats, confirms: x.Confirms, template: x.Scheduling == "managed" && x.Parent == 0}
	var m metadata
	loosely(x.Metadata, &m)
	s.lengths, s.confirmsWithin = m.Lengths, x.Confirms && m.Confirms != nil
	if m.Config.OwnSchedules {
		s.schedule = 0
	}
	s.price, s.currency = x.Price, x.Currency
	for _, app := range []string{"stripe", "paypal"} {
		if a := m.Apps[app]; a.Enabled && a.Price > 0 {
			s.price, s.currency = int64(a.Price), a.Currency
		}
	}
	if money.CheckCurrency("", strings.ToUpper(s.currency)) != nil {
		s.price = 0
	}
	var recurring struct{ Count int }
	loosely(x.Recurring, &recurring)
	s.dates = recurring.Count
	var limits, minutes map[string]int
	loosely(x.Limits, &limits)
	loosely(x.MinutesLimits, &minutes)
	s.limits, s.minutesLimited = map[string]int{}, len(minutes) > 0
	for name, n := range limits {
		s.limits[strings.ToLower(strings.TrimPrefix(name, "PER_"))] = n
	}
	var places []struct{ Type, Address, Link, HostPhoneNumber string }
	loosely(x.Locations, &places)
	for _, p := range places {
		s.locations = append(s.locations, location{p.Type, p.Address + p.Link + p.HostPhoneNumber})
	}
	s.readFields(x.Fields)
	return s
}

// readFields reads the questions of a form, among the fields that every form has.
func (s *service) readFields(from json.RawMessage) {
	var fields []struct {
		Name, Type, Label, DefaultLabel, Editable string
		Required, Hidden                          bool
		Options                                   []struct{ Label, Value string }
	}
	loosely(from, &fields)
	for _, f := range fields {
		switch {
		case f.Name == "attendeePhoneNumber":
			s.hasPhone, s.asksPhone = !f.Hidden, !f.Hidden && f.Required
		case f.Name == "email":
			s.noEmail = f.Hidden || !f.Required
		}
		if f.Hidden || slices.Contains(asDefault, f.Name) || strings.HasPrefix(f.Editable, "system") {
			continue
		}
		q := question{name: f.Name, kind: f.Type, label: f.Label, required: f.Required}
		for _, o := range f.Options {
			label := o.Label
			if label == "" {
				label = o.Value
			}
			q.options = append(q.options, label)
		}
		s.questions = append(s.questions, q)
	}
}

type (
	userRow struct {
		ID       int64  `json:"id"`
		Name     string `json:"name"`
		Username string `json:"username"`
		Email    string `json:"email"`
		Zone     string `json:"timeZone"`
		Schedule int64  `json:"defaultScheduleId"`
	}
	scheduleRow struct {
		ID   int64  `json:"id"`
		User int64  `json:"userId"`
		Name string `json:"name"`
		Zone string `json:"timeZone"`
	}
	availabilityRow struct {
		User     int64  `json:"userId"`
		Service  int64  `json:"eventTypeId"`
		Schedule int64  `json:"scheduleId"`
		Days     []int  `json:"days"`
		Date     string `json:"date"`
		From     string `json:"startTime"`
		To       string `json:"endTime"`
	}
	awayRow struct {
		User int64 `json:"userId"`
		From stamp `json:"start"`
		To   stamp `json:"end"`
	}
	calendarRow struct {
		User int64 `json:"userId"`
	}
)

// clock reads a time of day in minutes.
func clock(text string) int {
	at, err := time.Parse("15:04", text[:min(len(text), 5)])
	if err != nil {
		return 0
	}
	return at.Hour()*60 + at.Minute()
}

func (t *tables) readPeople(team string) error {
	users, err := rowsOf[userRow](t, `users`, `ORDER BY t.id`, mostPeople)
	if err != nil {
		return err
	}
	for _, u := range users {
		name := u.Name
		if name == "" {
			name = u.Username
		}
		x := user{id: u.ID, name: name, email: u.Email, zone: u.Zone, schedule: u.Schedule}
		if does := slices.ContainsFunc(t.services, func(s service) bool {
			return slices.ContainsFunc(s.hosts, func(h host) bool { return h.user == u.ID })
		}); does || team == "" {
			t.users = append(t.users, x)
		}
	}
	schedules, err := rowsOf[scheduleRow](t, `"Schedule"`, `ORDER BY t.id`, 10*mostPeople)
	if err != nil {
		return err
	}
	for _, s := range schedules {
		one := schedule{id: s.ID, user: s.User, name: s.Name, zone: s.Zone}
		if u := slices.IndexFunc(users, func(u userRow) bool { return u.ID == s.User }); one.zone == "" && u >= 0 {
			one.zone = users[u].Zone
		}
		t.schedules = append(t.schedules, one)
	}
	rules, err := rowsOf[availabilityRow](t, `"Availability"`, `ORDER BY t.id`, 20*mostPeople)
	if err != nil {
		return err
	}
	for _, x := range rules {
		i := slices.IndexFunc(t.schedules, func(s schedule) bool { return s.id == x.Schedule })
		if i < 0 {
			continue
		}
		t.schedules[i].rules = append(t.schedules[i].rules, rule{x.Days, x.Date, clock(x.From), clock(x.To)})
	}
	away, err := rowsOf[awayRow](t, `"OutOfOfficeEntry"`, `ORDER BY t.id`, 10*mostPeople)
	if err != nil {
		return err
	}
	calendars, err := rowsOf[calendarRow](t, `"SelectedCalendar"`, `ORDER BY t."userId"`, 10*mostPeople)
	if err != nil {
		return err
	}
	for i := range t.users {
		u := &t.users[i]
		for _, a := range away {
			if a.User == u.id {
				u.away = append(u.away, span{a.From.Time, a.To.Time})
			}
		}
		for _, c := range calendars {
			if c.User == u.id {
				u.calendars++
			}
		}
	}
	return nil
}

type (
	bookingRow struct {
		ID          int64           `json:"id"`
		UID         string          `json:"uid"`
		User        int64           `json:"userId"`
		Service     int64           `json:"eventTypeId"`
		Description string          `json:"description"`
		Inputs      json.RawMessage `json:"customInputs"`
		Responses   json.RawMessage `json:"responses"`
		Start       stamp           `json:"startTime"`
		End         stamp           `json:"endTime"`
		Made        stamp           `json:"createdAt"`
		Location    string          `json:"location"`
		Status      string          `json:"status"`
		Series      string          `json:"recurringEventId"`
		Metadata    json.RawMessage `json:"metadata"`
	}
	attendeeRow struct {
		ID      int64  `json:"id"`
		Booking int64  `json:"bookingId"`
		Name    string `json:"name"`
		Email   string `json:"email"`
		Zone    string `json:"timeZone"`
		Phone   string `json:"phoneNumber"`
	}
	seatRow struct {
		Reference string          `json:"referenceUid"`
		Attendee  int64           `json:"attendeeId"`
		Data      json.RawMessage `json:"data"`
	}
	paymentRow struct {
		Booking  int64  `json:"bookingId"`
		Amount   int64  `json:"amount"`
		Currency string `json:"currency"`
		Success  bool   `json:"success"`
		Refunded bool   `json:"refunded"`
	}
)

func (t *tables) readBookings(team string) error {
	ids, ofTeam := "", ""
	if team != "" {
		var all []string
		for _, s := range t.services {
			all = append(all, text(s.id))
		}
		ids, ofTeam = strings.Join(all, ","), ` AND b."eventTypeId" = ANY (string_to_array($3, ',')::bigint[])`
	}
	args := []any{t.now}
	if team != "" {
		args = append(args, ids)
	}
	coming := func(of string) string { // rows of bookings that are to come
		return `WHERE EXISTS (SELECT 1 FROM "Booking" b WHERE b.id = ` + of + ` AND b."endTime" > $2` + ofTeam + `)`
	}
	rows, err := rowsOf[bookingRow](t, `"Booking"`, coming(`t.id`)+` ORDER BY t."startTime", t.id`, mostBookings, args...)
	if err != nil {
		return err
	}
	people, err := rowsOf[attendeeRow](t, `"Attendee"`, coming(`t."bookingId"`)+` ORDER BY t.id`, 4*mostBookings, args...)
	if err != nil {
		return err
	}
	seats, err := rowsOf[seatRow](t, `"BookingSeat"`, coming(`t."bookingId"`)+` ORDER BY t.id`, 4*mostBookings, args...)
	if err != nil {
		return err
	}
	payments, err := rowsOf[paymentRow](t, `"Payment"`, coming(`t."bookingId"`)+` ORDER BY t.id`, mostBookings, args...)
	if err != nil {
		return err
	}
	seatOf, comes, paid := map[int64]seatRow{}, map[int64][]attendee{}, map[int64]string{}
	for _, s := range seats {
		seatOf[s.Attendee] = s
	}
	for _, p := range people {
		a := p.attendee()
		if s, has := seatOf[p.ID]; has {
			var data struct {
				Responses   map[string]any `json:"responses"`
				Description string         `json:"description"`
			}
			loosely(s.Data, &data)
			a.seat, a.answers = s.Reference, data.Responses
			if a.answers == nil {
				a.answers = map[string]any{}
			}
			if _, said := a.answers["notes"]; !said && data.Description != "" {
				a.answers["notes"] = data.Description
			}
		}
		comes[p.Booking] = append(comes[p.Booking], a)
	}
	for _, p := range payments {
		if p.Success && !p.Refunded {
			m := money.Money{Amount: p.Amount, Currency: strings.ToUpper(p.Currency)}
			paid[p.Booking] = strings.TrimPrefix(paid[p.Booking]+", "+m.Text(), ", ")
		}
	}
	for _, x := range rows {
		b := booked{uid: x.UID, status: x.Status, user: x.User, service: x.Service, start: x.Start.Time, end: x.End.Time, at: x.Made.Time,
			about: x.Description, location: x.Location, paid: paid[x.ID], series: x.Series != "", attendees: comes[x.ID]}
		var m struct {
			Meeting string `json:"videoCallUrl"`
		}
		loosely(x.Metadata, &m)
		b.meeting = m.Meeting
		loosely(x.Responses, &b.answers)
		if b.answers == nil { // it is older than these
			loosely(x.Inputs, &b.answers)
		}
		t.bookings = append(t.bookings, b)
	}
	return t.readCustomers(ids, ofTeam)
}

func (p *attendeeRow) attendee() attendee {
	return attendee{name: p.Name, email: p.Email, zone: p.Zone, phone: p.Phone}
}

// readCustomers reads all who have ever booked, as they booked last.
func (t *tables) readCustomers(ids, ofTeam string) error {
	where, args := `WHERE true`, []any(nil)
	if ofTeam != "" {
		where = `WHERE EXISTS (SELECT 1 FROM "Booking" b WHERE b.id = t."bookingId"` + strings.ReplaceAll(ofTeam, "$3", "$2") + `)`
		args = append(args, ids)
	}
	people, err := rowsOf[attendeeRow](t, `"Attendee"`, where+` AND t.id = (SELECT max(o.id) FROM "Attendee" o WHERE o.email = t.email)
		ORDER BY t.id`, mostCustomers, args...)
	met := map[string]bool{}
	for i := len(people) - 1; i >= 0; i-- {
		if key := strings.ToLower(people[i].Email); !met[key] {
			met[key] = true
			t.customers = append(t.customers, people[i].attendee())
		}
	}
	slices.Reverse(t.customers)
	return err
}

type webhookRow struct {
	ID       string   `json:"id"`
	User     int64    `json:"userId"`
	Team     int64    `json:"teamId"`
	Service  int64    `json:"eventTypeId"`
	URL      string   `json:"subscriberUrl"`
	Active   bool     `json:"active"`
	Triggers []string `json:"eventTriggers"`
}

func (t *tables) readWebhooks(team string) error {
	rows, err := rowsOf[webhookRow](t, `"Webhook"`, `ORDER BY t.id`, mostPeople)
	if err != nil {
		return err
	}
	teams, err := rowsOf[teamRow](t, `"Team"`, `ORDER BY t.id`, mostPeople)
	if err != nil {
		return err
	}
	for _, w := range rows {
		of := "all"
		for _, u := range t.users {
			if u.id == w.User {
				of = u.name
			}
		}
		for _, x := range teams {
			if x.ID == w.Team {
				if of = x.Name; team != "" && x.Slug != team {
					of = ""
				}
			}
		}
		for _, s := range t.services {
			if s.id == w.Service {
				of = s.title
			}
		}
		if of == "" || team != "" && of == "all" {
			continue
		}
		t.webhooks = append(t.webhooks, webhook{w.URL, of, w.Triggers, w.Active})
	}
	return nil
}

type onlyID struct {
	ID any `json:"id"`
}

// readRest counts what isn't taken over.
func (t *tables) readRest(string) error {
	for _, x := range []struct {
		table, name string
		why         fault.Text
	}{
		{`"Workflow"`, "workflows", fault.Textf("reminders and other mails are the event types' own here: look at them in the settings")},
		{`"App_RoutingForms_Form"`, "routing forms", fault.Textf("Daybook has none")},
	} {
		rows, err := rowsOf[onlyID](t, x.table, `ORDER BY t.id`, mostPeople)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			t.left = append(t.left, movein.Left{Kind: movein.OfProgram, Name: fmt.Sprintf("%d %s", len(rows), x.name), Why: x.why})
		}
	}
	return nil
}
