package dashboard

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest/browser"
	"daybook/app/catalog"
)

// staff signs in somebody who sees the calendar of that host only.
func (w *world) staff(h catalog.HostID) *visitor {
	w.T.Helper()
	_, link, err := w.Account.Invite(w.T.Context(), w.Owner, account.MemberInput{Email: "staff@salon.example", Role: app.StaffRole, Host: h})
	w.Must(err)
	return w.joins(link)
}

func (w *world) manager() *visitor {
	w.T.Helper()
	_, link, err := w.Account.Invite(w.T.Context(), w.Owner, account.MemberInput{Email: "manager@salon.example", Role: app.ManagerRole})
	w.Must(err)
	return w.joins(link)
}

func (w *world) joins(link string) *visitor {
	w.T.Helper()
	b := w.browser()
	b.wants(b.post(strings.TrimPrefix(link, w.server.URL), "password", "correct horse battery"), 303)
	return b
}

// stranger signs in the owner of another workspace.
func (w *world) stranger() *visitor {
	w.T.Helper()
	ws, err := w.Shop.CreateWorkspace(w.T.Context(), app.Operator(0), catalog.WorkspaceInput{Name: "Other", Slug: "other", TimeZone: "Europe/Paris", Currency: "EUR"})
	w.Must(err)
	_, err = w.Account.CreateUser(w.T.Context(), app.Operator(ws.ID), account.UserInput{Email: "other@other.example", Role: app.OwnerRole, Password: "correct horse battery"})
	w.Must(err)
	return w.as("other@other.example", "correct horse battery")
}

func (w *world) setup() *catalog.Setup {
	w.T.Helper()
	s, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	return s
}

// businessPages are the states of pages, besides those of pages, that TestBusinessPages looks at, by the name of its picture.
func (w *world) businessPages() map[string]string {
	h := w.setup().Hosts[0]
	host := hostURL(&h)
	_, err := w.Shop.SetOverride(w.T.Context(), w.Owner, h.ID.String(), "2026-12-24", "", []string{"09:00-12:00", "13:00-15:00"})
	w.Must(err)
	_, err = w.Shop.SetOverride(w.T.Context(), w.Owner, h.ID.String(), "2026-12-25", "2026-12-26", []string{})
	w.Must(err)
	_, err = w.Shop.AddTimeOff(w.T.Context(), w.Owner, h.ID.String(), "2026-12-28", "2026-12-31", "Holiday in the mountains")
	w.Must(err)
	c := w.oneWithBookings()
	return map[string]string{
		"host-new": "/dashboard/hosts/new", "host-dates": host + "/dates?date=2026-12-24", "host-away": host + "/away",
		"host-why": host + "/why?type=" + w.setup().EventTypes[0].Slug + "&date=2026-11-24", "contact-merge": contactURL(c.ID) + "/merge?q=a", "contacts-none": "/dashboard/contacts?q=zzz",
		"analytics-year": "/dashboard/analytics?span=365", "analytics-none": "/dashboard/analytics?from=2020-01-01&to=2020-01-31",
	}
}

// No page of these breaks a rule of WCAG 2.2 AA that a machine can check, on a phone or a desktop, light or dark; none
// scrolls sideways; and each says one thing first. DAYBOOK_SHOTS=dir writes a picture of each.
func TestBusinessPages(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	only := strings.Split(os.Getenv("DAYBOOK_SHOTS_ONLY"), ",")
	axe := browser.Axe(t)
	b.signIn(w)
	all := w.businessPages()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if only[0] != "" && !slices.ContainsFunc(only, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		b.accessible(name, all[name], axe, (*tab).leads)
	}
}
