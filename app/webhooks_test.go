package app_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/subjects"
	"daybook/app/vault"
	"daybook/app/webhook"
)

func (w *world) endpoint(events ...string) webhook.NewEndpoint {
	w.T.Helper()
	e, err := w.Webhook.CreateEndpoint(w.T.Context(), w.API, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: events})
	w.Must(err)
	return e
}

func TestEndpointsAreManaged(t *testing.T) {
	w := newWorld(t)
	e := w.endpoint("booking.created", "booking.cancelled", "booking.created")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(e.Secret, "whsec_"))
	if err != nil || len(key) != 32 || !strings.HasPrefix(e.Secret, "whsec_") {
		t.Errorf("secret %q", e.Secret)
	}
	if fmt.Sprint(e.Events) != "[booking.created booking.cancelled]" {
		t.Error(e.Events)
	}
	if all := w.endpoint("*"); len(all.Events) != 6 {
		t.Error(all.Events)
	}
	for _, events := range [][]string{nil, {""}, {"booking.made"}} {
		_, err := w.Webhook.CreateEndpoint(t.Context(), w.API, webhook.EndpointInput{URL: "https://93.184.216.34/", Events: events})
		if wrong := fault.As(err); wrong == nil || wrong.Field != "events" {
			t.Errorf("events %q: %v", events, err)
		}
	}
	for range 48 {
		w.endpoint("*")
	}
	if _, err := w.Webhook.CreateEndpoint(t.Context(), w.API, webhook.EndpointInput{URL: "https://93.184.216.34/", Events: []string{"*"}}); !fault.Is(err, fault.Conflict) {
		t.Error("the 51st endpoint:", err)
	}
	if _, err := w.Webhook.RotateSecret(t.Context(), w.API, e.ID.String(), 31*24*time.Hour); !fault.Is(err, fault.BadRequest) {
		t.Error(err)
	}
	if e, err := w.Webhook.DisableEndpoint(t.Context(), w.API, e.ID.String()); err != nil || e.Enabled || e.DisabledReason != webhook.DisabledByOwner || e.DisabledAt == 0 {
		t.Error(e, err)
	}
	if _, err := w.Webhook.TestEndpoint(t.Context(), w.API, e.ID.String()); !fault.Is(err, fault.Conflict) {
		t.Error("tested while disabled:", err)
	}
	w.Must(w.Webhook.DeleteEndpoint(t.Context(), w.API, e.ID.String()))
	if err := w.Webhook.DeleteEndpoint(t.Context(), w.API, e.ID.String()); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// Only who may change the workspace changes its endpoints, and nobody sees another's.
func TestEndpointsAreGuarded(t *testing.T) {
	w := newWorld(t)
	e := w.endpoint("*")
	w.offer("cut", 1, nil)
	w.Booked("cut", "1T09", "bo")
	page, err := w.Webhook.Deliveries(t.Context(), w.API, webhook.ListDeliveriesInput{})
	w.Must(err)
	id, delivery := e.ID.String(), page.Data[0].ID.String()
	other, err := w.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "UTC"})
	w.Must(err)
	readOnly, foreign, invitee := w.API, app.Actor{Kind: booking.ByAPI, Workspace: other.ID}, app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	readOnly.ReadOnly = true
	for _, c := range []struct {
		actor app.Actor
		code  fault.Code
	}{{readOnly, fault.Forbidden}, {invitee, fault.Forbidden}, {foreign, fault.NotFound}} {
		for name, do := range map[string]func() error{
			"rotate":    func() error { _, err := w.Webhook.RotateSecret(t.Context(), c.actor, id, 0); return err },
			"enable":    func() error { _, err := w.Webhook.EnableEndpoint(t.Context(), c.actor, id); return err },
			"disable":   func() error { _, err := w.Webhook.DisableEndpoint(t.Context(), c.actor, id); return err },
			"delete":    func() error { return w.Webhook.DeleteEndpoint(t.Context(), c.actor, id) },
			"test":      func() error { _, err := w.Webhook.TestEndpoint(t.Context(), c.actor, id); return err },
			"redeliver": func() error { _, err := w.Webhook.Redeliver(t.Context(), c.actor, delivery); return err },
		} {
			if err := do(); !fault.Is(err, c.code) {
				t.Errorf("%s by %+v: %v, want %s", name, c.actor, err, c.code)
			}
		}
	}
	if all, err := w.Webhook.Endpoints(t.Context(), foreign); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
	if _, err := w.Webhook.Delivery(t.Context(), foreign, delivery); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if all, err := w.Webhook.Endpoints(t.Context(), readOnly); err != nil || len(all) != 1 || all[0].LatestDelivery.ID.String() != delivery {
		t.Error(all, err)
	}
	text, err := json.Marshal(e.Endpoint)
	if err != nil || strings.Contains(string(text), "ecret\":\"") {
		t.Errorf("%s %v", text, err)
	}
	if ws, err := w.Webhook.EndpointWorkspace(t.Context(), app.Operator(0), delivery); err != nil || ws != w.Workspace.ID {
		t.Error(ws, err)
	}
}

// The log and the events are read in pages, and a test is in the log only.
func TestLogsAreRead(t *testing.T) {
	w := newWorld(t)
	a, b := w.endpoint("*"), w.endpoint("payment.succeeded", "booking.cancelled")
	w.offer("cut", 1, nil)
	for hour := range 5 {
		w.Booked("cut", fmt.Sprintf("1T%02d", 9+hour), fmt.Sprint("p", hour))
	}
	d, err := w.Webhook.TestEndpoint(t.Context(), w.API, b.ID.String())
	w.Must(err)
	if d.Event != catalog.PaymentSucceeded || d.State != webhook.DeliveryPending || d.NextAttemptAt == 0 {
		t.Errorf("test: %+v", d)
	}
	two, seen := 2, 0
	for in := (webhook.ListDeliveriesInput{Limit: &two}); ; {
		page, err := w.Webhook.Deliveries(t.Context(), w.API, in)
		w.Must(err)
		if seen += len(page.Data); !page.HasMore {
			break
		}
		in.Cursor = *page.NextCursor
	}
	if seen != 6 {
		t.Errorf("%d deliveries in pages of two, want 6", seen)
	}
	for endpoint, want := range map[string]int{a.ID.String(): 5, b.ID.String(): 1} {
		for state, want := range map[string]int{"": want, "pending": want, "delivered": 0, "failed": 0} {
			page, err := w.Webhook.Deliveries(t.Context(), w.API, webhook.ListDeliveriesInput{Endpoint: endpoint, State: state})
			if err != nil || len(page.Data) != want {
				t.Errorf("%s %q: %d, want %d (%v)", endpoint, state, len(page.Data), want, err)
			}
		}
	}
	if _, err := w.Webhook.Deliveries(t.Context(), w.API, webhook.ListDeliveriesInput{State: "lost"}); !fault.Is(err, fault.BadRequest) {
		t.Error(err)
	}
	after, told := "", 0
	for {
		page, err := w.Webhook.Events(t.Context(), w.API, webhook.ListEventsInput{After: after, Limit: &two})
		w.Must(err)
		for _, body := range page.Data {
			var e struct{ ID, Event string }
			w.Must(json.Unmarshal(body, &e))
			if told++; e.Event != "booking.created" {
				t.Errorf("%s", body)
			}
		}
		if !page.HasMore {
			break
		}
		after = *page.NextCursor
	}
	if told != 5 {
		t.Errorf("%d events, want 5", told)
	}
	if _, err := w.Webhook.Events(t.Context(), w.API, webhook.ListEventsInput{After: "bk_1"}); !fault.Is(err, fault.BadRequest) {
		t.Error(err)
	}
}

// A test of every kind has the fields that a real event of that kind has, and says that it is one.
func TestSampleEvents(t *testing.T) {
	w := newWorld(t)
	for _, kind := range catalog.EventKinds {
		e := w.endpoint(string(kind))
		_, err := w.Webhook.TestEndpoint(t.Context(), w.API, e.ID.String())
		w.Must(err)
		batches, err := w.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: e.ID, Limit: 1}}, time.Minute)
		w.Must(err)
		var body struct {
			ID    booking.EventID
			Event catalog.EventKind
			Test  bool
			Data  map[string]any
		}
		w.Must(json.Unmarshal(batches[0].Deliveries[0].Body, &body))
		if body.Event != kind || !body.Test || body.ID != batches[0].Deliveries[0].Event || body.Data["id"] == nil ||
			body.Data["invitee"] == nil && !slices.Contains([]catalog.EventData{catalog.ContactData, catalog.CalendarData, catalog.ResourceCalendarData, catalog.WaitlistData}, kind.Data()) {
			t.Errorf("%s: %s", kind, batches[0].Deliveries[0].Body)
		}
	}
}

func TestSecretsAreSealed(t *testing.T) {
	w := newWorld(t)
	e := w.endpoint("*")
	_, err := w.Webhook.RotateSecret(t.Context(), w.API, e.ID.String(), time.Hour)
	w.Must(err)
	vault, err := vault.NewVault(make([]byte, 32))
	w.Must(err)
	sealing := w.Subjects(func(c *subjects.Config) { c.Vault = vault })
	if n, err := sealing.Upkeep.SealSecrets(t.Context()); err != nil || n != 3 { // the workspace's link key, and two of the endpoint
		t.Errorf("sealed %d, want 3 (%v)", n, err)
	}
	if plain, sealed, err := sealing.Upkeep.StoredSecrets(t.Context()); plain != 0 || sealed != 3 || err != nil {
		t.Error(plain, sealed, err)
	}
	if _, err := sealing.Webhook.TestEndpoint(t.Context(), w.API, e.ID.String()); err != nil {
		t.Fatal(err)
	}
	batches, err := sealing.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: e.ID, Limit: 1}}, time.Minute)
	if err != nil || batches[0].Err != nil || batches[0].Secrets[1] != e.Secret {
		t.Error(batches, err)
	}
}
