package fault

import (
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"eventType", "eventTypeId", "from", "to", "timeZone", "invitee", "refund", "limit", "notes"}
	for name, want := range map[string]string{
		"eventtype": "eventType", "event_type": "eventType", "eventTypeID": "eventTypeId", "timezone": "timeZone", "time-zone": "timeZone",
		"inviteeEmail": "invitee", "refunds": "refund", "refnd": "refund", "form": "", "note": "notes", "limt": "limit", "dryRun": "", "x": "", "": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if e := Unknown("invitee.", "Mail", "field of this request", []string{"name", "email"}); e.Field != "invitee.Mail" ||
		e.Error() != "invitee.Mail: is no field of this request; did you mean invitee.email?" {
		t.Error(e.Field, e.Error())
	}
	if e := Unknown("", "dryRun", "parameter of this request", nil); e.Error() != "dryRun: is no parameter of this request; it takes none" {
		t.Error(e.Error())
	}
}
