package dashboard

import (
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
)

// A person's services have what they take for each, beside the service's own; errors stand at the fields, and the
// service's page says what differs. The form of a service has its limits.
func TestTermsAndLimitsInForms(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	e := &w.setup().EventTypes[0]
	h := w.setup().Host(e.Hosts[0].ID)
	page, minutes, price := hostURL(h)+"/services", "eventTypes["+e.Slug+"].durationMinutes", "eventTypes["+e.Slug+"].price"
	b.wants(b.get(page), 200, `name="`+minutes+`"`, `name="`+price+`"`)
	form := append(w.does(w.served(h.ID)...), minutes, "0", price, "x")
	b.wants(b.post(page, form...), 422, `value="x"`, "an amount such as")
	form[len(form)-1] = "77.50"
	b.wants(b.post(page, form...), 422, `value="77.50"`, "enter a number from 1 to")
	form[len(form)-3] = "75"
	b.wants(b.post(page, form...), 303)
	h = w.setup().Host(h.ID)
	if len(h.EventTypes) != 1 || *h.EventTypes[0].DurationMinutes != 75 || h.EventTypes[0].Price.Amount != 7750 {
		t.Errorf("%+v", h)
	}
	b.wants(b.get(page), 200, `value="77.50"`, `value="75"`)
	b.wants(b.get("/dashboard/types/"+e.ID.String()), 200, h.Name+": 1\u00a0hr 15\u00a0min, €77.50", `name="limits.personUpcoming"`)
	form[len(form)-1], form[len(form)-3] = "", ""
	b.wants(b.post(page, form...), 303)
	if own := w.setup().Host(h.ID).EventTypes; len(own) != 0 {
		t.Errorf("%+v are left", own)
	}

	typed := []string{"title", "Perm", "slug", "perm", "durationMinutes", "45", "slotStepMinutes", "45", "minimumNoticeMinutes", "30", "bookingWindowDays", "60",
		"seats", "1", "payment", "on_site", "refundOnCancel", "always", "hosts", h.ID.String(),
		"limits.personUpcoming", "2", "limits.personPerDay", "1", "limits.personPerWeek", "", "limits.hostPerWeek", "-1", "limits.perWeek", "20"}
	b.wants(b.post("/dashboard/types/new", typed...), 422, `value="-1"`, "enter a number from 0 to 1000")
	typed[len(typed)-3] = "10"
	b.wants(b.post("/dashboard/types/new", typed...), 303)
	all := w.setup().EventTypes
	at := slices.IndexFunc(all, func(e catalog.EventType) bool { return e.Slug == "perm" })
	if at < 0 {
		t.Fatal("there is no such event type")
	}
	if l := all[at].Limits; l.PersonUpcoming != 2 || l.PersonPerDay != 1 || l.PersonPerWeek != 0 || l.HostPerWeek != 10 || l.PerWeek != 20 {
		t.Errorf("%+v", l)
	}
	if text := b.get("/dashboard/types/" + all[at].ID.String()).body; !strings.Contains(text, `value="20"`) {
		t.Error("the form has no limits")
	}
}
