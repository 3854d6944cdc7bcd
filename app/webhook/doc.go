// package webhook is the delivery loop: it claims the deliveries that are due, signs and sends them, and settles what
// became of them. It owns the way to the receivers and everything they may do to it; what is due, to whom and with
// which secret is app.Service's to say. It never imports the store or a door.
//
// # What a receiver gets
//
// A POST with a JSON body {"id", "event", "createdAt", "data"}, the same bytes at every attempt, and the headers
//
//	X-Service-Signature: t=1796029200,v1=5257a869…   HMAC-SHA256 in hex of "<t>.<body>", keyed with the whole secret as shown
//	webhook-id:          evt_1p4s8ywa0g0m3           the event's id, the same at every attempt
//	webhook-timestamp:   1796029200
//	webhook-signature:   v1,K5oZfzN95Z9UVu1E…        HMAC-SHA256 in base64 of "<id>.<timestamp>.<body>", keyed with the secret's base64 part
//	User-Agent:          Daybook/<version>
//
// While a rotated secret overlaps with the one before there are two v1=, and two signatures separated by a space.
//
// Answer 2xx within 15 seconds, and work afterwards. Anything else is a failure: another status, a redirect (none is
// followed), no connection within 10 seconds. There are three more tries, 30 s, 5 min and 1 h after the failure, each
// ±20 %; a Retry-After makes that longer, up to a day. Then the delivery stays in the log as failed, and
// `daybook webhooks redeliver` sends it again. 410 disables the endpoint at once, five days of nothing but failure too.
// At most 64 KB of an answer are read, and 1 KB is kept for the log.
//
// # How to verify
//
// Verify the body as it came, before parsing it, and refuse timestamps older than five minutes.
//
// Go, with Stripe's library, whose format is the same (github.com/stripe/stripe-go/v85/webhook), or with that of
// Standard Webhooks (github.com/standard-webhooks/standard-webhooks/libraries/go):
//
//	err := webhook.ValidatePayload(body, r.Header.Get("X-Service-Signature"), secret)
//
//	wh, err := standardwebhooks.NewWebhook(secret)
//	err = wh.Verify(body, r.Header)
//
// Node (npm install standardwebhooks), or by hand:
//
//	new Webhook(secret).verify(body, headers)
//
//	const [t, ...v1] = header.split(",").map(p => p.slice(p.indexOf("=") + 1));
//	const want = crypto.createHmac("sha256", secret).update(t + "." + body).digest();
//	const ok = Math.abs(Date.now() / 1000 - t) < 300 &&
//	  v1.some(s => s.length === 64 && crypto.timingSafeEqual(Buffer.from(s, "hex"), want));
//
// Python (pip install standardwebhooks), or by hand:
//
//	Webhook(secret).verify(body, headers)
//
//	parts = [p.split("=", 1) for p in header.split(",")]
//	t = dict(parts)["t"]
//	want = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
//	ok = abs(time.time() - int(t)) < 300 and any(k == "v1" and hmac.compare_digest(v, want) for k, v in parts)
//
// # What to expect
//
// At least once: a receiver whose answer is lost is told again, so remember webhook-id, or act on the booking's id and
// status, which make a repetition harmless. No order: deliveries run side by side, and a retry comes late; createdAt
// orders them, and the booking in data is the whole booking as that change left it. Nothing untrue: the event is
// written in the transaction of the change, so there is none without its change and no change without its event.
//
// A receiver behind a firewall asks instead: GET /api/v1/events?after=<id of the last event> lists the same bodies.
// A test (`daybook webhooks test`) is a made-up event of the first kind that the endpoint wants, with "test": true at
// the top; /v1/events does not list it.
//
// # How it works
//
// A delivery row says when it is due; a claim moves that behind the end of a lease (25 s: an attempt and a margin), so
// nobody else sends it, and whoever is killed with it loses it to the next claim. Settling asks for the very lease that
// was claimed, so a sender that was suspended for too long settles nothing. A server that starts as the only one on its
// file ends the leases that a killed one left (store.JoinServers, Service.TakeOver).
//
// The loop looks when the Service commits, when something falls due, and when the file's data version shows that
// another process has committed, within 50 ms. Looking costs a read that steps over the endpoints with pending rows.
// Each endpoint has a lane: up to 64 attempts at once, up to 256 more claimed ahead while it answers quickly, no
// influence on the other lanes. Claims and outcomes are written in groups, so they share the writer's commits.
//
// # Where it may send
//
// The law of app/address is asked when an endpoint is registered and again for every connection, after DNS and before the first
// packet. There is no proxy, no redirect, no HTTP/2, and TLS is verified; http:// is for addresses that the operator
// lists with --webhook-allow.
package webhook
