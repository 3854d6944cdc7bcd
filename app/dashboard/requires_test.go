package dashboard

import (
	"fmt"
	"testing"

	"daybook/app/catalog"
)

// The form of a service leaves what it requires of kinds that it doesn't ask about, because they came while it was open.
func TestServiceFormLeavesOtherRequirements(t *testing.T) {
	w := newWorld(t)
	kinds := []catalog.ConsentKind{{Key: "one", Name: "One", Wording: "One."}, {Key: "two", Name: "Two", Wording: "Two."}}
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.Consents = kinds })
	w.Must(err)
	e, err := w.Shop.ChangeEventType(t.Context(), w.Owner, "haircut", func(_ *catalog.Setup, e *catalog.EventType) error {
		e.Requires = []catalog.Requirement{{Consent: "two", Within: 7}, {Consent: "one"}}
		return nil
	})
	w.Must(err)
	b := w.asOwner()
	save := func(more ...string) string {
		t.Helper()
		form := append([]string{"title", "Haircut", "slug", "haircut", "durationMinutes", "45", "slotStepMinutes", "15", "seats", "1", "bookingWindowDays", "60",
			"hosts", w.setup().Hosts[0].ID.String(), "payment", "on_site", "refundOnCancel", "always"}, more...)
		b.wants(b.post("/dashboard/types/"+e.ID.String(), form...), 303)
		return fmt.Sprint(w.setup().EventType("haircut").Requires)
	}
	if got := save("requires[one]", "on", "requires[one].within", "3"); got != "[{two 7} {one 3}]" {
		t.Errorf("a form that knows one kind makes %s", got)
	}
	if got := save("requires[one].within", ""); got != "[{two 7}]" {
		t.Errorf("without one kind it makes %s", got)
	}
	if got := save(); got != "[{two 7}]" {
		t.Errorf("a form without kinds makes %s", got)
	}
	if got := save("requires[one]", "on", "requires[one].within", "", "requires[two].within", "7"); got != "[{one 0}]" {
		t.Errorf("a form that knows both makes %s", got)
	}
}
