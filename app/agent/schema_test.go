package agent_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/when"
)

// described is a tool as a client sees it.
type described struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
	Annotations               map[string]any
}

func (w *world) tools() (tools []described) { return w.toolsAt("/api/mcp") }

func (w *world) toolsAt(path string) (tools []described) {
	w.Helper()
	var message struct{ Result struct{ Tools []described } }
	must(w.T, json.NewDecoder(w.request("POST", path, listTools).Body).Decode(&message))
	return message.Result.Tools
}

var ten = []string{"analytics_overview", "cancel_booking", "check_availability", "create_booking", "create_contact",
	"list_bookings", "list_contacts", "list_event_types", "mark_no_show", "reschedule_booking"}

func TestTenTools(t *testing.T) {
	w := newWorld(t)
	for _, key := range []string{w.key, w.readOnly} {
		w.key = key
		var names []string
		for _, tool := range w.tools() {
			names = append(names, tool.Name)
			if tool.Title == "" || len(tool.Description) < 50 {
				t.Errorf("%s: %q, %q", tool.Name, tool.Title, tool.Description)
			}
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				if _, ok := tool.Annotations[hint].(bool); !ok {
					t.Errorf("%s says nothing of %s", tool.Name, hint)
				}
			}
		}
		if slices.Sort(names); !slices.Equal(names, ten) {
			t.Errorf("tools are %v", names)
		}
	}
}

// TestEveryFieldIsDescribed walks the schemas.
func TestEveryFieldIsDescribed(t *testing.T) {
	w := newWorld(t)
	var walk func(path string, schema map[string]any)
	walk = func(path string, schema map[string]any) {
		properties, _ := schema["properties"].(map[string]any)
		for name, p := range properties {
			field := p.(map[string]any)
			if text, _ := field["description"].(string); len(text) < 4 && strings.Contains(path, " in") { // answers explain themselves
				t.Errorf("%s.%s has no description", path, name)
			}
			if field["type"] == nil {
				t.Errorf("%s.%s has no type", path, name)
			}
			walk(path+"."+name, field)
		}
		if items, ok := schema["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
	}
	for _, tool := range w.toolsAt("/api/mcp/owner") { // which has those of all sets
		for side, raw := range map[string]json.RawMessage{" in": tool.InputSchema, " out": tool.OutputSchema} {
			var schema map[string]any
			must(t, json.Unmarshal(raw, &schema))
			if schema["type"] != "object" {
				t.Errorf("%s%s is no object", tool.Name, side)
			}
			walk(tool.Name+side, schema)
		}
	}
}

func compile(t *testing.T, raw json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	must(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	must(t, c.AddResource("s.json", doc))
	s, err := c.Compile("s.json")
	must(t, err)
	return s
}

// fitting calls a tool, and holds the answer and what it takes against the tool's schemas.
func (w *world) fitting() func(tool, arguments string) answer { return w.fittingAt("/api/mcp") }

func (w *world) fittingAt(path string) func(tool, arguments string) answer {
	in, out := map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}
	for _, tool := range w.toolsAt(path) {
		in[tool.Name] = compile(w.T, tool.InputSchema)
		out[tool.Name] = compile(w.T, tool.OutputSchema)
	}
	return func(tool, arguments string) answer {
		w.Helper()
		a := w.callAt(path, tool, arguments)
		value := func(raw string) any {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
			must(w.T, err)
			return v
		}
		if err := out[tool].Validate(value(string(a.Structured))); err != nil {
			w.Errorf("%s %s: %v\n%s", tool, arguments, err, a.Structured)
		}
		if err := in[tool].Validate(value(arguments)); err != nil && !a.IsError {
			w.Errorf("%s takes what its schema refuses: %v", tool, err)
		}
		return a
	}
}

// TestAnswersFitTheirSchemas holds each answer against the schema, with everything that can be in it. Schemas name what
// is branched on, and answers have more.
func TestAnswersFitTheirSchemas(t *testing.T) {
	w := newWorld(t)
	check := w.fitting()
	var b booking.Booking
	w.Offer("asked", 60, func(e *catalog.EventType) {
		e.Questions = []catalog.Question{{Key: "q", Label: "Which?", Type: "text"}, {Key: "ok", Label: "All right?", Type: "checkbox"}}
	})
	full := `{"eventType":"asked","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":"mei@x.example","phone":"+49 30 1","timeZone":"Asia/Tokyo","locale":"ja"},
		"host":"` + catalog.HostID(1).String() + `","notes":"n","answers":{"q":"a","ok":true},"metadata":{"k":"v"}}`
	must(t, json.Unmarshal(check("create_booking", full).Structured, &b))
	id := `"id":"` + b.ID.String() + `"`
	check("create_booking", full) // again: an error
	check("create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Bo","email":"bo@x.example"}}`)
	check("reschedule_booking", `{`+id+`,"start":"2026-12-01T11:00:00+02:00","reason":"later"}`)
	check("list_event_types", `{"limit":1}`)
	check("check_availability", `{"eventType":"cut","days":1,"explain":true,"timeZone":"Asia/Kolkata","limit":2}`)
	check("check_availability", `{"eventType":"cut","from":"2026-12-01T18:00:00Z","to":"2026-12-01T19:00:00Z","explain":true}`)
	check("check_availability", `{"eventType":"nothing"}`)
	check("create_contact", `{"name":"Ed","email":"ed@x.example","notes":"n"}`)
	check("list_contacts", `{"q":"e"}`)
	w.Clock.Advance(25 * time.Hour)
	check("mark_no_show", `{`+id+`}`)
	check("mark_no_show", `{`+id+`}`)
	check("create_booking", `{"eventType":"colour","start":"2026-12-02T08:00:00Z","invitee":{"name":"Bo","email":"bo@x.example"}}`)
	check("list_bookings", `{"detail":"full","scope":"past","status":"no_show,cancelled"}`)
	var page fault.Page[booking.Booking]
	must(t, json.Unmarshal(check("list_bookings", `{"detail":"full","limit":1}`).Structured, &page))
	check("cancel_booking", `{"id":"`+page.Data[0].ID.String()+`","reason":"ill","refund":false}`)
	check("cancel_booking", `{"id":"`+page.Data[0].ID.String()+`","force":true}`)
	check("list_bookings", `{"detail":"full","status":"cancelled"}`)
	check("analytics_overview", `{}`)
	check("analytics_overview", `{"from":"2026-11-01","to":"2027-01-01","timeZone":"Europe/Berlin"}`)
	w.everyPaymentState(func(state string) {
		if a := check("list_bookings", `{"detail":"full","from":"2026-11-01","status":"confirmed,no_show"}`); !strings.Contains(string(a.Structured), `"`+state+`"`) {
			t.Errorf("the state %s is not in the answer: %s", state, a.Structured)
		}
	})
	w.key = w.readOnly
	check("create_contact", `{"name":"Ed","email":"ed2@x.example"}`)
	check("list_bookings", `{"detail":"full","status":"no_show"}`)
	check("list_bookings", `{"status":"all","scope":"all"}`)
}

// With payments: what the tools answer from the offer to the money that went back, with Stripe's stand-in.
func TestAnswersWithPaymentsFitTheirSchemas(t *testing.T) {
	w := newWorld(t)
	standIn, began := stripetest.New(t), w.Clock.Now()
	standIn.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(standIn.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	must(t, err)
	must(t, w.Store.Write(t.Context(), func(tx app.Tx) error {
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = 30, w.Workspace.ID, "paid", "Paid", 60, 60
		e.Price, e.Payment, e.Hosts = &money.Money{Amount: 4500, Currency: "EUR"}, catalog.PayOnline, []catalog.HostRef{{ID: 1}}
		e.NoShowFee = &money.Money{Amount: 2500, Currency: "EUR"}
		if err := tx.InsertEventType(&e); err != nil {
			return err
		}
		e.ID, e.Slug, e.Title, e.Price = 31, "held", "Held", nil
		if err := tx.InsertEventType(&e); err != nil {
			return err
		}
		e.ID, e.Slug, e.Title, e.Price, e.Payment = 32, "part", "Part", &money.Money{Amount: 4500, Currency: "EUR"}, catalog.PayOnSite
		e.Deposit, e.CancellationNoticeMinutes = &catalog.Deposit{Percent: 20}, 60
		e.LateCancellationFee = &money.Money{Amount: 2000, Currency: "EUR"}
		return tx.InsertEventType(&e)
	}))
	hook := http.NewServeMux()
	hook.Handle("/api/stripe/{workspace}", stripe.Hook(w.Payment, slog.New(slog.DiscardHandler)))
	settle := func() {
		t.Helper()
		for range 2 {
			jobs, err := w.Payment.ClaimPaymentJobs(t.Context(), 10, time.Minute)
			must(t, err)
			for _, j := range jobs {
				must(t, w.Payment.RunPaymentJob(t.Context(), j))
			}
			for i := range standIn.Events() {
				standIn.Send(t, hook, "/api/stripe/salon", i)
			}
		}
	}
	check := w.fitting()
	wants := func(a answer, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if a.IsError || !strings.Contains(string(a.Structured), text) {
				t.Errorf("lacks %s: %s", text, a.Structured)
			}
		}
	}
	// pays books the event type and completes the invitee's payment page.
	pays := func(eventType, start, kind string) (id string) {
		t.Helper()
		a := check("create_booking", `{"eventType":"`+eventType+`","start":"`+start+`","invitee":{"name":"Eva","email":"eva@x.example"}}`)
		wants(a, `"pendingReason":"payment"`, `"payment":{"kind":"`+kind+`"`, `"url":"`+w.server.URL)
		var b booking.Booking
		must(t, json.Unmarshal(a.Structured, &b))
		link, err := w.Payment.CheckoutURL(t.Context(), last(b.ManageURL))
		must(t, err)
		standIn.Pay(t, last(link), stripetest.Good)
		settle()
		return `"id":"` + b.ID.String() + `"`
	}
	wants(check("list_event_types", `{}`), `"payment":"online"`, `"noShowFee":{"amount":2500`)
	wants(check("check_availability", `{"eventType":"paid","days":2}`), `"2026-12-01T08:00:00Z"`)
	paid := pays("paid", "2026-12-01T08:00:00Z", "price")
	wants(check("list_bookings", `{"detail":"full"}`), `"status":"paid"`)
	wants(check("reschedule_booking", `{`+paid+`,"start":"2026-12-01T10:00:00Z"}`), `"kind":"price"`, `"status":"paid"`)
	wants(check("analytics_overview", `{}`), `"revenue":[{"amount":4500,"currency":"EUR"}]`)
	wants(check("cancel_booking", `{`+paid+`,"refund":true}`), `"status":"cancelled"`)
	settle()
	wants(check("list_bookings", `{"detail":"full","status":"cancelled"}`), `"status":"refunded"`, `"refundedAmount":4500`)
	part := pays("part", "2026-12-01T12:00:00Z", "deposit")
	wants(check("list_event_types", `{}`), `"deposit":{"percent":20}`, `"lateCancellationFee":{"amount":2000`)
	wants(check("list_bookings", `{"detail":"full","eventType":"part"}`), `"deposit":{"amount":900,"currency":"EUR"}`, `"paid":{"amount":900`,
		`"due":{"amount":3600`, `"lateCancellationFee":{"amount":2000,"currency":"EUR"}`,
		`"freeCancellationUntil":"2026-12-01T11:00:00Z"`)
	early := check("cancel_booking", `{`+part+`,"chargeLateFee":true}`)
	if !early.IsError || !strings.Contains(string(early.Structured), `"field":"chargeLateFee"`) {
		t.Errorf("charged for cancelling in time: %s", early.Structured)
	}
	w.Clock.Set(time.Date(2026, 12, 1, 11, 30, 0, 0, time.UTC))
	wants(check("cancel_booking", `{`+part+`,"chargeLateFee":true,"refund":false}`), `"status":"cancelled"`,
		`"fee":{"status":"pending","amount":2000,"currency":"EUR"}`)
	settle()
	wants(check("list_bookings", `{"detail":"full","eventType":"part","status":"cancelled"}`), `"fee":{"status":"succeeded","amount":2000`)
	w.Clock.Set(began)
	held := pays("held", "2026-12-01T08:00:00Z", "card")
	w.Clock.Advance(25 * time.Hour)
	wants(check("mark_no_show", `{`+held+`}`), `"status":"no_show"`, `"fee":{"status":"pending","amount":2500,"currency":"EUR"`)
	settle()
	wants(check("list_bookings", `{"detail":"full","scope":"past","status":"no_show"}`), `"fee":{"status":"succeeded"`)
	wants(check("analytics_overview", `{}`), `"revenue":[{"amount":5400,"currency":"EUR"}]`) // with the deposit and its fee
}

// everyPaymentState gives a booking each state that its payment and its fee can have, and has them looked at.
func (w *world) everyPaymentState(look func(state string)) {
	w.Helper()
	host, now := catalog.HostID(1), when.At(w.Clock.Now())
	setup, err := w.Setup(w.Workspace.ID)
	must(w.T, err)
	b, err := w.Book(w.Context(), app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID}, booking.BookInput{
		EventType: "cut", Start: "2026-12-08T08:00:00Z", Host: host.String(), Invitee: booking.Invitee{Name: "Pia", Email: "pia@x.example"},
	})
	must(w.T, err)
	b.ManageURL, b.Host.Name = "", setup.Host(host).Name
	save := func() {
		must(w.T, w.Store.Write(w.Context(), func(tx app.Tx) error {
			entry := booking.HistoryEntry{At: now, Actor: booking.BySystem, Action: "paid", From: b.Status, To: b.Status, Start: b.Start}
			return tx.SaveBooking(&b, false, []booking.Step{{History: entry}})
		}))
	}
	for _, state := range []string{"unpaid", "processing", "paid", "refunded", "partially_refunded", "failed", "requires_action"} {
		b.Payment = &booking.Payment{Status: state, Amount: 4500, Currency: "EUR", RefundedAmount: 100}
		save()
		look(state)
	}
	b.Payment = &booking.Payment{Status: "unpaid", Currency: "EUR"}
	save()
	look("card")
	b.Status, b.Payment = booking.NoShow, nil
	for _, state := range []string{"pending", "succeeded", "failed", "requires_action", "refunded", "partially_refunded"} {
		b.NoShow = &booking.NoShowRecord{At: now, Fee: &booking.Fee{Status: state, Amount: 2500, Currency: "EUR"}}
		save()
		look(state)
	}
}
