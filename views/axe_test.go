package views_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
)

// No page, on a phone or a desktop, in the light or the dark, in any brand colour of
// these, breaks a rule of WCAG 2.2 AA that a machine can check. A desktop is asked when there is time.
func TestNoAccessibilityViolations(t *testing.T) {
	ctx := browser.Open(t)
	axe := browser.Axe(t)
	server := httptest.NewServer(fixtureDoor())
	defer server.Close()
	defer func(c string) { salonColor = c }(salonColor)
	check := func(state, query string, screens ...screen) {
		show(t, ctx, server.URL+"/_state/"+state+"?timeZone=Europe/Berlin"+query, "light", screens[0])
		for _, s := range screens {
			t.Run(fmt.Sprintf("%s %s %s", state, s.name, salonColor), func(t *testing.T) {
				browser.Resize(t, ctx, s.width, s.height)
				browser.Accessible(t, ctx, axe)
			})
		}
	}
	all := screens
	if !apptest.Long() {
		all = screens[:1] // what breaks a rule does so on a phone
	}
	for _, state := range stateNames() {
		check(state, "", all...)
	}
	for _, color := range []string{"#ffe600", "#000000", "#ffffff", "#ff5a5f"} {
		salonColor = color
		for _, state := range []string{"event", "details", "booked", "index"} {
			check(state, "&lang=fr", screens[0])
		}
	}
}
