package push_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/push"
	"daybook/app/subjects"
)

var b64 = base64.RawURLEncoding

// device is a browser at a push service: what it gets it decrypts by RFC 8291, with nothing of the sender's library.
type device struct {
	private *ecdh.PrivateKey
	auth    []byte
	path    string
}

func newDevice(path string) *device {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	d := &device{key, make([]byte, 16), path}
	rand.Read(d.auth)
	return d
}

// read decrypts one record of aes128gcm (RFC 8188), whose last one ends with 2 and zeros.
func (d *device) read(body []byte) ([]byte, error) {
	if len(body) < 86 || body[20] != 65 {
		return nil, fmt.Errorf("%d bytes are no message", len(body))
	}
	salt, sender, text := body[:16], body[21:86], body[86:]
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := d.private.ECDH(public)
	if err != nil {
		return nil, err
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		key, e := hkdf.Key(sha256.New, secret, salt, info, n)
		if e != nil {
			err = e
		}
		return key
	}
	ikm := derive(shared, d.auth, "WebPush: info\x00"+string(d.private.PublicKey().Bytes())+string(sender), 32)
	key := derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	nonce := derive(ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nonce, text, nil)
	return []byte(strings.TrimSuffix(strings.TrimRight(string(plain), "\x00"), "\x02")), err
}

// pushService stands in for a browser's push service.
type pushService struct {
	*httptest.Server
	mu      sync.Mutex
	devices map[string]*device
	key     string // the applicationServerKey that the devices subscribed with
	got     []push.Note
	answers []int // to the next messages; none is 201
	wrong   []string
	slow    string        // the path that gets no answer
	hang    chan struct{} // until this is closed
}

func newPushService(t *testing.T) *pushService {
	p := &pushService{devices: map[string]*device{}}
	p.Server = httptest.NewTLSServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *pushService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.slow != "" && r.URL.Path == p.slow {
		<-p.hang
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	note, err := p.take(r)
	if err != nil {
		p.wrong = append(p.wrong, err.Error())
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if len(p.answers) > 0 {
		code := p.answers[0]
		p.answers = p.answers[1:]
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(code)
		return
	}
	p.got = append(p.got, note)
	w.WriteHeader(http.StatusCreated)
}

func (p *pushService) take(r *http.Request) (n push.Note, err error) {
	d := p.devices[r.URL.Path]
	if d == nil || r.Method != http.MethodPost || r.Header.Get("Content-Encoding") != "aes128gcm" || r.Header.Get("TTL") == "" {
		return n, fmt.Errorf("%s %s %v", r.Method, r.URL.Path, r.Header)
	}
	if err := vapid(r.Header.Get("Authorization"), p.key, p.URL); err != nil {
		return n, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return n, err
	}
	if body, err = d.read(body); err != nil {
		return n, err
	}
	return n, json.Unmarshal(body, &n)
}

// vapid checks the sender's token by RFC 8292: signed with the key that the device subscribed with, for this service.
func vapid(header, key, audience string) error {
	var token, k string
	for _, part := range strings.Split(strings.TrimPrefix(header, "vapid "), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			token = value
		case "k":
			k = value
		}
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 || k != key {
		return fmt.Errorf("authorization %q is not of the key %s", header, key)
	}
	point, err := b64.DecodeString(k)
	if err != nil {
		return err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	signature, err := b64.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return fmt.Errorf("signature of %d bytes, %v", len(signature), err)
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return fmt.Errorf("the signature is wrong")
	}
	claims, err := b64.DecodeString(parts[1])
	if err != nil {
		return err
	}
	var c struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(claims, &c); err != nil {
		return err
	}
	if c.Aud != audience || !strings.Contains(c.Sub, ":") || time.Until(time.Unix(c.Exp, 0)) > 24*time.Hour {
		return fmt.Errorf("claims %+v", c)
	}
	return nil
}

// add lets a member's browser subscribe.
func (p *pushService) add(x *apptest.Salon, a app.Actor, session []byte, path string, w push.Wishes) *device {
	x.T.Helper()
	d := newDevice(path)
	key, err := x.Push.PublicKey(x.T.Context(), a)
	x.Must(err)
	p.mu.Lock()
	p.devices[path], p.key = d, key
	p.mu.Unlock()
	x.Must(x.Push.Subscribe(x.T.Context(), a, session, p.input(d, w)))
	return d
}

func (p *pushService) input(d *device, w push.Wishes) push.Input {
	return push.Input{Endpoint: p.URL + d.path, P256dh: b64.EncodeToString(d.private.PublicKey().Bytes()),
		Auth: b64.EncodeToString(d.auth), Locale: "de", Wishes: w}
}

// answer has the next messages answered so.
func (p *pushService) answer(codes ...int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = codes
}

// notes are what arrived, once there are n; nothing that was wrong may have.
func (p *pushService) notes(t *testing.T, n int) []push.Note {
	t.Helper()
	apptest.Eventually(t, fmt.Sprintf("%d notifications", n), func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.got) >= n || len(p.wrong) > 0
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.got) != n || len(p.wrong) > 0 {
		t.Fatalf("%d notifications instead of %d: %+v, wrong: %v", len(p.got), n, p.got, p.wrong)
	}
	return p.got
}

type bed struct {
	*apptest.Salon
	service  *pushService
	owner    app.Actor
	session  []byte
	sessions []account.Session // of all sign-ins
}

func newBed(t *testing.T) *bed {
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	x := &bed{Salon: apptest.New(t, apptest.Options{With: func(c *subjects.Config) { c.Push = push.Config{Allow: loopback} }}),
		service: newPushService(t)}
	x.Offer("cut", 60, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}, {ID: 3}} })
	x.owner, x.session = x.member("owner@mail.example", account.UserInput{Role: app.OwnerRole})
	roots := x509.NewCertPool()
	roots.AddCert(x.service.Certificate())
	x.Run(push.NewLoop(push.LoopConfig{Service: x.Push, Trust: &tls.Config{RootCAs: roots}}))
	return x
}

const password = "a long enough password"

func (x *bed) member(email string, in account.UserInput) (app.Actor, []byte) {
	x.T.Helper()
	in.Email, in.Password = email, password
	_, err := x.Account.CreateUser(x.T.Context(), app.Operator(x.Workspace.ID), in)
	x.Must(err)
	return x.signIn(email)
}

func (x *bed) signIn(email string) (app.Actor, []byte) {
	x.T.Helper()
	token, _, err := x.Account.SignIn(x.T.Context(), account.SignInInput{Email: email, Password: password, Agent: "Chrome/1"})
	x.Must(err)
	s, err := x.Account.SessionOf(x.T.Context(), token)
	x.Must(err)
	x.sessions = append(x.sessions, s)
	return s.User.Actor(), s.Hash
}

func (x *bed) devices(a app.Actor) []push.Subscription {
	x.T.Helper()
	all, err := x.Push.Subscriptions(context.Background(), a)
	x.Must(err)
	return all
}

// Each member hears of what they chose, of the bookings that they see, and not of what they did themselves. Service and
// time stand in it, and the name only by choice.
func TestNotifications(t *testing.T) {
	x := newBed(t)
	ana, bob := catalog.HostID(1), catalog.HostID(2)
	staff, staffSession := x.member("bob@mail.example", account.UserInput{Role: app.StaffRole, Host: bob})
	all := push.Wishes{Kinds: push.Kinds}
	x.service.add(x.Salon, x.owner, x.session, "/owner", push.Wishes{Kinds: []push.Kind{push.New, push.Cancelled}, Names: true})
	x.service.add(x.Salon, staff, staffSession, "/bob", all)

	in := apptest.Input("cut", apptest.Hours(2), "Ida")
	in.Host = ana.String()
	b, err := x.Book(t.Context(), x.API, in)
	x.Must(err)
	got := x.service.notes(t, 1)
	if n := got[0]; n.Title != "Neue Buchung" || !strings.Contains(n.Body, "Ida") || n.URL != "/dashboard/bookings/"+b.ID.String() ||
		n.Tag != b.ID.String() || !strings.HasPrefix(n.Body, "Cut · Mo, 30. Nov., 10:00") {
		t.Errorf("the owner reads %+v", n)
	}
	// It moves to Bob, who hears of it without the name; the owner did not ask for moves.
	_, err = x.Reschedule(t.Context(), x.API, b.ID.String(), app.RescheduleInput{Start: apptest.Hours(3), Host: bob.String()})
	x.Must(err)
	got = x.service.notes(t, 2)
	if n := got[1]; n.Title != "Buchung verschoben" || strings.Contains(n.Body, "Ida") {
		t.Errorf("bob reads %+v", n)
	}
	// The owner's own cancellation is told to Bob only.
	_, err = x.Cancel(t.Context(), x.owner, b.ID.String(), app.CancelInput{})
	x.Must(err)
	if n := x.service.notes(t, 3)[2]; n.Title != "Buchung abgesagt" {
		t.Errorf("after a cancellation: %+v", n)
	}
	x.Must(x.Push.Try(t.Context(), x.owner, x.devices(x.owner)[0].ID.String()))
	if n := x.service.notes(t, 4)[3]; n.Body != "Dieses Gerät bekommt Ihre Mitteilungen." {
		t.Errorf("a test: %+v", n)
	}
	x.Refused(x.Push.Try(t.Context(), staff, x.devices(x.owner)[0].ID.String()), fault.NotFound, "")
	x.Must(x.Push.Choose(t.Context(), x.owner, x.devices(x.owner)[0].ID.String(), push.Wishes{}))
	x.Must(x.Push.Unsubscribe(t.Context(), staff, x.devices(staff)[0].ID.String()))
	x.Booked("cut", apptest.Hours(5), "Eva")
	x.Must(x.Push.Try(t.Context(), x.owner, x.devices(x.owner)[0].ID.String()))
	x.service.notes(t, 5) // the test, and nothing of Eva
}

// A device ends with its sign-in, with the membership, and when its push service has forgotten it. A push service that
// fails is asked again, and one that refuses is told of.
func TestNotificationsEnd(t *testing.T) {
	x := newBed(t)
	all := push.Wishes{Kinds: push.Kinds}
	x.service.add(x.Salon, x.owner, x.session, "/one", all)
	x.service.answer(503, 429)
	x.Booked("cut", apptest.Hours(2), "Ida")
	apptest.Eventually(t, "two more tries", func() bool {
		x.Clock.Advance(5 * time.Second)
		x.service.mu.Lock()
		defer x.service.mu.Unlock()
		return len(x.service.got) > 0
	})
	x.service.notes(t, 1)
	try := func() { x.T.Helper(); x.Must(x.Push.Try(t.Context(), x.owner, x.devices(x.owner)[0].ID.String())) }
	x.service.answer(403)
	try()
	apptest.Eventually(t, "the refusal shows", func() bool { return x.devices(x.owner)[0].Failed == "403" })
	try()
	x.service.notes(t, 2)
	apptest.Eventually(t, "the refusal is over", func() bool { return x.devices(x.owner)[0].Failed == "" })
	x.service.answer(410)
	try()
	apptest.Eventually(t, "the device is gone", func() bool { return len(x.devices(x.owner)) == 0 })

	again, session := x.signIn("owner@mail.example")
	x.service.add(x.Salon, again, session, "/two", all)
	x.service.add(x.Salon, x.owner, x.session, "/three", all)
	x.Must(x.Account.SignOut(t.Context(), x.sessions[len(x.sessions)-1], false))
	if left := x.devices(x.owner); len(left) != 1 || !strings.HasSuffix(left[0].Endpoint, "/three") {
		t.Errorf("after a sign-out: %+v", left)
	}
	cyd, cydSession := x.member("cyd@mail.example", account.UserInput{Role: app.ManagerRole})
	x.service.add(x.Salon, cyd, cydSession, "/cyd", all)
	_, err := x.Account.RemoveMember(t.Context(), x.owner, cyd.User.String())
	x.Must(err)
	if left := x.devices(cyd); len(left) != 0 {
		t.Errorf("a removed member has %+v", left)
	}
}

// A push service that doesn't answer holds up no other device; and a test that waits is not asked for twice.
func TestAPushServiceThatHangs(t *testing.T) {
	x := newBed(t)
	x.service.slow, x.service.hang = "/slow", make(chan struct{})
	answer := sync.OnceFunc(func() { close(x.service.hang) })
	t.Cleanup(answer)
	all := push.Wishes{Kinds: push.Kinds}
	x.service.add(x.Salon, x.owner, x.session, "/slow", all)
	x.service.add(x.Salon, x.owner, x.session, "/quick", all)
	began := time.Now()
	for i := range 12 { // 24 messages, of which 16 are sent at a time
		x.Booked("cut", apptest.Hours(2+i%5+24*(i/5)), fmt.Sprintf("p%d", i))
	}
	x.service.notes(t, 12)
	if waited := time.Since(began); waited > 9*time.Second { // the first ones are given up after ten
		t.Errorf("the other device waited %s", waited)
	}
	for range 5 {
		for _, d := range x.devices(x.owner) {
			if strings.HasSuffix(d.Endpoint, "/slow") {
				x.Must(x.Push.Try(t.Context(), x.owner, d.ID.String()))
			}
		}
	}
	answer()
	x.service.notes(t, 25) // one test
}

// What a browser can't have given is refused.
func TestSubscriptionIsChecked(t *testing.T) {
	x := newBed(t)
	d := newDevice("/x")
	good := x.service.input(d, push.Wishes{Kinds: push.Kinds})
	for field, change := range map[string]func(*push.Input){
		"endpoint": func(in *push.Input) { in.Endpoint = "http://push.example/x" },
		"p256dh":   func(in *push.Input) { in.P256dh = b64.EncodeToString(make([]byte, 65)) },
		"auth":     func(in *push.Input) { in.Auth = "short" },
		"kinds":    func(in *push.Input) { in.Kinds = []push.Kind{"all"} },
		"locale":   func(in *push.Input) { in.Locale = "not a language" },
	} {
		in := good
		change(&in)
		if e := x.Refused(x.Push.Subscribe(t.Context(), x.owner, x.session, in), fault.BadRequest, "invalid"); e.Field != field {
			t.Errorf("%s: %+v", field, e)
		}
	}
	x.Refused(x.Push.Subscribe(t.Context(), x.API, x.session, good), fault.Forbidden, "role")
	other := apptest.New(t, apptest.Options{}) // allows no private networks
	if err := other.Push.Subscribe(t.Context(), x.owner, x.session, good); err == nil || !strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("an address of this machine: %v", err)
	}
}
