package dashboard

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest"
	look "daybook/app/apptest/browser"
	"daybook/app/push"
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
	b := w.browse()
	b.look("light", 390, 844)
	b.signIn(w)
	b.open("/dashboard") // a document that was begun at /login is outside the worker's scope
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
	note, err := json.Marshal(push.Note{Title: "New booking", Body: "Haircut · Mon 30 Nov, 10:00", URL: "/dashboard/bookings", Tag: "bk_1", Lang: "en"})
	w.Must(err)
	_, err = chromedp.Call(b.ctx, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{
		Origin: b.url, RegistrationID: serviceworker.RegistrationID(<-registration), Data: string(note)})
	w.Must(err)
	b.until(`(async () => window.shown = (await (await navigator.serviceWorker.ready).getNotifications()).map((n) => n.title + "|" + n.body + "|" + n.data.url).join())() && window.shown`)
	if got := look.Eval[string](t, b.ctx, "shown"); got != "New booking|Haircut · Mon 30 Nov, 10:00|/dashboard/bookings" {
		t.Errorf("the worker shows %q", got)
	}
	b.click(`.push-devices [value=remove]`)
	b.sees("gets no more notifications")
	if d := devices(); len(d) != 0 {
		t.Errorf("left: %+v", d)
	}
	if r := w.asOwner().post("/dashboard/account/push", "endpoint", "https://127.0.0.1/x", "kind", "new"); r.status != 422 {
		t.Errorf("a subscription without keys: %d", r.status)
	}
}
