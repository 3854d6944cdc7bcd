package dashboard

import (
	"net/url"
	"strings"
	"testing"

	"daybook/app/calsync"
	"daybook/app/calsync/google"
	"daybook/app/calsync/googletest"
	"daybook/app/calsync/oauthtest"
	"daybook/views/dash"
)

// A member goes to Google, signs in and comes back to the account's calendars; the way back is good once.
func TestSignInAtGoogle(t *testing.T) {
	w := newWorld(t)
	s := googletest.New(t)
	p := google.New(s.At)
	w.Config.Calendars.Sources[calsync.Google] = p.Open
	w.Config.Calendars.Providers[calsync.Google] = p
	h := &w.setup().Hosts[0]
	b := w.asOwner()
	list, start := dash.NewCalendarsPath+"?host="+h.ID.String(), dash.CalendarsPath+"/google/start?host="+h.ID.String()
	b.wants(b.get(list), 200, "!Google Calendar")
	b.wants(b.get(start), 422, "First save a client ID and secret of Google.")
	w.Must(w.Calendars.SetCalendarClient(t.Context(), w.Owner, calsync.Client{Kind: calsync.Google, ID: oauthtest.ClientID,
		Secret: oauthtest.Secret}))
	b.wants(b.get(list), 200, "Google Calendar", start)
	r := b.get(start)
	b.wants(r, 303)
	state, code := s.SignIn(t, r.location)
	back := dash.CalendarsPath + "/google/callback?" + url.Values{"state": {state}, "code": {code}}.Encode()
	stranger := w.manager()
	stranger.wants(stranger.get(back), 409, "This sign-in has expired or was used already.")
	r = b.get(back)
	b.wants(r, 303)
	if !strings.HasPrefix(r.location, dash.CalendarsPath+"/cc_") {
		t.Errorf("after signing in the page is %s", r.location)
	}
	b.wants(b.get(r.location), 200, "The calendar is connected.", googletest.Account, "Team", "!"+oauthtest.Secret)
	b.wants(b.get(back), 409, "This sign-in has expired or was used already.")
	b.wants(b.get(dash.CalendarsPath+"/google/callback?error=access_denied&state=x"), 303)
	b.wants(b.get(dash.CalendarsPath+"/caldav/start"), 404)
}
