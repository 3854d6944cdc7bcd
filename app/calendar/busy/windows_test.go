package busy

import (
	"testing"
	_ "time/tzdata"
)

// Each name of the table leads to a zone that this machine knows.
func TestWindowsZones(t *testing.T) {
	all := windowsZone()
	for windows, name := range all {
		if z := named(windows); z == nil || iana(name) == nil {
			t.Errorf("%s = %s is unknown", windows, name)
		}
	}
	if len(all) < 139 || all["w. europe standard time"] != "Europe/Berlin" {
		t.Errorf("%d names", len(all))
	}
}
