package agent_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/right"
)

const deskPath, ownerPath = "/api/mcp/desk", "/api/mcp/owner"

var (
	deskOnly = []string{"approve_booking", "hold_time", "join_waitlist", "mark_arrived", "mark_done", "resend", "sell_voucher", "set_time_off",
		"take_payment", "undo", "update_booking", "update_contact"}
	ownerOnly = []string{"hosts", "hours", "update_service"}
)

// atDesk is a client of the desk's tools, with a key that may all of it.
type atDesk struct {
	*world
	client *client.Client
	fits   func(tool, arguments string) answer
}

func newDeskClient(t *testing.T, path string) *atDesk {
	w := newWorld(t)
	w.key = w.keyWith("contacts", "settings")
	c, err := client.NewStreamableHttpClient(w.server.URL+path, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + w.key}))
	must(t, err)
	must(t, c.Start(t.Context()))
	t.Cleanup(func() { c.Close() })
	_, err = c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "test", Version: "1"}}})
	must(t, err)
	return &atDesk{w, c, w.fittingAt(path)}
}

// keyWith is the value of a full key with areas.
func (w *world) keyWith(areas ...string) string {
	w.Helper()
	all, err := right.ParseAreas(areas)
	must(w.T, err)
	k, err := w.Account.CreateKey(w.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "k", Scope: account.FullScope, Areas: all, RateLimit: 10000})
	must(w.T, err)
	return k.Value
}

// use calls a tool by the client, and holds the answer against its schema by the raw call of fits beside it in tests that
// change nothing twice.
func (d *atDesk) use(tool, arguments string) answer {
	d.Helper()
	var in map[string]any
	must(d.T, json.Unmarshal([]byte(arguments), &in))
	a, err := use(d.Context(), d.client, tool, in)
	must(d.T, err)
	return a
}

// confirm makes the dry run of a call, and returns the arguments with its confirm.
func (d *atDesk) confirm(tool, arguments string) string {
	d.Helper()
	dry := d.fits(tool, strings.TrimSuffix(arguments, "}")+`,"dryRun":true}`)
	var run struct{ Confirm string }
	must(d.T, json.Unmarshal(dry.Structured, &run))
	if dry.IsError || run.Confirm == "" {
		d.Fatalf("%s %s: no confirm: %s", tool, arguments, dry.Structured)
	}
	return strings.TrimSuffix(arguments, "}") + fmt.Sprintf(`,"confirm":%q}`, run.Confirm)
}

// do confirms a call, and makes it by the client.
func (d *atDesk) do(tool, arguments string, into any) {
	d.Helper()
	a := d.use(tool, d.confirm(tool, arguments))
	if a.IsError {
		d.Fatalf("%s %s: %s", tool, arguments, a.Structured)
	}
	if into != nil {
		must(d.T, json.Unmarshal(a.Structured, into))
	}
}

// at calls without a confirm.
func (d *atDesk) at(tool, arguments string, into any) {
	d.Helper()
	a := d.fits(tool, arguments)
	if a.IsError {
		d.Fatalf("%s %s: %s", tool, arguments, a.Structured)
	}
	if into != nil {
		must(d.T, json.Unmarshal(a.Structured, into))
	}
}

func (d *atDesk) refused(tool, arguments, reason string) {
	d.Helper()
	if e := d.use(tool, arguments).failure(); e.Details["reason"] != reason {
		d.Errorf("%s %s: %+v, want %s", tool, arguments, e, reason)
	}
}

// book is a booking of the service at the start.
func (d *atDesk) book(service, start, name string) booking.Booking {
	d.Helper()
	b, err := d.Book(d.Context(), d.Owner, booking.BookInput{EventType: service, Start: start,
		Invitee: booking.Invitee{Name: name, Email: strings.ToLower(name) + "@x.example"}})
	must(d.T, err)
	return b
}

func (d *atDesk) booking(b booking.Booking) booking.Booking {
	d.Helper()
	b, err := d.Booking(d.Context(), d.Owner, b.ID.String())
	must(d.T, err)
	return b
}

// TestSetsOfTools: the ten stay the ten, the other addresses have more.
func TestSetsOfTools(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string][]string{"/api/mcp": ten, deskPath: slices.Concat(ten, deskOnly), ownerPath: slices.Concat(ten, deskOnly, ownerOnly)} {
		var names []string
		all := 0
		for _, tool := range w.toolsAt(path) {
			names = append(names, tool.Name)
			text, err := json.Marshal(tool)
			must(t, err)
			all += tokens(t, string(text))
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				if _, ok := tool.Annotations[hint].(bool); !ok {
					t.Errorf("%s says nothing of %s", tool.Name, hint)
				}
			}
		}
		slices.Sort(names)
		if slices.Sort(want); !slices.Equal(names, want) {
			t.Errorf("%s has %v", path, names)
		}
		t.Logf("%s: %d tools, %d tokens", path, len(names), all)
		if all > map[string]int{"/api/mcp": 12100, deskPath: 18000, ownerPath: 20000}[path] {
			t.Errorf("the list at %s is %d tokens", path, all)
		}
	}
	if res := w.request("POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"take_payment","arguments":{}}}`); !strings.Contains(readAll(t, res), "-32602") {
		t.Error("a tool of the desk can be called at the ten's address")
	}
}

// TestTakePayment: cash with a tip, a discount with change, and what is refused without having been shown.
func TestTakePayment(t *testing.T) {
	d := newDeskClient(t, deskPath)
	b := d.book("cut", "2026-12-01T08:00:00Z", "Mei")
	id := `"id":"` + b.ID.String() + `"`
	d.refused("take_payment", `{`+id+`,"method":"cash"}`, "confirm_needed")
	var paid struct {
		Paid, Tip, Due, Change, Discounted struct{ Amount int64 }
		Receipt                            string
	}
	call := d.confirm("take_payment", `{`+id+`,"method":"cash","tip":500}`)
	d.refused("take_payment", strings.Replace(call, `"tip":500`, `"tip":5000`, 1), "confirm_other")
	d.refused("mark_no_show", `{`+id+`}`, "wrong_state")
	if got := d.booking(b); got.Due.Amount != 4500 || len(got.Payments) > 0 {
		t.Fatalf("a dry run has taken money: %+v", got.Payments)
	}
	first := d.use("take_payment", call)
	must(t, json.Unmarshal(first.Structured, &paid))
	if first.IsError || paid.Paid.Amount != 4500 || paid.Tip.Amount != 500 || paid.Due.Amount != 0 || paid.Receipt == "" {
		t.Errorf("%s", first.Structured)
	}
	if again := d.use("take_payment", call); string(again.Structured) != string(first.Structured) {
		t.Errorf("the same confirm again: %s", again.Structured)
	}
	if got := d.booking(b); len(got.Payments) != 1 || got.Payments[0].Amount != 4500 || got.Payments[0].Tip != 500 || got.Payments[0].By != booking.ByAgent {
		t.Errorf("%+v", got.Payments)
	}
	// a discount, and change
	two := d.book("cut", "2026-12-01T10:00:00Z", "Bo")
	d.do("take_payment", `{"id":"`+two.ID.String()+`","method":"cash","tendered":5000,"discount":{"percent":10,"reason":"Ten visits"}}`, &paid)
	if paid.Paid.Amount != 4050 || paid.Discounted.Amount != 450 || paid.Change.Amount != 950 || paid.Due.Amount != 0 {
		t.Errorf("%+v", paid)
	}
	// in between somebody else takes money: it is not what was shown
	three := d.book("cut", "2026-12-01T12:00:00Z", "Cy")
	call = d.confirm("take_payment", `{"id":"`+three.ID.String()+`","method":"card"}`)
	_, err := d.Counter.Record(t.Context(), d.Owner, three.ID.String(), counter.Input{Amount: 1000, Method: booking.ByCash})
	must(t, err)
	d.refused("take_payment", call, "confirm_changed")
	call = d.confirm("take_payment", `{"id":"`+three.ID.String()+`","method":"card"}`)
	d.Clock.Advance(11 * time.Minute)
	d.refused("take_payment", call, "confirm_over")
	d.refused("take_payment", `{"id":"`+three.ID.String()+`","method":"card","confirm":"yes"}`, "confirm_other")
	if got := d.booking(three); got.Due.Amount != 3500 {
		t.Errorf("%+v", got.Due)
	}
}

// TestConfirmIsOfItsCaller: another key can't use what was shown to this one.
func TestConfirmIsOfItsCaller(t *testing.T) {
	d := newDeskClient(t, deskPath)
	b := d.book("cut", "2026-12-01T08:00:00Z", "Mei")
	call := d.confirm("take_payment", `{"id":"`+b.ID.String()+`","method":"cash"}`)
	other := d.callAt(deskPath, "take_payment", call, "Authorization", "Bearer "+d.keyWith("contacts"))
	if e := other.failure(); e.Details["reason"] != "confirm_other" {
		t.Errorf("%s", other.Structured)
	}
}

// TestDeskDay: a request is approved, the customer comes, is done, and didn't come after all.
func TestDeskDay(t *testing.T) {
	d := newDeskClient(t, deskPath)
	d.Offer("bridal", 60, func(e *catalog.EventType) { e.RequiresApproval = true })
	asked := d.book("bridal", "2026-12-01T13:00:00Z", "Anna")
	d.refused("approve_booking", `{"id":"`+asked.ID.String()+`","decision":"approve"}`, "confirm_needed")
	var b booking.Booking
	if d.do("approve_booking", `{"id":"`+asked.ID.String()+`","decision":"approve"}`, &b); b.Status != booking.Confirmed {
		t.Errorf("%s", b.Status)
	}
	again := d.book("bridal", "2026-12-02T13:00:00Z", "Berta")
	if d.do("approve_booking", `{"id":"`+again.ID.String()+`","decision":"decline","reason":"Fully staffed."}`, &b); b.Status != booking.Cancelled {
		t.Errorf("%s", b.Status)
	}
	id := `{"id":"` + asked.ID.String() + `"}`
	d.Clock.Advance(28 * time.Hour) // from Monday morning
	if d.at("mark_arrived", id, &b); b.ArrivedAt == 0 {
		t.Error("not arrived")
	}
	if d.at("mark_done", id, &b); b.DoneAt == 0 {
		t.Error("not done")
	}
	d.at("undo", id, nil)
	if d.at("undo", id, &b); b.DoneAt != 0 || b.ArrivedAt != 0 {
		t.Errorf("%+v", b)
	}
	d.refused("undo", id, "nothing_to_undo")
	d.Clock.Advance(24 * time.Hour)
	d.at("mark_no_show", id, nil)
	if d.at("undo", id, &b); b.Status != booking.Confirmed {
		t.Errorf("%s", b.Status)
	}
}

// TestUpdateBooking: what tells people is shown first, what tells nobody is done at once.
func TestUpdateBooking(t *testing.T) {
	d := newDeskClient(t, deskPath)
	setup, err := d.Setup(d.Workspace.ID)
	must(t, err)
	d.Offer("wash", 60, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: setup.Hosts[0].ID}, {ID: setup.Hosts[1].ID}}
	})
	b := d.book("wash", "2026-12-01T08:00:00Z", "Mei")
	id := `"id":"` + b.ID.String() + `"`
	d.at("update_booking", `{`+id+`,"notes":"brings her dog"}`, nil)
	other := map[string]string{"Ana": "Bo", "Bo": "Ana"}[b.Host.Name]
	d.refused("update_booking", `{`+id+`,"host":"`+other+`"}`, "confirm_needed")
	d.do("update_booking", `{`+id+`,"host":"`+other+`"}`, nil)
	if got := d.booking(b); got.Host.Name != other || got.Notes != "brings her dog" {
		t.Errorf("%s %q", got.Host.Name, got.Notes)
	}
	if a := d.use("update_booking", `{`+id+`,"internalNote":"x"}`); !a.IsError {
		t.Error("an agent overwrites what it can't read")
	}
	var sent struct{ To, Kind string }
	if a := d.fits("resend", `{`+id+`}`); !a.IsError {
		must(t, json.Unmarshal(a.Structured, &sent))
	} else if reason := a.failure().Details["reason"]; reason != "overtaken" && reason != "sent_lately" {
		t.Errorf("%s", a.Structured)
	}
}

// TestUpdateContact: notes and tags are added to, or replaced.
func TestUpdateContact(t *testing.T) {
	d := newDeskClient(t, deskPath)
	var c struct {
		ID, Notes string
		Tags      []string
	}
	d.at("create_contact", `{"name":"Lotte","email":"lotte@x.example","notes":"no gluten"}`, &c)
	d.at("update_contact", `{"id":"`+c.ID+`","addTags":["holiday list"],"addNote":"likes tea"}`, &c)
	if c.Notes != "no gluten\nlikes tea" || !slices.Equal(c.Tags, []string{"holiday list"}) {
		t.Errorf("%+v", c)
	}
	d.at("update_contact", `{"id":"`+c.ID+`","addTags":["vip"]}`, &c)
	d.at("update_contact", `{"id":"`+c.ID+`","notes":""}`, &c)
	if c.Notes != "" || len(c.Tags) != 2 {
		t.Errorf("%+v", c)
	}
	all, err := d.People.Contacts(t.Context(), d.Owner, contact.Filter{Tags: []string{"vip"}}, nil, "")
	must(t, err)
	if len(all.Data) != 1 || all.Data[0].Name != "Lotte" {
		t.Errorf("%+v", all.Data)
	}
}

// TestSellVoucher: it is sold once, its code is told once, and it pays.
func TestSellVoucher(t *testing.T) {
	d := newDeskClient(t, deskPath)
	call := d.confirm("sell_voucher", `{"amount":5000,"method":"cash","tendered":6000,"for":"Oma"}`)
	var sold struct {
		Code, VoucherID string
		Change, Paid    struct{ Amount int64 }
	}
	must(t, json.Unmarshal(d.use("sell_voucher", call).Structured, &sold))
	if sold.Code == "" || sold.VoucherID == "" || sold.Change.Amount != 1000 || sold.Paid.Amount != 5000 {
		t.Errorf("%+v", sold)
	}
	if again := string(d.use("sell_voucher", call).Structured); strings.Contains(again, `"code"`) || !strings.Contains(again, sold.VoucherID) {
		t.Errorf("again: %s", again)
	}
	sales, err := d.Counter.Sales(t.Context(), d.Owner, counter.SaleQuery{})
	must(t, err)
	if len(sales.Data) != 1 {
		t.Errorf("%d were sold", len(sales.Data))
	}
	b := d.book("cut", "2026-12-01T08:00:00Z", "Mei")
	d.do("take_payment", `{"id":"`+b.ID.String()+`","method":"voucher","pass":"`+sold.Code+`"}`, nil)
	if got := d.booking(b); got.Due.Amount != 0 {
		t.Errorf("%+v", got.Due)
	}
}

func TestJoinWaitlist(t *testing.T) {
	d := newDeskClient(t, deskPath)
	var entry struct{ ID, Status string }
	d.at("join_waitlist", `{"services":[{"service":"CUT","host":"Ana"}],"wishes":[{"from":"2026-12-03","to":"2026-12-11","days":["fri"],"hours":["09:00-12:00"]}],
		"invitee":{"name":"Wa","email":"wa@x.example"}}`, &entry)
	if entry.Status != "waiting" {
		t.Errorf("%+v", entry)
	}
	if e := d.use("join_waitlist", `{"wishes":[],"invitee":{"name":"Wa","email":"wa@x.example"}}`).failure(); e.Code != string(fault.BadRequest) {
		t.Errorf("%+v", e)
	}
}

// TestAStylistIsIll: her day is closed before it is emptied; who can't be moved is named.
func TestAStylistIsIll(t *testing.T) {
	d := newDeskClient(t, deskPath)
	setup, err := d.Setup(d.Workspace.ID)
	must(t, err)
	ana, bo := setup.Hosts[0].ID, setup.Hosts[1].ID
	d.Offer("both", 60, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: ana}, {ID: bo}} })
	book := func(service, start, name string) booking.Booking {
		b, err := d.Book(t.Context(), d.Owner, booking.BookInput{EventType: service, Start: start, Host: ana.String(),
			Invitee: booking.Invitee{Name: name, Email: strings.ToLower(name) + "@x.example"}})
		must(t, err)
		return b
	}
	free := book("both", "2026-12-01T08:00:00Z", "Free")
	stuck := book("both", "2026-12-01T10:00:00Z", "Stuck")
	alone := book("cut", "2026-12-01T12:00:00Z", "Alone") // Ana alone does it
	_, err = d.Book(t.Context(), d.Owner, booking.BookInput{EventType: "colour", Start: "2026-12-01T10:00:00Z", Invitee: booking.Invitee{Name: "Zoe", Email: "z@x.example"}})
	must(t, err)
	const day = `{"host":"Ana","start":"2026-12-01","end":"2026-12-01","reason":"ill"`
	var told struct {
		Bookings []struct{ ID, State, Host, Why string }
	}
	d.at("set_time_off", day+`,"dryRun":true}`, nil)
	if off, _, err := d.Shop.TimeOff(d.Owner, ana.String()); err != nil || len(off) > 0 {
		t.Fatalf("a dry run gives time off: %v %v", off, err)
	}
	d.refused("set_time_off", day+`,"bookings":"move","message":"Ana is ill."}`, "confirm_needed")
	d.do("set_time_off", day+`,"bookings":"move","message":"Ana is ill."}`, &told)
	states := map[string]string{}
	for _, row := range told.Bookings {
		states[row.ID] = row.State + " " + row.Host
		if (row.Why == "") != (row.State == "moved") {
			t.Errorf("%+v", row)
		}
	}
	if states[free.ID.String()] != "moved Bo" || states[stuck.ID.String()] != "stays " || states[alone.ID.String()] != "stays " {
		t.Errorf("%v", states)
	}
	if got := d.booking(free); got.Host.ID != bo || got.Start != free.Start {
		t.Errorf("%+v", got.Host)
	}
	var open struct{ Data []struct{ Start string } }
	if d.at("check_availability", `{"eventType":"cut","from":"2026-12-01","days":1}`, &open); len(open.Data) > 0 {
		t.Errorf("her day is open: %v", open.Data)
	}
	d.do("set_time_off", day+`,"bookings":"cancel","message":"Ana is ill."}`, &told)
	if len(told.Bookings) != 2 || told.Bookings[0].State != "cancelled" || d.booking(alone).Cancellation == nil || d.booking(alone).Cancellation.Reason != "Ana is ill." {
		t.Errorf("%+v", told)
	}
	if off, _, err := d.Shop.TimeOff(d.Owner, ana.String()); err != nil || len(off) != 1 {
		t.Errorf("time off: %v %v", off, err)
	}
}

// TestOwnerTools: a price, the hours and the people.
func TestOwnerTools(t *testing.T) {
	d := newDeskClient(t, ownerPath)
	d.at("update_service", `{"service":"CUT","price":{"amount":4800},"durationMinutes":45}`, nil)
	setup, err := d.Setup(d.Workspace.ID)
	must(t, err)
	if e := setup.EventType("cut"); e.Price.Amount != 4800 || e.Price.Currency != "EUR" || e.DurationMinutes != 45 {
		t.Errorf("%+v", e)
	}
	if e := d.use("update_service", `{"service":"cut","price":{"amount":-1}}`).failure(); e.Details["field"] != "price.amount" {
		t.Errorf("%+v", e)
	}
	if a := d.use("update_service", `{"service":"cut"}`); !a.IsError {
		t.Error("nothing was changed, without a word")
	}
	var all struct {
		Hosts []struct {
			Name      string
			Active    *bool
			Weekly    map[string][]string
			Overrides []struct{ Date string }
		}
	}
	if d.at("hosts", `{}`, &all); len(all.Hosts) != 2 {
		t.Errorf("%+v", all)
	}
	if d.at("hosts", `{"name":"Cleo","email":"cleo@x.example"}`, &all); len(all.Hosts) != 1 || all.Hosts[0].Name != "Cleo" {
		t.Errorf("%+v", all)
	}
	d.at("hosts", `{"host":"Cleo","active":false}`, nil)
	if d.at("hours", `{"host":"Ana","weekly":{"mon":["10:00-14:00"]}}`, &all); !slices.Equal(all.Hosts[0].Weekly["mon"], []string{"10:00-14:00"}) {
		t.Errorf("%+v", all)
	}
	all.Hosts = nil
	if d.at("hours", `{"host":"Ana","date":"2026-12-24","hours":[]}`, &all); len(all.Hosts[0].Overrides) != 1 {
		t.Errorf("%+v", all)
	}
	all.Hosts = nil
	if d.at("hours", `{"host":"Ana","date":"2026-12-24"}`, &all); len(all.Hosts[0].Overrides) != 0 {
		t.Errorf("%+v", all)
	}
	d.at("hours", `{"host":"Ana"}`, nil)
}

// TestEveryToolByEveryCredential walks the tools of every set with every kind of credential: who may not is refused before
// anything is done, and who may gets as far as the arguments.
func TestEveryToolByEveryCredential(t *testing.T) {
	w := newWorld(t)
	member := func(role app.Role) app.User {
		in := account.UserInput{Email: string(role) + "@salon.example", Role: role, Password: "correct horse battery"}
		if role == app.StaffRole {
			in.Host = 1
		}
		u, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID), in)
		must(t, err)
		return u
	}
	owner, manager, staff := member(app.OwnerRole), member(app.ManagerRole), member(app.StaffRole)
	restricted, err := w.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "r", Scope: account.FullScope,
		Limits: account.Limits{Rights: []string{"bookings:read"}}, RateLimit: 10000})
	must(t, err)
	// What a tool needs besides a full key; its arguments reach the right and no further.
	const none = `{"id":"bk_0000000000000"}`
	arguments := map[string]string{
		"list_event_types": `{}`, "check_availability": `{"eventType":"cut"}`, "list_bookings": `{}`, "list_contacts": `{}`, "analytics_overview": `{}`,
		"create_booking": `{"eventType":"nothing","start":"2026-12-01T08:00:00Z",` + invitee + `}`, "create_contact": `{"name":"Mei","email":"mei@x.example","dryRun":true}`,
		"reschedule_booking": `{"id":"bk_0000000000000","start":"2026-12-01T08:00:00Z"}`, "cancel_booking": none, "mark_no_show": none,
		"take_payment": `{"id":"bk_0000000000000","method":"cash","dryRun":true}`, "approve_booking": `{"id":"bk_0000000000000","decision":"approve"}`,
		"mark_arrived": none, "mark_done": none, "undo": none, "update_booking": `{"id":"bk_0000000000000","notes":"x"}`,
		"update_contact": `{"id":"ct_0000000000000","notes":"x"}`, "resend": none, "sell_voucher": `{"amount":100,"method":"cash","dryRun":true}`,
		"join_waitlist":  `{"services":[{"service":"nothing"}],"wishes":[{"from":"2026-12-03","to":"2026-12-04"}],"invitee":{"name":"W","email":"w@x.example"}}`,
		"hold_time":      `{"eventType":"nothing","start":"2026-12-01T08:00:00Z"}`,
		"set_time_off":   `{"host":"Ana","start":"2026-12-05","end":"2026-12-05","dryRun":true}`,
		"update_service": `{"service":"cut","title":"Cut","dryRun":true}`, "hours": `{"host":"Ana"}`, "hosts": `{}`,
	}
	reads := []string{"list_event_types", "check_availability", "list_bookings", "list_contacts", "analytics_overview"}
	everything := slices.Concat(ten, deskOnly, ownerOnly)
	without := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(everything), func(n string) bool { return slices.Contains(names, n) })
	}
	settings := slices.Concat([]string{"set_time_off"}, ownerOnly)
	ofStaff := []string{"list_contacts", "analytics_overview", "create_contact", "update_contact", "update_service"}
	const no401, no403 = "401", "403"
	for _, c := range []struct {
		name, path, bearer string
		may                []string // of the tools at the path; the others are refused
		status             string   // how; "" by the tool
	}{
		{"a full key at the owner's", ownerPath, w.keyWith(), without(append(settings, "update_contact")...), ""},
		{"with contacts", ownerPath, w.keyWith("contacts"), without(settings...), ""},
		{"with settings", ownerPath, w.keyWith("settings"), without("update_contact"), ""},
		{"with both", ownerPath, w.keyWith("contacts", "settings"), everything, ""},
		{"a full key at the ten's", "/api/mcp", w.keyWith(), ten, ""},
		{"a read-only key", ownerPath, w.readOnly, reads, ""},
		{"a restricted key", ownerPath, restricted.Value, []string{"list_event_types", "check_availability", "list_bookings"}, ""},
		{"an owner who may look", ownerPath, w.signedIn(owner, ownerPath, "read"), reads, no403},
		{"who may write", ownerPath, w.signedIn(owner, ownerPath, "write"), ten, no403},
		{"of the desk", ownerPath, w.signedIn(owner, ownerPath, "desk"), without(ownerOnly...), no403},
		{"of all", ownerPath, w.signedIn(owner, ownerPath, "settings"), everything, ""},
		{"who asked for too much at the desk", deskPath, w.signedIn(owner, deskPath, "settings"), without(ownerOnly...), ""},
		{"a manager of all", ownerPath, w.signedIn(manager, ownerPath, "settings"), everything, ""},
		{"staff of all", ownerPath, w.signedIn(staff, ownerPath, "settings"), without(ofStaff...), ""},
		{"who asked for too much at the ten's", "/api/mcp", w.signedIn(owner, "/api/mcp", "settings"), ten, ""},
		{"a grant of the ten's elsewhere", deskPath, w.signedIn(owner, "/api/mcp", "write"), nil, no401},
		{"of the desk at the owner's", ownerPath, w.signedIn(owner, deskPath, "desk"), nil, no401},
		{"of the owner's at the ten's", "/api/mcp", w.signedIn(owner, ownerPath, "settings"), nil, no401},
	} {
		names := map[string][]string{"/api/mcp": ten, deskPath: slices.Concat(ten, deskOnly), ownerPath: everything}[c.path]
		for _, tool := range names {
			if arguments[tool] == "" {
				t.Fatalf("%s: with which arguments?", tool)
			}
			res := w.request("POST", c.path, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments[tool]+`}}`,
				"Authorization", "Bearer "+c.bearer)
			body := strings.ReplaceAll(readAll(t, res), `\"`, `"`)
			may, refused := slices.Contains(c.may, tool), strings.Contains(body, `"code":"forbidden"`)
			switch {
			case may && (res.StatusCode != 200 || refused):
				t.Errorf("%s: %s is refused: %d %.300s", c.name, tool, res.StatusCode, body)
			case may:
			case c.status == "" && !refused, c.status != "" && fmt.Sprint(res.StatusCode) != c.status:
				t.Errorf("%s: %s is allowed: %d %.300s", c.name, tool, res.StatusCode, body)
			}
			if c.status == no403 && !may && !strings.Contains(res.Header.Get("WWW-Authenticate"), `scope="read write desk settings", error="insufficient_scope"`) {
				t.Errorf("%s: %s: %v", c.name, tool, res.Header)
			}
		}
	}
}

// TestMetadataOfSets: each address has its own, with the scopes that there are.
func TestMetadataOfSets(t *testing.T) {
	w := newWorld(t)
	for path, scope := range map[string]string{"/api/mcp": "read write", deskPath: "read write desk", ownerPath: "read write desk settings"} {
		m := w.OAuth.ResourceMetadata(strings.TrimPrefix(w.server.URL, "http://"), path)
		var words []string
		for _, s := range m.Scopes {
			words = append(words, string(s))
		}
		if m.Resource != w.server.URL+path || strings.Join(words, " ") != scope {
			t.Errorf("%s: %+v", path, m)
		}
		res := w.request("POST", path, listTools, "Authorization", "")
		if got := res.Header.Get("WWW-Authenticate"); res.StatusCode != http.StatusUnauthorized || !strings.Contains(got, `/.well-known/oauth-protected-resource`+path+`", scope="`+scope+`"`) {
			t.Errorf("%s: %s", path, got)
		}
	}
}
