package rest_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/right"
	"daybook/app/waitlist"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// rehearsal is a POST that goes well: its operation, path and body, and whom it tells and what it costs, as the dry run
// answers. What comes before it was done for real.
type rehearsal struct {
	operation, path, body string
	told, money           string
}

const (
	none    = `{"now":null,"onSite":null,"fee":null,"refund":null}`
	inDecs  = `"start":"2026-12-08T%02d:00:00Z","invitee":{"name":"Bo Berg","email":%q}`
	bothSay = `[{"who":"invitee","by":"mail","to":"%s"},{"who":"host","by":"mail","to":"hs_0000000001"},{"who":"endpoint","by":"webhook","to":"{endpoint}"}]`
)

// TestDryRunOfEveryPost sends every POST of the document dry and then for real: the dry one changes no table, and what
// it said is what happens. A new route needs a rehearsal.
func TestDryRunOfEveryPost(t *testing.T) {
	w := newWorld(t)
	standIn := stripetest.New(t)
	standIn.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(standIn.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	euros := func(n int64) *money.Money { return &money.Money{Amount: n, Currency: "EUR"} }
	w.eventType("paid", 60, func(e *catalog.EventType) {
		e.Price, e.Payment = euros(4500), catalog.PayOnline
		e.Hosts = []catalog.HostRef{{ID: ana}}
	})
	w.eventType("onsite", 60, func(e *catalog.EventType) {
		e.Price, e.Payment = euros(3000), catalog.PayOnSite
		e.Hosts = []catalog.HostRef{{ID: ana}}
	})
	made, err := w.Webhook.CreateEndpoint(t.Context(), w.API, webhook.EndpointInput{URL: "https://hooks.example.com/x",
		Events: []string{"booking.created", "booking.rescheduled", "booking.cancelled", "booking.no_show"}})
	w.Must(err)
	hook := http.NewServeMux()
	hook.Handle("/api/stripe/{workspace}", stripe.Hook(w.Payment, slog.New(slog.DiscardHandler)))
	settle := func() {
		for range 2 {
			jobs, err := w.Payment.ClaimPaymentJobs(t.Context(), 10, time.Minute)
			w.Must(err)
			for _, j := range jobs {
				w.Must(w.Payment.RunPaymentJob(t.Context(), j))
			}
			for i := range standIn.Events() {
				standIn.Send(t, hook, "/api/stripe/"+w.Workspace.Slug, i)
			}
		}
	}
	at := func(hour int, email string) string { return fmt.Sprintf(inDecs, hour, email) }
	onsite := w.book("onsite", "2026-12-08T09:00:00Z", "a@x.example")
	pending, declined := w.book("talk", "2026-12-08T11:00:00Z", "b@x.example"), w.book("talk", "2026-12-08T12:00:00Z", "c@x.example")
	arrived, missed := w.book("cut", "2026-11-30T08:00:00Z", "d@x.example"), w.book("cut", "2026-11-30T09:30:00Z", "e@x.example")
	paid := w.book("paid", "2026-12-08T14:00:00Z", "f@x.example")
	b, err := w.Booking(t.Context(), w.API, paid)
	w.Must(err)
	link, err := w.Payment.CheckoutURL(t.Context(), b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:])
	w.Must(err)
	standIn.Pay(t, link[strings.LastIndexByte(link, '/')+1:], stripetest.Good)
	settle()
	online, err := w.Payment.BookingPayments(t.Context(), w.Owner, paid)
	w.Must(err)
	invited := w.do(w.full, "POST", "/api/v1/invitations", `{"eventType":"cut","email":"g@x.example"}`).json(t)["id"].(string)
	endpoint := `[{"who":"endpoint","by":"webhook","to":"` + made.ID.String() + `"}]`
	sent, err := w.Webhook.TestEndpoint(t.Context(), w.API, made.ID.String())
	w.Must(err)
	one := w.do(w.full, "POST", "/api/v1/contacts", `{"name":"One","email":"one@x.example"}`).json(t)["id"].(string)
	two := w.do(w.full, "POST", "/api/v1/contacts", `{"name":"Two","email":"two@x.example"}`).json(t)["id"].(string)
	member, _, err := w.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: "mem@x.example", Role: app.ManagerRole})
	w.Must(err)
	w.full = w.keyWith(w.Salon, account.FullScope, right.Settings|right.Contacts|right.Members|right.Keys|right.Payments)
	agreed := w.do(w.full, "POST", "/api/v1/contacts/"+one+"/consents", `{"kind":"health"}`).json(t)["id"].(string)
	w.do(w.full, "POST", "/api/v1/contacts/"+two+"/consents", `{"kind":"health"}`)
	tell := func(who, to string) string { return fmt.Sprintf(`[{"who":%q,"by":"mail","to":%q}]`, who, to) }
	hosted := func(email string) string {
		return strings.ReplaceAll(fmt.Sprintf(bothSay, email), "{endpoint}", made.ID.String())
	}
	euro := func(field string, n int) string {
		return strings.Replace(none, `"`+field+`":null`, fmt.Sprintf(`"%s":{"amount":%d,"currency":"EUR"}`, field, n), 1)
	}
	visit, err := w.BookVisit(t.Context(), w.API, booking.VisitInput{Items: []booking.VisitItem{{EventType: "onsite"}},
		Start: "2026-12-10T09:00:00Z", Invitee: booking.Invitee{Name: "Vi", Email: "vi@x.example"}})
	w.Must(err)
	came, err := w.BookVisit(t.Context(), w.API, booking.VisitInput{Items: []booking.VisitItem{{EventType: "cut"}},
		Start: "2026-11-30T10:15:00Z", Invitee: booking.Invitee{Name: "Vic", Email: "vic@x.example"}})
	w.Must(err)
	series, err := w.BookSeries(t.Context(), w.API, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesDay, Count: 1},
		EventType: "onsite", Start: "2026-12-14T09:00:00Z", Invitee: booking.Invitee{Name: "Se", Email: "se@x.example"}})
	w.Must(err)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	waits, err := w.Waitlist.Join(t.Context(), w.API, waitlist.Input{Items: []waitlist.Item{{EventType: "cut"}}, Wishes: []waitlist.Wish{{From: "2026-12-08", To: "2026-12-11"}},
		Invitee: booking.Invitee{Name: "Wes", Email: "wes@x.example"}})
	w.Must(err)
	from := `{"from":"` + series.Bookings[0].ID.String() + `"`
	tipped := func(payments []counter.SalePaymentInput) string {
		five := int64(500)
		sale, err := w.Counter.Sell(t.Context(), w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.TipLine, Amount: &five}}, Payments: payments})
		w.Must(err)
		return sale.ID.String()
	}
	bought := func() pass.Pass {
		price := int64(5000)
		sale, err := w.Counter.Sell(t.Context(), w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.VoucherLine, Amount: &price}},
			Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: 5000}}})
		w.Must(err)
		p, err := w.Pass.Pass(t.Context(), w.Owner, sale.Lines[0].PassID.String())
		w.Must(err)
		return p
	}
	known := bought()
	code, _, err := w.Pass.PassCode(t.Context(), w.Owner, known.ID.String())
	w.Must(err)
	all := []rehearsal{
		{"findPass", "pass-codes", `{"code":"` + code + `"}`, `[]`, none},
		{"showPassCode", "passes/" + bought().ID.String() + "/code", ``, `[]`, none},
		{"paySale", "sales/" + tipped(nil) + "/payments", `{"payments":[{"method":"cash","amount":500}]}`, `[]`, none},
		{"refundSale", "sales/" + tipped([]counter.SalePaymentInput{{Method: booking.ByCash, Amount: 500}}) + "/refund", ``, `[]`, euro("refund", 500)},
		{"voidSale", "sales/" + tipped(nil) + "/void", ``, `[]`, none},
		{"createSeries", "series", `{"repeat":{"every":1,"unit":"day","count":1},"eventType":"onsite","start":"2026-12-14T12:00:00Z","invitee":{"name":"Bo Berg","email":"n@x.example"}}`,
			hosted("n@x.example"), euro("onSite", 3000)},
		{"rescheduleSeries", "series/" + series.ID.String() + "/reschedule", from + `,"start":"2026-12-14T14:00:00Z"}`, hosted("se@x.example"), euro("onSite", 3000)},
		{"cancelSeries", "series/" + series.ID.String() + "/cancel", from + `}`, hosted("se@x.example"), none},
		{"joinWaitlist", "waitlist", `{"items":[{"eventType":"cut"}],"wishes":[{"from":"2026-12-08","to":"2026-12-11"}],"invitee":{"name":"Wa","email":"wa@x.example"}}`, `[]`, none},
		{"offerWaitlistEntry", "waitlist/" + waits.ID.String() + "/offer", `{"start":"2026-12-15T08:45:00Z"}`, tell("recipient", "wes@x.example"), none},
		{"createVisit", "visits", `{"items":[{"eventType":"onsite"}],"start":"2026-12-10T10:00:00Z","invitee":{"name":"Bo Berg","email":"n@x.example"}}`,
			hosted("n@x.example"), euro("onSite", 3000)},
		{"createVisit", "visits", `{"items":[{"eventType":"paid"},{"eventType":"onsite"}],"start":"2026-12-11T13:00:00Z","invitee":{"name":"Bo Berg","email":"n@x.example"}}`,
			tell("invitee", "n@x.example"), strings.Replace(euro("now", 4500), `"onSite":null`, `"onSite":{"amount":3000,"currency":"EUR"}`, 1)},
		{"rescheduleVisit", "visits/" + visit.ID.String() + "/reschedule", `{"start":"2026-12-10T12:00:00Z"}`, hosted("vi@x.example"), euro("onSite", 3000)},
		{"cancelVisit", "visits/" + visit.ID.String() + "/cancel", ``, hosted("vi@x.example"), none},
		{"createBooking", "bookings", `{"eventType":"onsite",` + at(10, "h@x.example") + `}`, hosted("h@x.example"), euro("onSite", 3000)},
		{"createBooking", "bookings", `{"eventType":"paid",` + at(15, "i@x.example") + `}`, tell("invitee", "i@x.example"), euro("now", 4500)},
		{"rescheduleBooking", "bookings/" + onsite + "/reschedule", `{"start":"2026-12-09T09:00:00Z"}`, hosted("a@x.example"), euro("onSite", 3000)},
		{"rescheduleBooking", "bookings/" + onsite + "/reschedule", `{"start":"2026-12-09T09:00:00Z"}`, `[]`, none}, // there already
		{"confirmBooking", "bookings/" + pending + "/confirm", ``, hosted("b@x.example"), none},
		{"declineBooking", "bookings/" + declined + "/decline", `{"reason":"full"}`, ``, none},
		{"answerComing", "bookings/" + onsite + "/coming", `{"answer":"yes"}`, `[]`, euro("onSite", 3000)},
		{"answerComing", "bookings/" + onsite + "/coming", `{"answer":"no"}`, ``, euro("onSite", 3000)},
		{"markArrived", "bookings/" + arrived + "/arrived", ``, `[]`, none},
		{"markDone", "bookings/" + arrived + "/done", ``, `[]`, none},
		{"undoMark", "bookings/" + arrived + "/undo", ``, `[]`, none},
		{"markNoShow", "bookings/" + missed + "/no-show", ``, endpoint, none},
		{"markVisitNoShow", "visits/" + came.ID.String() + "/no-show", ``, endpoint, none},
		{"recordPayment", "bookings/" + onsite + "/payments", `{"amount":1000,"method":"cash"}`, `[]`, euro("onSite", 2000)},
		{"issueReceipt", "bookings/" + onsite + "/receipt", ``, `[]`, euro("onSite", 2000)},
		{"createSale", "sales", `{"lines":[{"kind":"service","bookingId":"` + onsite + `"}],"payments":[{"method":"cash","amount":500}]}`, `[]`, euro("onSite", 1500)},
		{"closeTill", "till/close", `{"counted":1000,"opening":0}`, `[]`, none},
		{"refundPayment", "payments/" + online[0].ID.String() + "/refund", `{"amount":500}`, `[]`, euro("refund", 500)},
		{"cancelBooking", "bookings/" + paid + "/cancel", ``, hosted("f@x.example"), euro("refund", 4000)},
		{"resendMail", "bookings/" + onsite + "/resend", ``, ``, none},
		{"createContact", "contacts", `{"name":"Bo Berg","email":"j@x.example"}`, `[]`, none},
		{"createContactEntry", "contacts/" + one + "/entries", `{"kind":"formula","text":"6/0 + 6 %"}`, `[]`, none},
		{"createContactConsent", "contacts/" + one + "/consents", `{"kind":"health"}`, `[]`, none},
		{"withdrawContactConsent", "contacts/" + one + "/consents/" + agreed + "/withdraw", ``, `[]`, none},
		{"createContactHealth", "contacts/" + two + "/health", `{"kind":"allergy","text":"PPD"}`, `[]`, none},
		{"createInvitation", "invitations", `{"eventType":"cut","email":"k@x.example"}`, tell("recipient", "k@x.example"), none},
		{"createHold", "holds", `{"eventType":"cut","start":"2026-12-11T08:45:00Z"}`, `[]`, none},
		{"resendInvitation", "invitations/" + invited + "/resend", ``, ``, none},
		{"mergeContacts", "contacts/" + one + "/merge", `{"into":"` + two + `"}`, `[]`, none},
		{"inviteMember", "members", `{"email":"new@x.example","role":"manager"}`, `[]`, none},
		{"inviteMemberAgain", "members/" + member.ID.String() + "/invite", ``, `[]`, none},
		{"createHold", "holds", `{"eventType":"cut","start":"2026-12-08T08:00:00Z"}`, `[]`, none},
		{"createEventType", "event-types", `{"slug":"trim","title":"Trim","durationMinutes":15}`, `[]`, none},
		{"createHost", "hosts", `{"name":"Bea","email":"bea@x.example"}`, `[]`, none},
		{"createResource", "resources", `{"name":"Basin 1","kind":"equipment"}`, `[]`, none},
		{"createProduct", "products", `{"name":"Shampoo","price":{"amount":1290}}`, `[]`, none},
		{"setOverride", "hosts/" + bob.String() + "/overrides", `{"date":"2026-12-24","hours":["09:00-12:00"]}`, `[]`, none},
		{"giveTimeOff", "hosts/" + bob.String() + "/time-off", `{"start":"2026-12-28","end":"2026-12-29"}`, `[]`, none},
		{"redeliverWebhook", "webhook-deliveries/" + sent.ID.String() + "/redeliver", ``, `[]`, none},
		{"testWebhookEndpoint", "webhook-endpoints/" + made.ID.String() + "/test", ``, endpoint, none},
		{"rotateWebhookSecret", "webhook-endpoints/" + made.ID.String() + "/rotate", ``, `[]`, none},
		{"createWebhookEndpoint", "webhook-endpoints", `{"url":"https://hooks.example.com/y","events":["booking.created"]}`, `[]`, none},
	}
	refused := []rehearsal{
		{"taken", "bookings", `{"eventType":"cut",` + at(10, "l@x.example") + `}`, "", ""},
		{"unknown", "bookings", `{"eventType":"cutt",` + at(10, "l@x.example") + `}`, "", ""},
		{"twice", "bookings", `{"eventType":"onsite",` + at(10, "h@x.example") + `}`, "", ""},
		{"nothing", "bookings/bk_nothing/cancel", ``, "", ""},
		{"past", "bookings", `{"eventType":"cut","start":"2026-11-01T09:00:00Z","invitee":{"name":"Bo","email":"m@x.example"}}`, "", ""},
		{"overpaid", "bookings/" + onsite + "/payments", `{"amount":9999,"method":"cash"}`, "", ""},
		{"state", "bookings/" + paid + "/reschedule", `{"start":"2026-12-10T09:00:00Z"}`, "", ""},
	}
	for id := range postsOf(t) {
		if id != "uploadPicture" && id != "uploadContactFile" && !slices.ContainsFunc(slices.Concat(all, refused), func(r rehearsal) bool { return r.operation == id }) {
			t.Errorf("%s has no rehearsal", id)
		}
	}
	raw := enginetest.Raw(t, w.Store.Engine)
	for i, r := range all {
		switch r.operation {
		case "markArrived":
			w.Clock.Set(apptest.Monday.Add(4 * time.Hour)) // the bookings of today have begun
		case "resendMail", "resendInvitation":
			w.mails()
			w.Clock.Advance(2 * time.Minute)
		}
		before := enginetest.Dump(t, raw)
		path := "/api/v1/" + r.path
		got := w.dry("POST", path, r.body, "Idempotency-Key", fmt.Sprint("once ", i))
		if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
			t.Fatalf("%s changed the database:\n%s", r.operation, changed)
		}
		if got.Code != 200 {
			t.Errorf("%s dry: %d %s", r.operation, got.Code, got.Body)
			continue
		}
		var run struct{ Result, Told, Money json.RawMessage }
		w.Must(json.Unmarshal(got.Body.Bytes(), &run))
		if r.told != "" && string(run.Told) != r.told || string(run.Money) != r.money {
			t.Errorf("%s %s: told %s\nmoney %s, want %s\n%s", r.operation, r.body, run.Told, run.Money, r.told, r.money)
		}
		real := w.do(w.full, "POST", path, r.body, "Idempotency-Key", fmt.Sprint("once ", i))
		if real.Code < 200 || real.Code > 299 || real.Header().Get("Idempotency-Replayed") != "" {
			t.Errorf("%s for real: %d %s", r.operation, real.Code, real.text)
		}
		for _, found := range madeUp.FindAllString(string(run.Result), -1) {
			if !strings.Contains(real.text, found) {
				t.Errorf("%s: the dry run makes %s up: %s", r.operation, found, run.Result)
			}
		}
		if a, b := shape(t, run.Result, nil), shape(t, json.RawMessage(real.text), run.Result); a != b {
			t.Errorf("%s: the dry run answers\n%s, the call\n%s", r.operation, a, b)
		}
		settle()
	}
	for _, r := range refused { // alike, dry or not
		before := enginetest.Dump(t, raw)
		dry, real := w.dry("POST", "/api/v1/"+r.path, r.body), w.do(w.full, "POST", "/api/v1/"+r.path, r.body)
		if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
			t.Errorf("%s changed the database:\n%s", r.operation, changed)
		}
		if a, b := withoutRequest(dry.Body.String()), withoutRequest(real.text); dry.Code != real.Code || a != b {
			t.Errorf("%s: dry %d %s\nreal %d %s", r.operation, dry.Code, a, real.Code, b)
		}
	}
	if got := w.do(w.readOnly, "POST", "/api/v1/bookings", `{"dryRun":true}`); got.Code != 403 {
		t.Errorf("a read-only key: %d", got.Code)
	}
}

// TestEveryPostTakesDryRun walks the document: every POST tells of dryRun and of its answer, and takes nothing else than
// true or false for it.
func TestEveryPostTakesDryRun(t *testing.T) {
	w := newWorld(t)
	schemas := object(object(documentOf(t)["components"])["schemas"])
	for id, op := range postsOf(t) {
		text, err := json.Marshal(op["parameters"])
		w.Must(err)
		body := object(object(op["requestBody"])["content"])
		ref, _ := object(object(body["application/json"])["schema"])["$ref"].(string)
		inBody := ref != "" && object(object(schemas[ref[strings.LastIndexByte(ref, '/')+1:]])["properties"])["dryRun"] != nil
		upload := body["application/json"] == nil
		if inBody == upload || upload != strings.Contains(string(text), `"name":"dryRun"`) {
			t.Errorf("%s: dryRun is in the body: %v; of an upload: %v", id, inBody, upload)
		}
		if ok, err := json.Marshal(object(op["responses"])["200"]); err != nil || !strings.Contains(string(ok), "`dryRun`") {
			t.Errorf("%s: nothing tells of the answer to a dry run", id)
		}
		path := strings.ReplaceAll(op["path"].(string), "{id}", "x")
		got := w.dry("POST", path, `{"dryRun":`, "Content-Type", "application/json")
		if !upload && (got.Code != 400 || !strings.Contains(got.Body.String(), "invalid_json")) {
			t.Errorf("%s cut off: %d %s", id, got.Code, got.Body)
		}
		if got := w.dry("POST", path, `{"dryrun":true}`, "Content-Type", "application/json"); !upload && got.Code != 400 {
			t.Errorf("%s with a slip: %d %s", id, got.Code, got.Body)
		}
		if got := w.do(w.full, "POST", path, `{"dryRun":7}`); !upload && (got.Code != 400 || !strings.Contains(got.text, `"field":"dryRun"`)) {
			t.Errorf("%s: %d %s", id, got.Code, got.text)
		}
	}
}

// TestDryRunOfAnUpload keeps no picture.
func TestDryRunOfAnUpload(t *testing.T) {
	w := newWorld(t)
	raw := enginetest.Raw(t, w.Store.Engine)
	file := smallPNG(t, 900)
	before := enginetest.Dump(t, raw)
	got := w.dry("POST", "/api/v1/pictures?dryRun=true", file, "Content-Type", "image/png")
	changed := enginetest.Differences(before, enginetest.Dump(t, raw))
	if changed != "" || got.Code != 200 || !strings.HasPrefix(got.Body.String(), `{"dryRun":true,"result":{"`) || strings.Contains(got.Body.String(), "pic_") {
		t.Errorf("%d %s\n%s", got.Code, got.Body, changed)
	}
	if got := w.dry("POST", "/api/v1/pictures", file, "Content-Type", "image/png"); got.Code != 201 {
		t.Errorf("for real: %d %s", got.Code, got.Body)
	}
}

// TestDryRunCounts counts dry runs as requests.
func TestDryRunCounts(t *testing.T) {
	w := newWorld(t)
	body := `{"name":"Bo","email":"bo@x.example","dryRun":true}`
	first, second := w.dry("POST", "/api/v1/contacts", body), w.dry("POST", "/api/v1/contacts", body)
	if a, b := first.Header().Get("RateLimit-Remaining"), second.Header().Get("RateLimit-Remaining"); a == b || a == "" {
		t.Errorf("%s requests are left after one, %s after two", a, b)
	}
}

// dry is do, without holding the answer against the document, which tells of the call's own 200. A body of JSON gets
// dryRun.
func (w *world) dry(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	w.T.Helper()
	kind := "application/json"
	if i := slices.Index(headers, "Content-Type"); i >= 0 {
		kind = headers[i+1]
	} else if body == "" {
		body = `{"dryRun":true}`
	} else if !strings.Contains(body, "dryRun") {
		body = body[:len(body)-1] + `,"dryRun":true}`
	}
	r := httptest.NewRequest(method, base+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+w.full)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Header.Set("Content-Type", kind)
	rec := httptest.NewRecorder()
	w.door.ServeHTTP(rec, r)
	return rec
}

// documentOf is the document as the door serves it.
func documentOf(t *testing.T) map[string]any {
	_, doc := described()
	text, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, text)
}

// postsOf are the POST operations of the document, by id, with their path, but for that of public keys, which have no
// dry run.
func postsOf(t *testing.T) map[string]map[string]any {
	all := map[string]map[string]any{}
	for path, item := range object(documentOf(t)["paths"]) {
		if op := object(object(item)["post"]); op != nil && !strings.Contains(path, "/public/") {
			op["path"] = path
			all[op["operationId"].(string)] = op
		}
	}
	if len(all) < 19 {
		t.Fatalf("only %d POSTs", len(all))
	}
	return all
}

// madeUp matches ids, links and secrets.
var madeUp = regexp.MustCompile(`\b[a-z]+_[0-9a-zA-Z+/]{10,}|https?://[^"]+`)

// shape is an answer without what is another one each time: ids, links, secrets and times of writing. Of the first three
// it has what the answer of the dry run has, which may be nil.
func shape(t *testing.T, text, dry json.RawMessage) string {
	t.Helper()
	var v, of any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := json.Unmarshal(dry, &of); dry != nil && err != nil {
		t.Fatalf("%v: %s", err, dry)
	}
	var clean func(v, of any)
	clean = func(v, of any) {
		switch v := v.(type) {
		case []any:
			like, _ := of.([]any)
			for i := range v {
				if i < len(like) {
					clean(v[i], like[i])
				} else {
					clean(v[i], nil)
				}
			}
		case map[string]any:
			like, _ := of.(map[string]any)
			for key, inner := range v {
				made := strings.HasSuffix(key, "Url") || key == "url" || key == "secret" || key == "link" || key == "id" || key == "bookings" || strings.HasSuffix(key, "Id")
				_, kept := like[key]
				switch {
				case made && like != nil && !kept:
					delete(v, key)
				case made || strings.HasSuffix(key, "At"):
					v[key] = inner != nil
				default:
					clean(inner, like[key])
				}
			}
		}
	}
	clean(v, of)
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func withoutRequest(text string) string {
	before, after, _ := strings.Cut(text, `"requestId":"`)
	_, after, _ = strings.Cut(after, `"`)
	return strings.TrimSpace(before + after)
}

// mails has the mails written of all that was done.
func (w *world) mails() {
	w.T.Helper()
	for n := 100; n == 100; {
		var err error
		n, err = w.Mail.WriteMails(w.T.Context(), 100)
		w.Must(err)
	}
}
