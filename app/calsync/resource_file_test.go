package calsync_test

import (
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// A set-up file lists the calendars of rooms as it does those of hosts: applied again it changes nothing, no export has
// the secret, and nothing is written there.
func TestCalendarsOfResourcesInFiles(t *testing.T) {
	b := newListedBed(t)
	file := func(calendars string) string {
		return "workspace: {slug: salon}\nresources:\n  - name: Studio\n    whenCalendarUnknown: refuse\n    calendars: " + calendars + "\n"
	}
	const own = "[{name: Shared, kind: ics, address: env:ANA_ICS}]"
	r, err := b.apply(file(own), false)
	if b.Must(err); len(r.Differences) != 2 {
		t.Errorf("made: %+v", r.Differences)
	}
	c := b.named("Shared")
	setup, err := b.Setup(b.Workspace.ID)
	b.Must(err)
	studio := &setup.Resources[0]
	if c.Resource != studio.ID || c.Host != 0 || !studio.Connected || studio.WhenCalendarUnknown != catalog.RefuseUnknown {
		t.Errorf("%+v of %+v", c.CalendarOwner, studio)
	}
	if got := b.read("Shared"); got != "ok Private things+" {
		t.Errorf("read: %s", got)
	}
	if r, err = b.apply(file(own), false); err != nil || len(r.Differences) != 0 {
		t.Errorf("again: %v, %+v", err, r.Differences)
	}
	text := b.exported()
	if !strings.Contains(text, `address: "env:ANA_ICS"`) || strings.Contains(text, "secret.ics") {
		t.Error(text)
	}
	if r, err = b.apply(text, false); err != nil || len(r.Differences) != 0 {
		t.Errorf("its export: %v, %+v", err, r.Differences)
	}
	_, err = b.apply(file("[{name: Work, kind: caldav, address: https://8.8.8.8/dav, user: ana, password: file:/ana, target: Work}]"), false)
	if e := fault.As(err); e == nil || !strings.Contains(e.Error(), "calendars of hosts only") {
		t.Errorf("a target: %v", err)
	}
	if _, err = b.apply(file("[]"), false); err != nil || len(b.connections()) != 0 {
		t.Errorf("ended: %v, %d are left", err, len(b.connections()))
	}
}
