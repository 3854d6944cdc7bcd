package integrations

import (
	"net/http"
	"net/url"

	"daybook/app/calsync"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// signInNames are what the calendars are called that are connected by signing in.
var signInNames = map[calsync.Kind]string{calsync.Google: "Google Calendar",
	calsync.Microsoft: "Microsoft 365, Outlook"}

// signInPlaces returns the calendars of a host or resource that can be connected by signing in: those with a client. Without a host
// there are none, unless the member has one.
func (c call) signInPlaces(host string) (all []dash.ConnectPlace, err error) {
	if _, some := c.seenOwner(host); !some && !c.Actor.Own() {
		return nil, nil
	}
	clients, err := c.Subjects.Calendars.CalendarClients(c.Context(), c.Actor)
	for _, x := range clients {
		if x.ID != "" {
			all = append(all, dash.ConnectPlace{Name: signInNames[x.Kind], Text: c.T("calsync_place_both"),
				URL: web.WithQuery(dash.CalendarsPath+"/"+string(x.Kind)+"/start", url.Values{"host": {host}})})
		}
	}
	return all, err
}

// signInKind returns the kind of the path; not_found if nobody signs in to connect calendars of that kind.
func (c call) signInKind() (calsync.Kind, error) {
	kind := calsync.Kind(c.PathValue("kind"))
	if !kind.OAuth() {
		return "", fault.Missing("calendar provider", c.PathValue("kind"))
	}
	return kind, nil
}

// startSignIn sends the member on to Google or Microsoft. It is a GET, since a form may only lead to pages of our own.
func (c call) startSignIn() error {
	kind, err := c.signInKind()
	if err != nil {
		return err
	}
	to, err := c.Subjects.Calendars.SignInURL(c.Context(), c.Actor, kind, c.URL.Query().Get("host"), c.Session.Hash)
	if err != nil {
		return err
	}
	c.Header().Set("Cache-Control", "no-store")
	c.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(c.ResponseWriter, c.Request, to, http.StatusSeeOther)
	return nil
}

// endSignIn is where the member comes back to. Who did not agree there comes back to the list.
func (c call) endSignIn() error {
	kind, err := c.signInKind()
	if err != nil {
		return err
	}
	q := c.URL.Query()
	if q.Get("error") != "" {
		return c.Redirect(dash.CalendarsPath, "")
	}
	connected, err := c.Subjects.Calendars.SignedIn(c.Context(), c.Actor, kind, c.Session.Hash, q.Get("state"), q.Get("code"))
	if err != nil {
		return err
	}
	return c.Redirect(dash.CalendarsConnectionPath(connected.ID.String()), "linked")
}
