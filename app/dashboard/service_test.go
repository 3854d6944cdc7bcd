package dashboard

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/views/dash"
)

// postService sends the form of a service.
func (b *visitor) postService(path string, picture []byte, pairs ...string) response {
	b.w.T.Helper()
	return b.uploadPicture(path, "photo.png", picture, pairs...)
}

// A service is saved with its picture by one form. A picture that is refused takes nothing else with it, and one that
// was taken stays chosen where another field is refused. It is removed by the same form.
func TestServiceWithItsPicture(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	const page = dash.NewTypePath
	form := w.perm("Perm", "description", "Curls for weeks", "price", "30", "a0.title", "Mask")
	b.wants(b.get(page), 200, `enctype="multipart/form-data"`, `type="file"`, "JPEG, PNG or WebP")
	for picture, want := range map[string]string{"<script>alert(1)</script>": "no JPEG, PNG or WebP picture", strings.Repeat("x", 10_000_001): "larger than 10 MB",
		strings.Repeat("x", 11_600_000): "larger than 10 MB"} {
		r := b.postService(page, []byte(picture), form...)
		if r.status != 422 && r.status != 413 {
			t.Errorf("%d bytes: %d", len(picture), r.status)
		}
		b.wants(r, r.status, want, `href="#f-picture"`, "Curls for weeks", `value="Perm"`, `value="Mask"`)
	}
	if w.setup().EventType("perm") != nil {
		t.Fatal("saved without its picture")
	}

	wrong := append([]string{}, form...)
	wrong[1] = ""
	r := b.postService(page, pictureFile(t, 400, 300), wrong...)
	b.wants(r, 422, "Curls for weeks", `src="/_p/`, "Your picture is here already")
	kept := between(r.body, `name="picture.id" value="`, `"`)
	b.wants(b.postService(page, nil, append(form, "picture.id", kept)...), 303)
	e := w.setup().EventType("perm")
	if e == nil || e.Picture.String() != kept {
		t.Fatalf("picture %q, kept %q", e.Picture, kept)
	}
	path := dash.TypePath(e.ID.String())
	b.wants(b.get(path), 200, `srcset="/_p/`, "400w")
	// The list of services has the picture, and the sheet's tile beside it the length and the price.
	b.wants(b.get(dash.TypesPath), 200, `<span class="row-photo"><img class="" src="/_p/`)
	tile := between(b.get(dash.NewBookingPath).body, `value="perm"`, `</label>`)
	if !regexp.MustCompile(`^[^<]*<img class="tile-picture" src="/_p/[^>]*><span><b>Perm</b><small>[^<]*\d.min · €\d[^<]*</small>`).MatchString(tile) {
		t.Errorf("the tile is %s", tile)
	}
	b.wants(b.postService(path, nil, form...), 303)
	if w.setup().EventType("perm").Picture != e.Picture {
		t.Error("saved without a file, it lost its picture")
	}
	b.wants(b.postService(path, nil, append(form, "picture.remove", "on")...), 303)
	if w.setup().EventType("perm").Picture != 0 {
		t.Error("not removed")
	}
	b.wants(b.postService(path, pictureFile(t, 300, 400), form...), 303)
	if w.setup().EventType("perm").Picture == 0 {
		t.Error("not given")
	}
	b.wants(b.postService(path, nil, append(form, "picture.id", id.New[catalog.PictureIDKind](w.Clock.Now()).String())...), 422, "Upload it again")
}

// Without a name for its link a service gets one of its own name, another one where that is taken.
func TestServiceNamesItsLink(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	form := w.perm("Haircut")
	form[3] = " "
	b.wants(b.post(dash.NewTypePath, form...), 303)
	if e := w.setup().EventType("haircut-2"); e == nil || e.Title != "Haircut" {
		t.Errorf("%+v", e)
	}
}

// full gives an event type a value in every field that its form has.
func (w *world) full() catalog.EventType {
	w.T.Helper()
	amount := func(n int64) *money.Money { return &money.Money{Amount: n, Currency: "EUR"} }
	w.Apply(`workspace: {slug: ` + w.Workspace.Slug + `, redirectHosts: [www.example.com]}`)
	shop := w.setup()
	chair, err := w.Shop.AddResource(w.T.Context(), w.Owner, catalog.Resource{Name: "Chair", Kind: "room"})
	w.Must(err)
	p, _, err := w.Pictures.Upload(w.T.Context(), w.Owner, pictureFile(w.T, 320, 240))
	w.Must(err)
	rate := money.Rate(7000)
	e := catalog.NewEventType()
	e.Title, e.Slug, e.Description, e.Category = "All of it", "all", "One\n\nTwo", "Colour"
	e.Picture, e.Color, e.Location = p.ID, "teal", "Park Lane 2"
	e.Parts = []catalog.Part{{Work: 30}, {Wait: 40}, {Work: 20}}
	e.DurationMinutes, e.DuringWait, e.SlotStepMinutes = 90, true, 15
	e.BufferBeforeMinutes, e.BufferAfterMinutes, e.MinimumNoticeMinutes, e.BookingWindowDays = 5, 10, 1441, 33
	e.CancellationNoticeMinutes, e.MaxPerDay = 2880, 4
	e.Price, e.NoShowFee, e.LateCancellationFee, e.Deposit = amount(9050), amount(2000), amount(1500), &catalog.Deposit{Percent: 20}
	e.TaxRate, e.Payment, e.RefundOnCancel, e.RequiresApproval = &rate, catalog.PayOnSite, catalog.RefundNever, true
	e.AsksFor, e.Hidden = catalog.AskEither, true
	e.Questions = []catalog.Question{{Key: "hair", Label: "Hair", Type: "choice", Options: []string{"long", "short"}, Required: true},
		{Key: "note", Label: "Note", Type: "long_text"}}
	e.AddOnGroups = []catalog.AddOnGroup{{ID: "tone", Title: "Tone", Required: true, Max: 1}}
	e.AddOns = []catalog.AddOn{{ID: "dark", Title: "Dark", Minutes: 10, Price: amount(550), Group: "tone", Part: 2}, {ID: "mask", Title: "Mask", Price: amount(900)}}
	e.Words = []catalog.MailWords{{Kind: catalog.MailConfirmed, Locale: "de", Text: "Bis bald"}, {Text: "See you"}}
	e.RedirectURL = "https://www.example.com/thanks"
	e.Where = &catalog.Where{Kind: catalog.InPerson, Text: "Back room", TravelMinutes: 25}
	e.Limits = catalog.Limits{PersonUpcoming: 2, PersonPerDay: 1, PersonPerWeek: 3, HostPerWeek: 8, PerWeek: 20}
	e.AsksComing, e.TextsOff = true, []catalog.TextKind{catalog.TextMoved, catalog.TextReceipt}
	e.TextWords = []catalog.TextWords{{Kind: catalog.TextReminder, Locale: "de", Text: "Bis {date}!"}, {Kind: catalog.TextCancelled, Text: "Bye\n{link}"}}
	e.ReminderMinutes, e.MailsOff = []int{2880, 45}, []catalog.MailKind{catalog.MailReminder}
	e.Dates = []string{"2026-12-03T18:00", "2026-12-10T18:00"}
	for _, h := range shop.Hosts[:3] {
		e.Hosts = append(e.Hosts, catalog.HostRef{ID: h.ID})
	}
	e.Needs = []catalog.Need{{OneOf: []catalog.ResourceID{chair.ID}, During: catalog.DuringAll}, {Hosts: 2, Of: []catalog.HostID{shop.Hosts[1].ID}}}
	e, err = w.Shop.SaveEventType(w.T.Context(), w.Owner, e)
	w.Must(err)
	return e
}

// What the form of a service has isn't changed by saving it, nor is what it doesn't have: neither of a service with
// every field, nor of a plain one.
func TestServiceComesBackAsItWas(t *testing.T) {
	w := newWorld(t)
	full := w.full()
	w.sendsTexts()
	plain := w.setup().EventType("haircut").ID
	asJSON := func(id catalog.EventTypeID) string {
		t.Helper()
		text, err := json.MarshalIndent(w.setup().EventTypeByID(id), "", " ")
		w.Must(err)
		return string(text)
	}
	b := w.browse()
	b.signIn(w)
	for _, id := range []catalog.EventTypeID{full.ID, plain} {
		before := asJSON(id)
		b.open(dash.TypePath(id.String()))
		// The frame of the preview is exchanged once it is loaded, and the form below it moves.
		b.until(`document.querySelectorAll("[data-preview]").length === 1 && !document.querySelector(".preview-next") && document.querySelector("[data-preview]").srcdoc`)
		if n := browser.Eval[string](t, b.ctx, `[...document.querySelectorAll("#editor [name]")].map(x => x.name).filter((n, i, all) => all.indexOf(n) < i &&
			!["hosts", "color", "reminderMinutes", "togetherOf", "textKinds"].includes(n) && !n.startsWith("needs[")).join()`); n != "" {
			t.Errorf("stand twice: %s", n)
		}
		b.click(".form-end [type=submit]")
		b.sees("Saved.")
		if after := asJSON(id); after != before {
			t.Errorf("before %s\nafter %s", before, after)
		}
	}
}

// On a phone and on a desktop name, length, price and the button that saves stand in the first screen, and nothing else
// of the form but what opens tabs. What is typed is seen as customers will, with a picture that nobody sent yet; one that
// is too large is told of at once. Tabs follow the arrow keys.
func TestServiceForm(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	photo, large := filepath.Join(dir, "photo.png"), filepath.Join(dir, "large.png")
	w.Must(os.WriteFile(photo, pictureFile(t, 400, 300), 0o600))
	w.Must(os.WriteFile(large, make([]byte, 10_000_001), 0o600))
	axe := browser.Axe(t)
	b := w.browse()
	b.signIn(w)
	for _, width := range widths {
		h := b.hand(width)
		h.open(dash.NewTypePath)
		h.until(`document.querySelector("[role=tab]")?.checkVisibility()`)
		const first = `["#f-title", "#f-durationMinutes", "#f-price", ".form-end [type=submit]"].every((s) => {
			const x = document.querySelector(s), r = x.getBoundingClientRect();
			return x.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)) && scrollY === 0; })`
		h.until(first)
		if seen := browser.Eval[string](t, h.ctx, `[...document.querySelectorAll(".service-main [name]")].filter((x) => x.checkVisibility())
			.map((x) => x.name).join()`); seen != "title,durationMinutes,price" {
			t.Errorf("at %d the first screen asks for %s", width, seen)
		}
		h.looksRight("service-new", axe)
		h.types("title", "Long perm", "durationMinutes", "90", "price", "80,50")
		h.until(`document.querySelector(".seen").innerText.replace(/\s+/g, " ").includes("Long perm 1 hr 30 min · €80.50")`)
		h.until(`document.querySelector("label[for=f-durationMinutes]").innerText.includes("1\u00a0hr 30\u00a0min")`)
		h.do(chromedp.SetUploadFiles(chromedp.CSS("#f-picture"), []string{large}))
		h.sees("larger than 10 MB")
		h.until(`document.querySelector("#f-picture").files.length === 0`)
		h.do(chromedp.SetUploadFiles(chromedp.CSS("#f-picture"), []string{photo}))
		h.until(`(() => { const x = document.querySelector(".seen-photo img"); return x.complete && x.naturalWidth === 400 && x.checkVisibility(); })()`)
		h.until(`document.querySelector("#f-picture-error").hidden`)
		h.tap("#tab-addons")
		h.until(`document.querySelector("[name='a1.title']").checkVisibility() && !document.querySelector("#f-description").checkVisibility()`)
		h.looksRight("service-addons", axe)
		h.do(chromedp.KeyEvent(kb.ArrowLeft)) // to the left
		h.until(`document.activeElement.id === "tab-people" && document.querySelector("#f-hosts").checkVisibility()`)
		h.until(`document.documentElement.scrollWidth <= innerWidth`)
		h.until(`(delete document.querySelector("#editor").dataset.typed, true)`) // so that nobody is asked before leaving
	}
}

// A field that is wrong opens its tab and has the focus, with a script and without; what was typed elsewhere is there,
// and the list of what is wrong leads to each.
func TestServiceOpensTheTabOfAFault(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	e := w.setup().EventType("haircut")
	b.open(dash.TypePath(e.ID.String()))
	b.until(`document.querySelector("[role=tab]")?.checkVisibility()`)
	b.fill("title", "Another name", "bufferAfterMinutes", "-5", "bookingWindowDays", "0", "limits.perWeek", "-1")
	b.click(".form-end [type=submit]")
	b.until(`document.querySelector(".notice-bad") && document.activeElement.name === "bufferAfterMinutes" && document.activeElement.checkVisibility()`)
	b.until(`document.querySelector("[name=title]").value === "Another name" && document.querySelectorAll(".part-wrong").length === 2`)
	b.click(`.notice-bad a[href="#f-limits.perWeek"]`)
	b.until(`document.querySelector("[name='limits.perWeek']").checkVisibility() && !document.querySelector("[name=bufferAfterMinutes]").checkVisibility()`)
	if now := w.setup().EventType("haircut"); now.Title != e.Title {
		t.Error("saved")
	}
	plain := w.asOwner()
	form := w.perm("Perm")
	form[15] = "0" // bookingWindowDays
	r := plain.post(dash.NewTypePath, form...)
	plain.wants(r, 422, `id="s-times" data-panel="tab-times"><details class="more" open>`, `id="s-limits" data-panel="tab-limits"><details class="more"><`)
	if at := between(r.body, `name="bookingWindowDays"`, `>`); !strings.Contains(at, "autofocus") {
		t.Errorf("the field has %s", at)
	}
}

// menu are the slugs in the order of the list, and handle finds a service's.
const menu = `[...document.querySelectorAll(".row-type b")].map((x) => x.textContent).join()`

func handle(name string) string { return fmt.Sprintf(`[data-handle][aria-label="Move %s"]`, name) }

// dragTo drags what the selector finds below or above the middle of another, with the mouse or a finger.
func (h *hand) dragTo(selector, other string, below bool) {
	h.t.Helper()
	h.until(fmt.Sprintf(spot, selector))
	at := browser.Eval[[]float64](h.t, h.ctx, fmt.Sprintf(`(() => {
		const at = document.querySelector(%q).getBoundingClientRect(), to = document.querySelector(%q).closest("[data-item]").getBoundingClientRect();
		return [at.left + at.width / 2, at.top + at.height / 2, to.top + to.height * %f];
	})()`, selector, other, map[bool]float64{true: .8, false: .2}[below]))
	x, from, to := at[0], at[1], at[2]
	if h.phone {
		h.touch(input.DispatchTouchEventTypeTouchStart, x, from)
	} else {
		h.do(chromedp.MouseEvent(chromedp.MouseMoved, x, from), chromedp.MouseEvent(chromedp.MousePressed, x, from, chromedp.ButtonLeft))
	}
	const steps = 5
	for i := range steps {
		y := from + (to-from)*float64(i+1)/steps
		if h.phone {
			h.touch(input.DispatchTouchEventTypeTouchMove, x, y)
		} else {
			h.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
		}
	}
	if h.phone {
		h.touch(input.DispatchTouchEventTypeTouchEnd)
	} else {
		h.letGo(x, to)
	}
}

// What sorts the services comes with a script of its own. Nothing on the page moves when it arrives, however late: whoever
// presses Save at that moment has saved.
func TestNothingMovesWhenServicesCanBeSorted(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	const places = `JSON.stringify([...document.querySelectorAll("#main :is(.row-main, .row-cost, .menu-head h2)")].map((x) => {
		const r = x.getBoundingClientRect();
		return [r.left, r.top, r.width, r.height];
	}))`
	for _, width := range widths {
		h := b.hand(width)
		h.open("/dashboard")
		_, err := chromedp.Call(b.ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{
			URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/assets/sort*", Block: true}}})
		w.Must(err)
		h.more()
		h.tap(`a[href="` + dash.TypesPath + `"]`)
		h.until(`document.querySelector(".row-cost") && document.querySelector("script[src*='/sort.']")`)
		before := browser.Eval[string](t, b.ctx, places)
		if browser.Eval[bool](t, b.ctx, `document.querySelector("[data-handle]").checkVisibility()`) {
			t.Fatal("the script was there before")
		}
		_, err = chromedp.Call(b.ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{})
		w.Must(err)
		h.until(`(() => {
			const was = document.querySelector("script[src*='/sort.']"), again = document.createElement("script");
			again.src = was.src;
			was.replaceWith(again);
			return true;
		})()`)
		h.until(`document.querySelector("[data-handle]").checkVisibility()`)
		if after := browser.Eval[string](t, b.ctx, places); after != before {
			t.Errorf("%d: what stood at\n%s\nstands at\n%s", width, before, after)
		}
	}
}

// Services are dragged into the order that customers see, with a mouse and a finger, and moved by the arrow keys, which
// say where each is now; so are categories. A move that can't be saved is told of and taken back.
func TestServicesAreSorted(t *testing.T) {
	w := newWorld(t)
	axe := browser.Axe(t)
	b := w.browse()
	b.signIn(w)
	is := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf("%s.startsWith(%q)", menu, want))
		apptest.Eventually(t, "the order "+want, func() bool {
			var all []string
			for _, e := range w.setup().EventTypes {
				all = append(all, e.Title)
			}
			return strings.HasPrefix(strings.Join(all, ","), want)
		})
	}
	for _, width := range widths {
		h := b.hand(width)
		h.open(dash.TypesPath)
		h.until(`document.querySelector("[data-handle]")?.checkVisibility()`)
		h.looksRight("services", axe)
		h.until(menu + `.startsWith("Haircut,Beard trim,Wash and blow-dry,Colour and cut,Balayage,First")`)
		h.dragTo(handle("Haircut"), handle("Beard trim"), true)
		is("Beard trim,Haircut,Wash and blow-dry,Colour")
		h.dragTo(handle("Wash and blow-dry"), handle("Beard trim"), false)
		is("Wash and blow-dry,Beard trim,Haircut,Colour")
		h.dragTo(handle("Wash and blow-dry"), handle("Wash and blow-dry"), true)
		is("Wash and blow-dry,Beard trim,Haircut,Colour")
		h.until(fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, handle("Haircut")))
		h.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp))
		is("Haircut,Wash and blow-dry,Beard trim,Colour")
		h.until(`document.querySelector("[data-announce]").textContent === "Haircut: place 1 of 3" && document.activeElement.dataset.moved.startsWith("Haircut")`)
		h.until(fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, handle("Cut and style")))
		h.do(chromedp.KeyEvent(kb.ArrowDown))
		is("Colour and cut,Balayage,Haircut,Wash and blow-dry,Beard trim,First")
		shop := w.browser().get("/" + w.Workspace.Slug).body
		if at := []int{strings.Index(shop, "Balayage"), strings.Index(shop, "Haircut"), strings.Index(shop, "Beard trim")}; at[0] < 0 || at[0] > at[1] || at[1] > at[2] {
			t.Errorf("customers see them at %v", at)
		}
		h.open(dash.TypesPath)
		h.dragTo(handle("Colour"), handle("Cut and style"), true)
		is("Haircut,Wash and blow-dry,Beard trim,Colour")
		h.until(fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, handle("Wash and blow-dry")))
		h.do(chromedp.KeyEvent(kb.ArrowDown))
		is("Haircut,Beard trim,Wash and blow-dry,Colour")
	}
	b.until(fmt.Sprintf(`(document.querySelector(%q).closest("[data-item]").dataset.item += "x", document.querySelector(%q).focus(), true)`, handle("Haircut"), handle("Haircut")))
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	b.sees("The order could not be saved")
	b.until(menu + `.startsWith("Haircut,Beard trim")`)
}
