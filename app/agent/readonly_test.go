package agent_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/rest"
	"daybook/app/waitlist"
	"daybook/app/webhook"
	"daybook/app/when"
)

// linked is the salon with everything that may hold a link: bookings, one of which waits for money, and events of
// every kind, one with all the links that a body can have.
type linked struct {
	*world
	rest    *httptest.Server
	booking booking.Booking
	ids     map[string]string // what stands for {id} below a path
	visit   booking.Visit
	series  booking.Series
	secrets []string // what a read-only key must not be told
}

func newLinked(t *testing.T) *linked {
	w := newWorld(t)
	full := app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID}
	l := &linked{world: w, rest: httptest.NewServer(rest.New(w.Set, rest.Options{}))}
	t.Cleanup(l.rest.Close)
	e, err := w.Webhook.CreateEndpoint(t.Context(), full, webhook.EndpointInput{URL: "https://8.8.8.8/x", Events: []string{"booking.created"}})
	must(t, err)
	l.booking, err = w.Book(t.Context(), full, booking.BookInput{
		EventType: "cut", Start: "2026-12-01T08:00:00Z", Invitee: booking.Invitee{Name: "Mei", Email: "mei@x.example"},
		Metadata: map[string]string{"manageUrl": "the customer's own", "url": "kept"},
	})
	must(t, err)
	l.insertEvent()
	b, err := w.Counter.Record(t.Context(), full, l.booking.ID.String(), counter.Input{Tip: 100, Method: booking.ByCash})
	must(t, err)
	_, err = w.Counter.IssueReceipt(t.Context(), full, b.ID.String())
	if !fault.Is(err, fault.Conflict) {
		must(t, err)
	}
	b, err = w.Booking(t.Context(), full, b.ID.String())
	must(t, err)
	paid := b.Payments[0]
	contacts, err := w.People.Contacts(t.Context(), full, contact.Filter{}, nil, "")
	must(t, err)
	feed, err := w.Feed.FeedURL(t.Context(), app.Operator(w.Workspace.ID), "", false)
	must(t, err)
	invited, err := w.Invitation.CreateInvitation(t.Context(), full, invitation.Input{EventType: "cut"})
	must(t, err)
	var drawn bytes.Buffer
	must(t, png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 8, 8))))
	shown, _, err := w.Pictures.Upload(t.Context(), full, drawn.Bytes())
	must(t, err)
	l.visit, err = w.BookVisit(t.Context(), full, booking.VisitInput{Items: []booking.VisitItem{{EventType: "cut"}},
		Start: "2026-12-02T08:00:00Z", Invitee: booking.Invitee{Name: "Vi", Email: "vi@x.example"}})
	must(t, err)
	l.series, err = w.BookSeries(t.Context(), full, booking.SeriesInput{EventType: "cut", Start: "2026-12-03T08:00:00Z",
		Repeat:  booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 2},
		Invitee: booking.Invitee{Name: "Se", Email: "se@x.example"}})
	must(t, err)
	waits, err := w.Waitlist.Join(t.Context(), full, waitlist.Input{Items: []waitlist.Item{{EventType: "cut"}},
		Wishes: []waitlist.Wish{{From: "2026-12-08", To: "2026-12-11"}}, Invitee: booking.Invitee{Name: "Wa", Email: "wa@x.example"}})
	must(t, err)
	limit := 1
	sent, err := w.Webhook.Deliveries(t.Context(), full, webhook.ListDeliveriesInput{Limit: &limit})
	must(t, err)
	wax, err := w.Shop.ChangeProduct(t.Context(), app.Operator(w.Workspace.ID), "", func(_ *catalog.Setup, p *catalog.Product) error {
		p.Name, p.Price.Amount = "Wax", 990
		return nil
	})
	must(t, err)
	five := int64(500)
	sold, err := w.Counter.Sell(t.Context(), full, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.TipLine, Amount: &five}}})
	must(t, err)
	bought, err := w.Counter.Sell(t.Context(), full, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.VoucherLine, Amount: &five}},
		Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: five}}})
	must(t, err)
	l.ids = map[string]string{
		"passes": bought.Lines[0].PassID.String(), "products": wax.ID.String(), "sales": sold.ID.String(),
		"webhook-deliveries": sent.Data[0].ID.String(),
		"invitations":        invited.ID.String(), "visits": l.visit.ID.String(), "series": l.series.ID.String(), "waitlist": waits.ID.String(), "pictures": shown.ID.String(),
		"bookings": l.booking.ID.String(), "event-types": "cut", "contacts": contacts.Data[0].ID.String(),
		"webhook-endpoints": e.ID.String(), "payments": paid.ID.String(), "receipts": paid.Receipt.String(),
		// Of those nothing is found: the keys lack the area, and no time is held.
		"hosts": "host_1", "resources": "rs_1", "members": "usr_1", "holds": "hd_1",
	}
	l.secrets = []string{last(invited.URL), "/_i/", last(l.booking.ManageURL), last(l.visit.Items[0].ManageURL), last(feed), e.Secret, w.key, w.readOnly, "/booking/", "/pay", "/decide", "/calendar/", "/invite/"}
	for _, s := range l.secrets {
		if len(s) < 4 {
			t.Fatalf("not much of a secret: %q", l.secrets)
		}
	}
	return l
}

func last(u string) string { return u[strings.LastIndexByte(u, '/')+1:] }

// insertEvent saves an event whose body has a link wherever a body can have one.
func (l *linked) insertEvent() {
	b := l.booking
	due := booking.ForPayment
	b.PendingReason = &due
	b.Payment = &booking.Payment{Status: "unpaid", Amount: 4500, Currency: "EUR", URL: b.ManageURL + "/pay"}
	b.NoShow = &booking.NoShowRecord{At: b.Start, Fee: &booking.Fee{Status: "failed", Amount: 900, Currency: "EUR", URL: b.ManageURL + "/pay"}}
	data, err := b.AppendJSON(nil)
	must(l.T, err)
	fee, err := json.Marshal(b.NoShow.Fee)
	must(l.T, err)
	before, err := l.Store.EventsAfter(l.Workspace.ID, 0, 100)
	must(l.T, err)
	e := booking.Event{ID: before[len(before)-1].ID + 1, WorkspaceID: l.Workspace.ID, Kind: catalog.BookingNoShow, BookingID: b.ID, CreatedAt: when.At(l.Clock.Now())}
	e.Body = []byte(`{"id":"` + e.ID.String() + `","event":"booking.no_show","createdAt":"2026-12-01T10:00:00Z","data":` +
		strings.TrimSuffix(string(data), "}") + `,"reason":"no </b> show","by":"api","fee":` + string(fee) + `}}`)
	must(l.T, l.Store.Write(l.Context(), func(tx app.Tx) error { return tx.(webhook.Tx).InsertEvent(&e) }))
}

// answers are what every operation of the OpenAPI document and every tool answers to the key, by name.
func (l *linked) answers(key string) map[string]string {
	all := map[string]string{}
	_, document := l.send("GET", "/api/v1/openapi.json", "", "")
	all["document"] = document
	var doc struct {
		Servers []struct{ URL string }
		Paths   map[string]map[string]json.RawMessage
	}
	must(l.T, json.Unmarshal([]byte(document), &doc))
	at, err := url.Parse(doc.Servers[0].URL)
	must(l.T, err)
	order := []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
	type operation struct{ method, path string }
	var operations []operation
	for path, methods := range doc.Paths {
		for method := range methods {
			if method = strings.ToUpper(method); slices.Contains(order, method) {
				operations = append(operations, operation{method, path})
			}
		}
	}
	// In one order at every run: what is read comes before what changes it, and what is deleted goes last.
	slices.SortFunc(operations, func(a, b operation) int {
		return cmp.Or(slices.Index(order, a.method)-slices.Index(order, b.method), strings.Compare(a.path, b.path))
	})
	for _, o := range operations {
		at := strings.TrimSuffix(at.Path, "/") + o.path
		if before, _, has := strings.Cut(o.path, "/{"); has {
			id := l.ids[last(before)]
			if id == "" {
				l.Fatalf("%s: what stands for {id}?", o.path)
			}
			at = strings.Replace(at, "{id}", id, 1)
		}
		if o.method == "GET" {
			at += map[string]string{"/api/v1/bookings": "?limit=100", "/api/v1/availability": "?eventType=cut&days=2&explain=1"}[o.path]
		}
		status, body := l.send(o.method, at, key, map[bool]string{true: `{}`}[o.method == "POST"])
		lacks := status == 403 && (strings.Contains(body, `"reason":"area"`) || strings.Contains(body, `"reason":"public_key"`))
		if status == 404 && !strings.HasPrefix(o.path, "/api/v1/holds/") || o.method == "GET" && status != 200 && !lacks {
			l.Errorf("%s %s: %d %s", o.method, at, status, body)
		}
		all[o.method+" "+o.path] = body
	}
	res := l.request("POST", "/api/mcp", listTools, "Authorization", "Bearer "+key)
	list, err := io.ReadAll(res.Body)
	must(l.T, err)
	all["tools/list"] = string(list)
	var tools struct {
		Result struct{ Tools []struct{ Name string } }
	}
	must(l.T, json.Unmarshal(list, &tools))
	arguments := map[string]string{
		"check_availability": `{"eventType":"cut","days":2,"explain":true}`,
		"create_booking":     `{"eventType":"cut","start":"2026-12-01T08:00:00Z",` + invitee + `}`,
		"reschedule_booking": `{"id":"` + l.booking.ID.String() + `","start":"2026-12-01T09:00:00Z"}`,
		"create_contact":     `{"name":"Mei","email":"mei@x.example"}`,
	}
	for _, name := range []string{"cancel_booking", "mark_no_show"} {
		arguments[name] = `{"id":"` + l.booking.ID.String() + `"}`
	}
	for _, tool := range tools.Result.Tools {
		text := arguments[tool.Name]
		if text == "" {
			text = `{}`
		}
		all[tool.Name] = string(l.call(tool.Name, text, "Authorization", "Bearer "+key).Structured)
	}
	if len(tools.Result.Tools) < 10 || len(all) < 25 {
		l.Fatalf("only %d operations were walked", len(all))
	}
	return all
}

func (l *linked) send(method, path, key, body string) (int, string) {
	l.Helper()
	r, err := http.NewRequestWithContext(l.Context(), method, l.rest.URL+path, strings.NewReader(body))
	must(l.T, err)
	r.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	must(l.T, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(l.T, err)
	return res.StatusCode, string(text)
}

// A read-only key changes nothing, and is told nothing with which something can be changed: every operation of the
// document and every tool is asked, and the answers are searched.
func TestReadOnlyKeySeesNoLinks(t *testing.T) {
	l := newLinked(t)
	before := l.state()
	for name, answer := range l.answers(l.readOnly) {
		if name == "document" || name == "tools/list" { // the same for everybody; an example link opens nothing
			answer = strings.NewReplacer("/booking/", "", "/pay", "", "/decide", "", "/calendar/", "", "/invite/", "").Replace(answer)
		}
		for _, secret := range l.secrets {
			if strings.Contains(answer, secret) {
				t.Errorf("%s tells a read-only key %q: %s", name, secret, answer)
			}
		}
	}
	if after := l.state(); after != before {
		t.Errorf("a read-only key changed something:\n%s\n%s", before, after)
	}
	token := last(l.booking.ManageURL)
	full := l.answers(l.key) // last: it cancels the booking
	if name := "GET /api/v1/visits/{id}"; !strings.Contains(full[name], last(l.visit.Items[0].ManageURL)) {
		t.Errorf("%s does not tell a full key the link: %s", name, full[name])
	}
	for _, name := range []string{"GET /api/v1/bookings", "GET /api/v1/bookings/{id}", "GET /api/v1/events"} {
		if !strings.Contains(full[name], token) {
			t.Errorf("%s does not tell a full key the link, so this test sees nothing: %s", name, full[name])
		}
	}
}

// What a read-only key sees of an event is the stored body in its order, less the links.
func TestReadOnlyEventKeepsTheRest(t *testing.T) {
	l := newLinked(t)
	_, full := l.send("GET", "/api/v1/events?limit=100", l.key, "")
	_, readOnly := l.send("GET", "/api/v1/events?limit=100", l.readOnly, "")
	links := []string{`,"url":"` + l.booking.ManageURL + `/pay"`, ""}
	for _, b := range append([]booking.Booking{l.booking, l.visit.Items[0]}, l.series.Bookings...) {
		links = append(links, `,"manageUrl":"`+b.ManageURL+`"`, "")
	}
	want := strings.NewReplacer(links...).Replace(full)
	if want == full || readOnly != want {
		t.Errorf("got  %s\nwant %s", readOnly, want)
	}
	if !strings.Contains(readOnly, `"manageUrl":"the customer's own"`) || !strings.Contains(readOnly, `"url":"kept"`) {
		t.Errorf("metadata is the customer's own: %s", readOnly)
	}
}

// state is every row that a key could change.
func (l *linked) state() string {
	a := app.Operator(l.Workspace.ID)
	bookings, err := l.Bookings(l.Context(), a, booking.ListBookingsInput{From: "2026-01-01"})
	must(l.T, err)
	contacts, err := l.People.Contacts(l.Context(), a, contact.Filter{}, nil, "")
	must(l.T, err)
	endpoints, err := l.Webhook.Endpoints(l.Context(), a)
	must(l.T, err)
	text, err := json.Marshal([]any{bookings, contacts, endpoints})
	must(l.T, err)
	return string(text)
}
