package dashboard

import (
	"strings"
	"testing"
)

// A preview is the booking page of what is typed, to its author only: nothing is saved, other sites can't frame it, and
// there is nothing in it that sends or runs.
func TestPreview(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	e := w.setup().EventTypes[0]
	path := "/dashboard/types/" + e.ID.String() + "/preview"
	form := []string{"title", "Perm for <all>", "slug", "", "durationMinutes", "2", "durationMinutes.unit", "hours", "bookingWindowDays", "60", "seats", "1", "payment", "on_site",
		"refundOnCancel", "never", "price", "77", "hosts", e.Hosts[0].ID.String(), "q0.label", "Which curls?", "q0.type", "text"}
	r := b.post(path, form...)
	b.wants(r, 200, "Perm for &lt;all&gt;", "2\u00a0hr", "€77<", "data-start=", "!<script src")
	policy := r.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "frame-ancestors 'self'") || r.header.Get("X-Frame-Options") != "SAMEORIGIN" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", r.header)
	}
	_, start, _ := strings.Cut(r.body, `data-start="`)
	start, _, _ = strings.Cut(start, `"`)
	b.wants(b.post(path+"?start="+start, form...), 200, "Which curls?", `name="email"`)
	b.wants(b.post("/dashboard/types/new/preview", form...), 200, "Perm for &lt;all&gt;")
	b.post("/dashboard/account/language", "locale", "de")
	b.wants(b.post(path, form...), 200, "2\u00a0Std.", "77\u00a0€<") // as the form beside it
	b.post("/dashboard/account/language", "locale", "en")
	form[5] = "x"
	r = b.post(path, form...)
	b.wants(r, 422, "Please enter a number.")
	if !strings.Contains(r.header.Get("Content-Security-Policy"), "frame-ancestors 'self'") {
		t.Error("the frame can't show what is wrong")
	}
	b.wants(b.post("/dashboard/settings/brand/preview", "color", "#c2410c", "description", "A new text"), 200, "A new text", "brand-c2410c")
	b.wants(b.post("/dashboard/settings/brand/preview", "color", "#c2410c", "reviewsUrl", "javascript:alert(1)"), 422)
	if now := w.setup(); now.EventTypes[0].Title != e.Title || now.Workspace.Settings.Description == "A new text" {
		t.Error("a preview was saved")
	}
	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.post(path, form...), 403)
	b.wants(b.get(path), 404)
}

// The preview follows what is typed, with what was picked in it, and steps aside for nothing: the button Back leaves the
// page.
func TestPreviewInABrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	b.look("light", 1440, 900)
	b.open("/dashboard/types")
	b.click(".row-main")
	const page = `document.querySelector(".preview-frame[name=preview]:not(.preview-next)")?.contentDocument`
	b.until(page + `?.querySelector("[data-start]")`)
	b.fill("title", "Perm")
	b.until(page + `?.querySelector("h1")?.textContent=="Perm"`)
	b.until(`(` + page + `.querySelector("[data-start]").click(), true)`)
	b.until(page + `?.querySelector("[name=email]")`)
	b.click("#tab-asks")
	b.fill("q0.label", "Which curls?")
	b.until(page + `?.body.textContent.includes("Which curls?")`)
	b.fill("durationMinutes", "x")
	b.until(`!document.querySelector("[data-preview-wrong]").hidden && ` + page + `.body.textContent.includes("Which curls?")`)
	b.until(`(window.confirm=()=>true, history.back(), true)`)
	b.until(`location.pathname=="/dashboard/types"`)
	if w.setup().EventTypes[0].Title == "Perm" {
		t.Error("a preview was saved")
	}
}
