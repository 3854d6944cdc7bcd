package dashboard

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
)

// staff signs in somebody who sees the calendar of that host only.
func (w *world) staff(h catalog.HostID) *browser {
	w.t.Helper()
	_, link, err := w.Account.Invite(w.t.Context(), w.owner, account.MemberInput{Email: "staff@salon.example", Role: app.StaffRole, Host: h})
	w.must(err)
	return w.joins(link)
}

func (w *world) manager() *browser {
	w.t.Helper()
	_, link, err := w.Account.Invite(w.t.Context(), w.owner, account.MemberInput{Email: "manager@salon.example", Role: app.ManagerRole})
	w.must(err)
	return w.joins(link)
}

func (w *world) joins(link string) *browser {
	w.t.Helper()
	b := w.browser()
	b.wants(b.post(strings.TrimPrefix(link, w.server.URL), "password", "correct horse battery"), 303)
	return b
}

// stranger signs in the owner of another workspace.
func (w *world) stranger() *browser {
	w.t.Helper()
	ws, err := w.CreateWorkspace(w.t.Context(), app.Operator(0), app.WorkspaceInput{Name: "Other", Slug: "other", TimeZone: "Europe/Paris", Currency: "EUR"})
	w.must(err)
	_, err = w.Account.CreateUser(w.t.Context(), app.Operator(ws.ID), account.UserInput{Email: "other@other.example", Role: app.OwnerRole, Password: "correct horse battery"})
	w.must(err)
	return w.as("other@other.example", "correct horse battery")
}

func (w *world) setup() *catalog.Setup {
	w.t.Helper()
	s, err := w.Setup(w.owner.Workspace)
	w.must(err)
	return s
}

// businessPages are the states of pages, besides those of pages, that TestBusinessPages looks at, by the name of its picture.
func (w *world) businessPages() map[string]string {
	h := w.setup().Hosts[0]
	host := hostURL(&h)
	_, err := w.Shop.SetOverride(w.t.Context(), w.owner, h.ID.String(), "2026-12-24", "", []string{"09:00-12:00", "13:00-15:00"})
	w.must(err)
	_, err = w.Shop.SetOverride(w.t.Context(), w.owner, h.ID.String(), "2026-12-25", "2026-12-26", []string{})
	w.must(err)
	_, err = w.Shop.AddTimeOff(w.t.Context(), w.owner, h.ID.String(), "2026-12-28", "2026-12-31", "Holiday in the mountains")
	w.must(err)
	c := w.oneWithBookings()
	return map[string]string{
		"host-new": "/dashboard/hosts/new", "host-dates": host + "/dates?date=2026-12-24", "host-away": host + "/away",
		"host-why": host + "/why?type=" + w.setup().EventTypes[0].Slug + "&date=2026-11-24", "contact-merge": contactURL(c.ID) + "/merge?q=a", "contacts-none": "/dashboard/contacts?q=zzz",
		"analytics-year": "/dashboard/analytics?span=365", "analytics-none": "/dashboard/analytics?from=2020-01-01&to=2020-01-31",
	}
}

// No page of these breaks a rule of WCAG 2.2 AA that a machine can check, on a phone or a desktop, light or dark; none
// scrolls sideways. DAYBOOK_SHOTS=dir writes a picture of each.
func TestBusinessPages(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	dir, only := os.Getenv("DAYBOOK_SHOTS"), strings.Split(os.Getenv("DAYBOOK_SHOTS_ONLY"), ",")
	source, err := os.ReadFile(filepath.Join(cmp.Or(os.Getenv("DAYBOOK_AXE"), filepath.Join(os.TempDir(), "axe")), "node_modules/axe-core/axe.min.js"))
	needs(t, "axe", err == nil)
	b.signIn(w)
	all := w.businessPages()
	for _, name := range slices.Sorted(mapKeys(all)) {
		if only[0] != "" && !slices.ContainsFunc(only, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 1280} {
				t.Run(fmt.Sprintf("%s %s %d", name, theme, width), func(t *testing.T) {
					b := &tab{t, b.ctx, b.url}
					b.look(theme, width, 844)
					b.open(all[name])
					if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[chromedp.Void](string(source))); err != nil {
						t.Fatal(err)
					}
					found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](runAxe, chromedp.EvalAwaitPromise))
					if err != nil {
						t.Fatal(err)
					}
					if found = strings.TrimSpace(found); found != "" {
						t.Error(found)
					}
					wide, err := chromedp.Run(b.ctx, chromedp.Evaluate[int]("document.documentElement.scrollWidth-innerWidth"))
					if err != nil || wide > 0 {
						t.Errorf("scrolls sideways by %d (%v)", wide, err)
					}
					if dir != "" {
						shot(b, fmt.Sprintf("%s-%d-%s", name, width, theme))
					}
				})
			}
		}
	}
}
