package dashboard

import (
	"testing"

	"daybook/app/calsync"
	"daybook/views/dash"
)

// Who manages the workspace saves its own client at a provider; its secret is shown to nobody, and stays when it is left
// empty.
func TestOwnClient(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	google, microsoft := dash.CalendarsClientPath("google"), dash.CalendarsClientPath("microsoft")
	b.wants(b.get(dash.CalendarsPath), 200, "Sign in at Google and Microsoft", google, microsoft, "Set up")
	const back = "/dashboard/integrations/calendars/google/callback"
	b.wants(b.get(google), 200, "console.cloud.google.com", back, "Step 4 of 4", "No client is saved", "!Directory (tenant) ID", "!"+google+"/remove")
	b.wants(b.get(microsoft), 200, "entra.microsoft.com", "Directory (tenant) ID")
	b.wants(b.get(dash.CalendarsClientPath("caldav")), 404)
	b.wants(b.post(google, "id", "", "secret", "hunter-2"), 422, "!hunter-2")
	b.wants(b.post(google, "id", "mine.apps", "secret", ""), 422, "Enter the secret of this client", "mine.apps")
	r := b.post(google, "id", " mine.apps ", "secret", "hunter-2")
	b.wants(r, 303)
	b.wants(b.get(r.location), 200, "mine.apps", "Leave it empty to keep", google+"/remove", "!hunter-2")
	b.wants(b.get(dash.CalendarsPath), 200, "mine.apps", "!hunter-2")
	b.wants(b.get(dash.NewCalendarsPath+"?host="+w.setup().Hosts[0].ID.String()), 200, "Google Calendar", "!Microsoft 365")
	b.wants(b.post(google, "id", "mine.apps", "secret", ""), 303)
	b.wants(b.post(google, "id", "other.apps", "secret", ""), 422, "belongs to another client ID")
	b.wants(b.post(microsoft, "id", "app", "secret", "s", "tenant", "a/../b"), 422)
	b.wants(b.post(microsoft, "id", "app", "secret", "s", "tenant", "salon.example"), 303)
	b.wants(b.get(microsoft), 200, `value="salon.example"`)
	staff := w.staff(w.setup().Hosts[1].ID)
	staff.wants(staff.get(dash.CalendarsPath), 200, "!"+google)
	staff.wants(staff.get(google), 403)
	staff.wants(staff.post(google, "id", "a", "secret", "b"), 403)
	staff.wants(staff.post(google+"/remove"), 403)
	r = b.post(google + "/remove")
	b.wants(r, 303)
	b.wants(b.get(r.location), 200, "No client is saved", "!mine.apps")

	all, err := w.Calendars.CalendarClients(t.Context(), w.Owner)
	w.Must(err)
	if all[0].ID != "" || all[1].ID != "app" || all[1].Kind != calsync.Microsoft {
		t.Errorf("%+v", all)
	}
}
