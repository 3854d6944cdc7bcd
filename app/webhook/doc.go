// Package webhook keeps webhook endpoints and their deliveries: the rules of both, and the loop that claims
// the deliveries that are due, signs and sends them, and saves the result. It owns the connections to receivers and
// guards against whatever a receiver may do. It never imports the store or a door.
//
// # What a receiver gets
//
// A POST with a JSON body {"id", "event", "createdAt", "data"}, the same bytes at every attempt, and the headers
//
//	X-Service-Signature: t=1796029200,v1=5257a869…   HMAC-SHA256 in hex of "<t>.<body>", with the whole secret as key
//	webhook-id:          evt_1p4s8ywa0g0m3           the event's id, the same at every attempt
//	webhook-timestamp:   1796029200
//	webhook-signature:   v1,K5oZfzN95Z9UVu1E…        HMAC-SHA256 in base64 of "<id>.<timestamp>.<body>", with the bytes
//	                                                 of the secret's base64 part as key
//	User-Agent:          Daybook/<version>
//
// While the old secret still signs after a rotation, there are two v1=, and two signatures separated by a space.
//
// Answer 2xx within 15 seconds, and do the work afterwards. Anything else counts as a failure: another status, a
// redirect (none is followed), no connection within 10 seconds. A failed delivery is tried three more times, 30 s, 5
// min and 1 h after the failure, each ±20 %; a Retry-After header makes the pause longer, up to a day. After that the
// delivery stays in the log as failed, and `daybook webhooks redeliver` sends it again. A 410 disables the endpoint at
// once, and so do five days in which every attempt failed. At most 64 KB of an answer are read, and 1 KB is kept for
// the log.
//
// # How to verify
//
// Verify the body exactly as it arrived, before parsing it, and refuse timestamps older than five minutes.
//
// In Go, with Stripe's library, whose format is the same (github.com/stripe/stripe-go/v85/webhook), or with the one of
// Standard Webhooks (github.com/standard-webhooks/standard-webhooks/libraries/go):
//
//	err := webhook.ValidatePayload(body, r.Header.Get("X-Service-Signature"), secret)
//
//	wh, err := standardwebhooks.NewWebhook(secret)
//	err = wh.Verify(body, r.Header)
//
// In Node (npm install standardwebhooks), or by hand:
//
//	new Webhook(secret).verify(body, headers)
//
//	const [t, ...v1] = header.split(",").map(p => p.slice(p.indexOf("=") + 1));
//	const want = crypto.createHmac("sha256", secret).update(t + "." + body).digest();
//	const ok = Math.abs(Date.now() / 1000 - t) < 300 &&
//	  v1.some(s => s.length === 64 && crypto.timingSafeEqual(Buffer.from(s, "hex"), want));
//
// In Python (pip install standardwebhooks), or by hand:
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
// Deliveries are made at least once: if an answer is lost, the event is sent again. So remember webhook-id, or act on
// the booking's id and status, which makes a repeated event harmless. An event of a booking is first tried when the first
// try of the one before it has ended; one that fails then comes after later ones, because a retry delays no other, and
// those of several bookings come side by side. The booking in data is the whole booking as that change left it: ignore an event
// that has one and a smaller sequence than the last such event of that booking. Events of payments tell of what no other
// event does, and are never to be skipped. Every event is true: it is written in the transaction of the change, so neither
// exists without the other.
//
// A receiver behind a firewall can poll instead: GET /api/v1/events?after=<id of the last event> lists the same bodies.
// A test (`daybook webhooks test`) sends a made-up event of the first kind that the endpoint subscribes to, with
// "test": true at the top level; /v1/events does not list it.
//
// # How it works
//
// The loop is that of package work; a lease lasts 25 s: one attempt and a margin. A server that starts as the only one
// on its database ends the leases that a killed server left (Service.TakeOver). On PostgreSQL one of the others does so
// once the killed server's own lease is over, after 6 s (Service.TakeOverFrom). Servers of such a database share the
// endpoints by their workspaces; the claims stay exact whatever two servers think of who has which.
//
// The loop looks for work when the Service commits, when something falls due, and, within 50 ms, when the data version
// of the database shows that another process has committed. Looking costs one read that steps over the endpoints with
// pending rows. Each endpoint has a lane of up to 64 attempts at once, and up to 256 more claimed ahead while the
// endpoint answers quickly; lanes do not affect each other. Claims and results are written in groups, so that they
// share the writer's commits.
//
// # Which addresses it may connect to
//
// The rules of app/address apply when an endpoint is registered, and again to every connection, after DNS and before
// the first packet. There is no proxy, no redirect and no HTTP/2, and TLS certificates are verified; http:// is only
// for addresses that the operator lists with --webhook-allow.
package webhook
