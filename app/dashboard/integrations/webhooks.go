package integrations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/views/dash"
)

func (c call) webhooks() error {
	all, err := c.Subjects.Webhook.Endpoints(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := c.devPage("webhooks")
	v.Live, v.NewHook = true, dash.NewWebhookPath
	for i := range all {
		e := &all[i]
		r := dash.EndpointRow{URL: dash.WebhookPath(e.ID.String()), Address: e.URL, Kinds: c.kindsText(e.Events),
			State: c.endpointBadge(e), Latest: c.T("connect_hook_nothing")}
		if l := e.LatestDelivery; l != nil {
			r.Latest = c.T("connect_hook_latest", "Event", string(l.Event), "Result", c.deliveryResult(l),
				"When", c.Ago(l.CreatedAt))
		}
		v.Endpoints = append(v.Endpoints, r)
	}
	return c.Show(200, dash.Developers(v))
}

func (c call) kindsText(kinds []catalog.EventKind) string {
	if slices.Equal(kinds, catalog.CommonKinds) {
		return c.T("connect_hook_all")
	}
	texts := make([]string, len(kinds))
	for i, k := range kinds {
		texts[i] = string(k)
	}
	return strings.Join(texts, ", ")
}

func (c call) endpointBadge(e *webhook.Endpoint) dash.Badge {
	switch {
	case !e.Enabled && e.DisabledReason == webhook.DisabledByOwner:
		return dash.Badge{Text: c.T("connect_hook_off")}
	case !e.Enabled:
		return dash.Badge{Text: c.T("connect_hook_stopped"), Tone: "bad"}
	case e.FailingSince != 0:
		return dash.Badge{Text: c.T("connect_hook_failing"), Tone: "bad"}
	}
	return dash.Badge{Text: c.T("connect_hook_on"), Tone: "good"}
}

// deliveryBadge returns the state of a delivery: one whose first attempt failed will be retried.
func (c call) deliveryBadge(d *webhook.Delivery) dash.Badge {
	switch {
	case d.State == webhook.DeliveryDelivered:
		return dash.Badge{Text: c.T("connect_sent_delivered"), Tone: "good"}
	case d.State == webhook.DeliveryFailed:
		return dash.Badge{Text: c.T("connect_sent_failed"), Tone: "bad"}
	case d.Attempts > 0:
		return dash.Badge{Text: c.T("connect_sent_retry"), Tone: "warn"}
	}
	return dash.Badge{Text: c.T("connect_sent_waiting"), Tone: "warn"}
}

// deliveryResult returns the result of the last attempt.
func (c call) deliveryResult(d *webhook.Delivery) string {
	var parts []string
	if d.ResponseStatus != nil {
		parts = append(parts, c.T("dash_answered", "Status", *d.ResponseStatus))
	} else if d.Error != nil {
		parts = append(parts, *d.Error)
	}
	if d.DurationMS != nil {
		parts = append(parts, fmt.Sprintf("%d ms", *d.DurationMS))
	}
	if d.Attempts == 0 {
		return c.T("dash_not_tried")
	}
	return strings.Join(append(parts, c.T("dash_attempts", "Count", d.Attempts)), " · ")
}

func (c call) newWebhookForm() error {
	return c.showNewWebhook(url.Values{"events": kindValues(catalog.CommonKinds)}, nil)
}

func kindValues(kinds []catalog.EventKind) (all []string) {
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}

func (c call) showNewWebhook(typed url.Values, e *fault.Error) error {
	in := dash.Input{Name: "events", Label: c.T("connect_hook_events"), Kind: "checks"}
	for _, k := range kindValues(catalog.EventKinds) {
		in.Options = append(in.Options, dash.Option{Value: k, Label: k})
	}
	v := dash.FormPage{Frame: c.Frame(c.T("connect_hook_new"), "integrations"), BackURL: dash.WebhooksPath,
		BackLabel: c.T("connect_webhooks"), Action: dash.NewWebhookPath, Submit: c.T("connect_hook_create"),
		Groups: []dash.Group{{Inputs: []dash.Input{
			{Name: "url", Label: c.T("connect_hook_address"), Kind: "url", Required: true,
				Placeholder: "https://example.com/daybook", Focus: true,
				Hint: c.T("connect_hook_address_hint")}, in,
		}}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Form(v))
}

func (c call) newWebhook() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	e, err := c.Subjects.Webhook.CreateEndpoint(c.Context(), c.Actor,
		webhook.EndpointInput{URL: form.Get("url"), Events: form["events"]})
	if r := web.Refused(err); r != nil {
		return c.showNewWebhook(form, r)
	}
	if err != nil {
		return err
	}
	return c.showSecret(e)
}

// showSecret shows the signing secret of an endpoint, which is possible only once.
func (c call) showSecret(e webhook.NewEndpoint) error {
	return c.Show(200, dash.Secret(dash.SecretPage{
		Frame:   c.Frame(c.T("connect_secret_of", "Name", web.HostOf(e.URL)), "integrations"),
		BackURL: dash.WebhookPath(e.ID.String()), BackLabel: c.T("connect_webhook"),
		Text: c.T("connect_secret_once"), Label: c.T("connect_secret"), Value: e.Secret,
	}))
}

func (c call) webhook() error {
	e, err := c.Subjects.Webhook.Endpoint(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	q := c.URL.Query()
	state := q.Get("state")
	if !slices.Contains(webhook.DeliveryStates, webhook.DeliveryState(state)) {
		state = ""
	}
	n := 25
	log, err := c.Subjects.Webhook.Deliveries(c.Context(), c.Actor,
		webhook.ListDeliveriesInput{Endpoint: e.ID.String(), State: state, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil {
		return err
	}
	id := e.ID.String()
	path := dash.WebhookPath(id)
	v := dash.EndpointPage{Frame: c.Frame(web.HostOf(e.URL), "integrations"), State: c.endpointBadge(&e),
		TestURL: dash.WebhookTestPath(id)}
	v.Live = q.Get("cursor") == ""
	v.Facts = []dash.Fact{{Name: c.T("connect_fact_address"), Value: e.URL},
		{Name: c.T("connect_fact_events"), Value: c.kindsText(e.Events)},
		{Name: c.T("connect_fact_created"), Value: c.Ago(e.CreatedAt)}}
	if e.PreviousUntil > when.At(c.Subjects.Now()) {
		v.Facts = append(v.Facts, dash.Fact{Name: c.T("connect_fact_old_secret"),
			Value: c.T("connect_old_secret_ends", "When", c.Until(e.PreviousUntil))})
	}
	v.Note = endpointNote(c, &e)
	v.Switch, v.SwitchL = dash.WebhookOffPath(id), c.T("connect_switch_off")
	if !e.Enabled {
		v.Switch, v.SwitchL, v.TestURL = dash.WebhookOnPath(id), c.T("connect_switch_on"), ""
	}
	v.Actions = []dash.Danger{
		{Title: c.T("connect_secret_rotate"), Quiet: true, Text: c.T("connect_secret_rotate_text"),
			Action: dash.WebhookRotatePath(id), Submit: c.T("connect_secret_rotate"),
			Inputs: []dash.Input{{Name: "grace", Label: c.T("connect_secret_grace"), Kind: "select", Value: "24h",
				Options: c.graceOptions()}}},
		{Title: c.T("connect_hook_delete"), Text: c.T("connect_hook_delete_text", "Address", e.URL),
			Action: dash.WebhookDeletePath(id), Submit: c.T("connect_hook_delete")},
	}
	for _, t := range []struct{ key, label string }{{"", "connect_tab_all"}, {"failed", "connect_sent_failed"},
		{"pending", "connect_sent_waiting"}, {"delivered", "connect_sent_delivered"}} {
		v.Tabs = append(v.Tabs,
			dash.Tab{Label: c.T(t.label), URL: web.WithQuery(path, url.Values{"state": {t.key}}), Current: t.key == state})
	}
	for i := range log.Data {
		l := &log.Data[i]
		v.Log = append(v.Log,
			dash.DeliveryRow{URL: dash.DeliveryPath(e.ID.String(), l.ID.String()), Kind: string(l.Event),
				When: c.Ago(l.CreatedAt), Result: c.deliveryResult(l), State: c.deliveryBadge(l)})
	}
	if log.NextCursor != nil {
		v.Pager.NextURL = web.WithQuery(path, q, "cursor", *log.NextCursor)
	}
	if q.Get("cursor") != "" {
		v.Pager.FirstURL = web.WithQuery(path, q, "cursor", "")
	}
	return c.Show(200, dash.EndpointShown(v))
}

func endpointNote(c call, e *webhook.Endpoint) string {
	switch {
	case e.DisabledReason == webhook.DisabledGone:
		return c.T("connect_hook_gone", "When", c.Ago(e.DisabledAt))
	case e.DisabledReason == webhook.DisabledFailing:
		return c.T("connect_hook_failed", "When", c.Ago(e.DisabledAt))
	case e.Enabled && e.FailingSince != 0:
		return c.T("connect_hook_fails", "When", c.Ago(e.FailingSince))
	}
	return ""
}

func (c call) testWebhook() error {
	_, err := c.Subjects.Webhook.TestEndpoint(c.Context(), c.Actor, c.PathValue("id"))
	return c.hookDone(err, "sent")
}

func (c call) webhookOn() error {
	_, err := c.Subjects.Webhook.EnableEndpoint(c.Context(), c.Actor, c.PathValue("id"))
	return c.hookDone(err, "switched-on")
}

func (c call) webhookOff() error {
	_, err := c.Subjects.Webhook.DisableEndpoint(c.Context(), c.Actor, c.PathValue("id"))
	return c.hookDone(err, "switched-off")
}

func (c call) hookDone(err error, said string) error {
	if err != nil {
		return err
	}
	return c.Redirect(dash.WebhookPath(c.PathValue("id")), said)
}

func (c call) rotateSecret() error {
	e, err := c.Subjects.Webhook.RotateSecret(c.Context(), c.Actor, c.PathValue("id"), grace(c.PostFormValue("grace")))
	if err != nil {
		return err
	}
	return c.showSecret(e)
}

func (c call) deleteWebhook() error {
	if err := c.Subjects.Webhook.DeleteEndpoint(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.WebhooksPath, "deleted")
}

func (c call) delivery() error {
	e, err := c.Subjects.Webhook.Endpoint(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	l, err := c.Subjects.Webhook.Delivery(c.Context(), c.Actor, c.PathValue("delivery"))
	if err != nil {
		return err
	}
	if l.EndpointID != e.ID {
		return fault.Missing("delivery", c.PathValue("delivery"))
	}
	v := dash.DeliveryPage{Frame: c.Frame(string(l.Event), "integrations"), BackURL: dash.WebhookPath(e.ID.String()),
		State: c.deliveryBadge(&l), AgainURL: dash.DeliveryAgainPath(e.ID.String(), l.ID.String())}
	v.Live = l.State == webhook.DeliveryPending
	v.Facts = []dash.Fact{{Name: c.T("connect_fact_to"), Value: e.URL},
		{Name: c.T("connect_fact_created"), Value: c.Day(c.At(l.CreatedAt)) + ", " + c.Clock(l.CreatedAt)},
		{Name: c.T("connect_fact_result"), Value: c.deliveryResult(&l)},
		{Name: c.T("connect_fact_event"), Value: l.EventID.String()}}
	if l.NextAttemptAt != 0 {
		v.Facts = append(v.Facts, dash.Fact{Name: c.T("connect_fact_next"), Value: c.Until(l.NextAttemptAt)})
	}
	body, err := c.Subjects.Webhook.EventBody(c.Context(), c.Actor, l.EventID)
	switch {
	case fault.Is(err, fault.NotFound):
		v.Request = c.T("connect_event_gone")
	case err != nil:
		return err
	default:
		v.Request = indented(body)
	}
	v.Response = c.T("connect_no_answer")
	if l.Error != nil {
		v.Response = *l.Error
	}
	if len(l.Response) > 0 && utf8.Valid(l.Response) {
		v.Response = string(l.Response)
	} else if l.ResponseStatus != nil {
		v.Response = c.T("connect_no_body", "Status", *l.ResponseStatus)
	}
	return c.Show(200, dash.DeliveryShown(v))
}

func indented(body []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return string(body)
	}
	return out.String()
}

func (c call) deliverAgain() error {
	l, err := c.Subjects.Webhook.Redeliver(c.Context(), c.Actor, c.PathValue("delivery"))
	if err != nil {
		return err
	}
	return c.Redirect(dash.DeliveryPath(l.EndpointID.String(), l.ID.String()), "sent")
}
