package dashboard

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest"
	look "daybook/app/apptest/browser"
	"daybook/app/push"
	"daybook/views/dash"
)

// pushManager stands in for the browser's connection to its maker's push service, which the tests can't reach. All the
// rest is the browser's.
const pushManager = `{
	const endpoint = "https://127.0.0.1/push/0123456789abcdef";
	const made = () => sessionStorage.push && { endpoint, options: { applicationServerKey: Uint8Array.from(sessionStorage.push.split(",")).buffer },
		toJSON: () => ({ endpoint, keys: %s }) };
	PushManager.prototype.getSubscription = async () => made() || null;
	PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
		if (!userVisibleOnly || applicationServerKey.length !== 65) throw new TypeError("key");
		sessionStorage.push = [...applicationServerKey].join();
		return made();
	};
}`

// worker attaches to the service worker of the dashboard.
func (b *tab) worker() context.Context {
	b.t.Helper()
	mine := chromedp.FromContext(b.ctx).BrowserContextID
	var found target.ID
	apptest.Eventually(b.t, "there is a worker", func() bool {
		all, err := chromedp.Targets(b.ctx)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, x := range all {
			if x.Type == "service_worker" && x.BrowserContextID == mine && x.URL == b.url+dash.WorkerPath {
				found = x.TargetID
			}
		}
		return found != ""
	})
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithTargetID(found))
	b.t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // attached for as long as ctx lasts, not as its first user's
		b.t.Fatal(err)
	}
	return ctx
}

// tapped has the worker's own handlers hear of a message, unless it is "", and then of a tap on the notification that is
// shown, and returns what they did. Only a person's tap lets a worker focus and open windows, so these two are noted down
// and not done. It looks for the notification once the worker has shown it.
func tapped(t *testing.T, worker context.Context, message string) string {
	t.Helper()
	short, cancel := context.WithTimeout(worker, 30*time.Second)
	defer cancel()
	did, err := chromedp.Run(short, chromedp.Evaluate[string](fmt.Sprintf(`(async (message) => {
		let did = "", rest;
		const waits = (e) => Object.defineProperty(e, "waitUntil", { value: (p) => { rest = p; } });
		WindowClient.prototype.focus = async function () { did += "focused"; };
		clients.openWindow = async (url) => { did += "opened " + url; };
		const all = () => registration.getNotifications();
		if (message) dispatchEvent(waits(new PushEvent("push", { data: message })));
		await rest;
		const [notification] = await all();
		if (!notification) return "no notification";
		dispatchEvent(waits(new NotificationEvent("notificationclick", { notification })));
		await rest;
		return did + ", " + (await all()).length + " left";
	})(%q)`, message), chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal("the worker doesn't answer: ", err)
	}
	return did
}

// A member turns notifications on for a device, chooses what to hear of, and turns them off. The worker shows what
// arrives, and a tap on it leads to the booking.
func TestNotificationsOfADevice(t *testing.T) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := json.Marshal(map[string]string{"auth": base64.RawURLEncoding.EncodeToString(make([]byte, 16)),
		"p256dh": base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	b := &tab{t, look.OpenWhole(t), w.server.URL} // another has no notifications
	b.look("light", 390, 844)
	b.signIn(w)
	b.open("/dashboard")
	b.until(`navigator.serviceWorker.controller?.state == "activated"`)
	_, err = chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: fmt.Sprintf(pushManager, keys)})
	w.Must(err)
	_, err = chromedp.CallBrowser(b.ctx, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: "granted", Origin: b.url,
		BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID})
	w.Must(err)
	b.open("/dashboard/account")
	b.until(`navigator.serviceWorker.controller?.state == "activated"`)
	b.click("[data-add] [value=cancelled]")
	b.click("[data-add] button")
	b.until(`document.querySelector(".push-devices [data-here]:not([hidden])") && document.querySelector("[data-add]").hidden`)
	owner, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	devices := func() []push.Subscription {
		all, err := w.Push.Subscriptions(t.Context(), owner[0].Actor())
		w.Must(err)
		return all
	}
	if d := devices(); len(d) != 1 || !d[0].Wants(push.New) || d[0].Wants(push.Cancelled) || d[0].Names {
		t.Fatalf("subscribed as %+v", d)
	}
	b.click(".push-devices [name=names]")
	b.click(".push-devices button")
	apptest.Eventually(t, "the wish is kept", func() bool { return devices()[0].Names })
	shot(b, "notifications")

	registration := make(chan string, 1)
	w.Must(chromedp.Listen(b.ctx, func(e any) {
		if u, ok := e.(*serviceworker.EventWorkerRegistrationUpdated); ok {
			for _, r := range u.Registrations {
				select {
				case registration <- string(r.RegistrationID):
				default:
				}
			}
		}
	}))
	_, err = chromedp.Call(b.ctx, serviceworker.Enable, cdp.Empty{})
	w.Must(err)
	id := serviceworker.RegistrationID(<-registration)
	message := func(url string) string {
		note, err := json.Marshal(push.Note{Title: "New booking", Body: "Haircut · Mon 30 Nov, 10:00", URL: url, Tag: "bk_1", Lang: "en"})
		w.Must(err)
		return string(note)
	}
	worker := b.worker()
	// Notifications are looked for once they are shown: Chromium may forget one that is asked for while it appears.
	look.Eval[bool](t, worker, `(self.appeared = new Promise((done) => {
		const of = ServiceWorkerRegistration.prototype, show = of.showNotification;
		of.showNotification = async function (...a) { await show.apply(this, a); done(true); };
	}), true)`)
	booking := dash.BookingPath(w.begun().ID.String())
	_, err = chromedp.Call(b.ctx, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{
		Origin: b.url, RegistrationID: id, Data: message(booking)})
	w.Must(err)
	if _, err := chromedp.Run(worker, chromedp.Evaluate[bool](`appeared`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal("no notification: ", err)
	}
	b.until(`(async () => window.shown = (await (await navigator.serviceWorker.ready).getNotifications()).map((n) => n.title + "|" + n.body + "|" + n.data.url).join())() && window.shown`)
	if got := look.Eval[string](t, b.ctx, "shown"); got != "New booking|Haircut · Mon 30 Nov, 10:00|"+booking {
		t.Errorf("the worker shows %q", got)
	}

	// A tap leads a page of the dashboard to the booking, opens one where there is none, and leads nowhere else.
	if got := tapped(t, worker, ""); got != "focused, 0 left" {
		t.Errorf("the tap: %s", got)
	}
	b.until(`location.pathname == "` + booking + `" && document.querySelector("[data-booking-id]")`)
	b.open("/demo") // the booking page is none of the dashboard
	if got := tapped(t, worker, message(booking)); got != "opened "+b.url+booking+", 0 left" {
		t.Errorf("the tap without a page: %s", got)
	}
	for _, url := range []string{"https://elsewhere.example/dashboard", "/login"} {
		if got := tapped(t, worker, message(url)); got != ", 0 left" {
			t.Errorf("the tap on %s: %s", url, got)
		}
	}
	b.open("/dashboard/account")
	b.click(`.push-devices [value=remove]`)
	b.sees("gets no more notifications")
	if d := devices(); len(d) != 0 {
		t.Errorf("left: %+v", d)
	}
	if r := w.asOwner().post("/dashboard/account/push", "endpoint", "https://127.0.0.1/x", "kind", "new"); r.status != 422 {
		t.Errorf("a subscription without keys: %d", r.status)
	}
}
