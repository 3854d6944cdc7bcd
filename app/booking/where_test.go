package booking

import (
	"testing"

	"daybook/app/catalog"
)

// Maps get an address that they can find, or none.
func TestAddress(t *testing.T) {
	const own = "Lindenstraße 12, 10969 Berlin"
	s := &catalog.Setup{Workspace: catalog.Workspace{Settings: catalog.Settings{Address: own}}}
	for _, c := range []struct {
		where    *BookedWhere
		location string
		want     string
	}{
		{nil, "", ""},
		{nil, own, own},
		{nil, "Lindenstraße 12, first floor", own},
		{nil, "In the salon", own},
		{nil, "Hauptstraße 5, Potsdam", "Hauptstraße 5, Potsdam"},
		{nil, "Video call, the link comes by mail", ""},
		{nil, "https://meet.example/1", ""},
		{&BookedWhere{Kind: catalog.InPerson, Text: "Am Markt 1"}, "Am Markt 1", "Am Markt 1"},
		{&BookedWhere{Kind: catalog.HostCalls}, "", ""},
		{&BookedWhere{Kind: catalog.Elsewhere, Text: "At yours, 2nd floor"}, "", ""},
	} {
		var b Booking
		b.Where, b.Location = c.where, c.location
		if got := b.Address(s); got != c.want {
			t.Errorf("%v %q: %q, want %q", c.where, c.location, got, c.want)
		}
		if b.Status = Cancelled; b.Address(s) != "" {
			t.Errorf("%q: a cancelled booking is at %q", c.location, b.Address(s))
		}
	}
	s.Workspace.Settings.Address = ""
	var b Booking
	b.Location = "In the salon"
	if b.Address(s) != "" {
		t.Errorf("nowhere is %q", b.Address(s))
	}
}
