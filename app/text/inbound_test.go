package text_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/text"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
	"daybook/app/when"
)

// address is where senders post.
func (x *bed) address() string { return x.BaseURL() + text.InboundPath(x.Workspace.ID) }

// posted returns the status with which the door answers. more is appended to the body, behind the back of the signature.
func (x *bed) posted(r *http.Request, more string) int {
	x.T.Helper()
	body, err := io.ReadAll(r.Body)
	x.Must(err)
	r.Body = io.NopCloser(strings.NewReader(string(body) + more))
	mux, w := http.NewServeMux(), httptest.NewRecorder()
	text.NewDoor(x.Text, slog.New(slog.DiscardHandler)).Routes(mux)
	mux.ServeHTTP(w, r)
	if w.Code == http.StatusNoContent && w.Body.Len() > 0 {
		x.T.Errorf("a body, which senders might send to the person: %s", w.Body)
	}
	return w.Code
}

// poster makes what a service posts.
type poster struct {
	sender *sms.Sender
	sent   func() []smstest.Sent
	write  func(id, from, text string) *http.Request
	report func(m smstest.Sent, good bool) *http.Request
}

func (x *bed) posters() map[string]*poster {
	twilio, seven := smstest.NewTwilio(), smstest.NewSeven()
	at := x.Clock.Now
	word := func(good bool, yes, no string) string {
		if good {
			return yes
		}
		return no
	}
	return map[string]*poster{
		"twilio": {&sms.Sender{Preset: sms.Twilio, URL: smstest.Start(x.T, twilio), Account: twilio.Account, Secret: sms.Secret(twilio.Token), From: twilio.From[0]},
			twilio.Sent, func(id, from, words string) *http.Request { return twilio.Write(x.T, x.address(), id, from, words) },
			func(m smstest.Sent, good bool) *http.Request {
				return twilio.Report(x.T, m, word(good, "delivered", "undelivered"))
			}},
		"seven": {&sms.Sender{Preset: sms.Seven, URL: smstest.Start(x.T, seven), Secret: sms.Secret(seven.Key), SigningKey: sms.Secret(seven.Signing), From: "+491771783130"},
			seven.Sent, func(id, from, words string) *http.Request {
				return seven.Write(x.T, x.address(), id, from, words, at())
			},
			func(m smstest.Sent, good bool) *http.Request {
				return seven.Report(x.T, x.address(), m, word(good, "DELIVERED", "NOTDELIVERED"), at())
			}},
		"android": {&sms.Sender{Preset: sms.Android, URL: smstest.Start(x.T, x.phone), User: x.phone.User, Secret: sms.Secret(x.phone.Password), SigningKey: sms.Secret(x.phone.Signing)},
			x.phone.Sent, func(id, from, words string) *http.Request {
				return x.phone.Write(x.T, x.address(), id, from, words, at())
			},
			func(m smstest.Sent, good bool) *http.Request {
				return x.phone.Report(x.T, x.address(), m, word(good, "sms:delivered", "sms:failed"), at())
			}},
	}
}

// wants posts twice, as a service does that has lost the answer, and expects 204 each time.
func (x *bed) wants(make func() *http.Request) {
	x.T.Helper()
	for range 2 {
		if got := x.posted(make(), ""); got != http.StatusNoContent {
			x.T.Fatalf("answered %d", got)
		}
	}
}

// messages are what the inbox has, or the card of a contact: what came in, and behind > what was written back.
func (x *bed) messages(contact string) string {
	x.T.Helper()
	list, err := x.Text.Messages(x.T.Context(), x.Owner, contact)
	x.Must(err)
	var all []string
	for _, m := range list {
		one := m.Text
		if m.Ours != "" {
			one = ">" + one
		} else if m.SeenAt == 0 {
			one += "*"
		}
		all = append(all, one)
	}
	return strings.Join(all, ", ")
}

func (x *bed) state(c booking.Contact) booking.TextsState {
	x.T.Helper()
	k, err := x.People.ContactByID(x.T.Context(), x.Owner, c.ID.String())
	x.Must(err)
	if k.Texts == nil {
		return ""
	}
	return k.Texts.State
}

// Each sender's signed reports and messages do what they say, once; what was tampered with is refused.
func TestWhatSendersPost(t *testing.T) {
	for _, name := range []string{"twilio", "seven", "android"} {
		t.Run(name, func(t *testing.T) {
			x := newBed(t)
			p := x.posters()[name]
			x.sends(p.sender)
			x.run()
			c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
			x.book(x.Owner, c, "1T09")
			x.plan()
			x.settled()
			x.book(x.Owner, c, "1T12")
			x.plan()
			x.settled()
			if got := x.posted(p.report(p.sent()[0], true), "&x=1"); got != http.StatusForbidden {
				t.Errorf("a report that was tampered with: %d", got)
			}
			x.want("texts", x.states(), "confirmed sent, confirmed sent")
			x.wants(func() *http.Request { return p.report(p.sent()[0], true) })
			x.wants(func() *http.Request { return p.report(p.sent()[1], false) })
			x.want("after the reports", x.states(), "confirmed delivered, confirmed failed")
			x.wantMails("mia@mail.example", "confirmed")
			if got := x.posted(p.write("m0", mine, "Hello"), "&x=1"); got != http.StatusForbidden {
				t.Errorf("a message that was tampered with: %d", got)
			}
			x.wants(func() *http.Request { return p.write("m1", mine, "Can I come later? ") })
			x.want("messages", x.messages(""), "Can I come later?*")
			x.want("of the contact", x.messages(c.ID.String()), "Can I come later?*")
			for i, words := range []string{"stop.", "Stop all!", " STOPP ", "arrêt"} {
				x.wants(func() *http.Request { return p.write(fmt.Sprint("s", i), mine, words) })
				if got := x.state(c); got != booking.TextsStopped {
					t.Errorf("after %q: %s", words, got)
				}
				x.Clock.Advance(time.Second)
				x.wants(func() *http.Request { return p.write(fmt.Sprint("t", i), mine, "Start") })
				if got := x.state(c); got != booking.TextsYes {
					t.Errorf("START after %q: %s", words, got)
				}
			}
			x.settled()
			want := "confirmed delivered, confirmed failed"
			if name != "twilio" { // which says itself that it has stopped
				want += ", stopped sent"
			}
			x.want("texts", x.states(), want)
			x.want("the inbox", x.messages(""), "Can I come later?*")
		})
	}
}

// What Twilio has understood as STOP and START counts, in whatever words; nobody's words are STOP that aren't it alone.
func TestWhatIsStop(t *testing.T) {
	x := newBed(t)
	twilio := smstest.NewTwilio()
	x.sends(&sms.Sender{Preset: sms.Twilio, URL: smstest.Start(t, twilio), Account: twilio.Account, Secret: sms.Secret(twilio.Token), From: twilio.From[0]})
	c := x.somebody("Mia", "", mine, true, "")
	n := 0
	write := func(words string, more ...string) {
		t.Helper()
		n++
		if got := x.posted(twilio.Write(t, x.address(), fmt.Sprint("m", n), mine, words, more...), ""); got != http.StatusNoContent {
			t.Fatalf("answered %d", got)
		}
	}
	for _, words := range []string{"Please stop by the shop?", "stop it", "yes", "Ja", "no", "3", "12", "1, please", "cancel my appointment"} {
		write(words)
		if got := x.state(c); got != booking.TextsYes {
			t.Errorf("%q: %s", words, got)
		}
	}
	write("Leave me alone", "OptOutType", "STOP")
	if got := x.state(c); got != booking.TextsStopped {
		t.Errorf("OptOutType STOP: %s", got)
	}
	write("yes")
	if got := x.state(c); got != booking.TextsStopped {
		t.Errorf("yes by itself brings texts back: %s", got)
	}
	write("yes", "OptOutType", "START")
	if got := x.state(c); got != booking.TextsYes {
		t.Errorf("OptOutType START: %s", got)
	}
	write("", "NumMedia", "2")
	list, err := x.Text.Messages(t.Context(), x.Owner, "")
	x.Must(err)
	if last := list[len(list)-1]; last.Media != 2 || last.Text != "" || last.ContactID != c.ID {
		t.Errorf("pictures alone: %+v", last)
	}
	before := len(list)
	for _, from := range []string{"72404", "MyBank"} { // such as codes of banks, which no colleague is to read
		if got := x.posted(twilio.Write(t, x.address(), "c"+from, from, "Your code is 123456"), ""); got != http.StatusNoContent {
			t.Errorf("from %s: %d", from, got)
		}
	}
	if list, err = x.Text.Messages(t.Context(), x.Owner, ""); err != nil || len(list) != before {
		t.Errorf("%d messages, %v", len(list), err)
	}
}

// asks has a text that was sent to a number ask whether the person of a booking comes.
func (x *bed) asks(b booking.Booking, c booking.ContactID, number string) {
	x.T.Helper()
	now := when.At(x.Clock.Now())
	x.Must(x.Write(x.T.Context(), func(tx app.Tx) error {
		return tx.(text.Tx).InsertTexts(text.Text{ID: id.New[text.TextIDKind](now.Time()), WorkspaceID: x.Workspace.ID, BookingID: b.ID, ContactID: c,
			Kind: catalog.TextReminder, To: number, DueAt: now, Until: now.Add(time.Hour)})
	}))
	x.Must(x.SQL(`UPDATE texts SET state = 1, begun_ms = due_ms, settled_ms = due_ms WHERE kind = 'reminder'`))
	x.Must(x.AskedComing(x.T.Context(), app.Actor{Kind: booking.BySystem, Workspace: x.Workspace.ID}, b.ID.String(), b.Start))
}

// A reply of 1 or 2 answers the one open question, the last one counts, and a second post of it changes nothing. With several
// open one text brings a link to them; with none it is a message.
func TestAnswersByText(t *testing.T) {
	x := newBed(t)
	c := x.somebody("Mia", "", mine, true, "")
	n := 0
	post := func(ref, words string) {
		t.Helper()
		if got := x.posted(x.phone.Write(t, x.address(), ref, mine, words, x.Clock.Now()), ""); got != http.StatusNoContent {
			t.Fatalf("answered %d", got)
		}
	}
	write := func(words string) { t.Helper(); n++; post(fmt.Sprint("m", n), words) }
	said := func(b booking.Booking, want booking.ComingAnswer) {
		t.Helper()
		got := x.Again(b)
		if got.SaysComing() != want || want != "" && *got.Coming.By != booking.ComingByText {
			t.Errorf("the answer is %q (%+v), want %q", got.SaysComing(), got.Coming, want)
		}
	}
	b := x.book(x.Owner, c, "1T09")
	write("1")
	said(b, "")
	x.want("nothing was asked", x.messages(""), "1*")
	x.asks(b, c.ID, mine)
	write(" 1 !")
	said(b, booking.ComingYes)
	write("2.")
	said(b, booking.ComingNo)
	post("m2", " 1 !") // again
	said(b, booking.ComingNo)
	write("yes")
	said(b, booking.ComingNo)
	x.want("the card", x.messages(c.ID.String()), "1*, 1 !, 2., yes*")
	write("1")
	said(b, booking.ComingYes)
	other := x.book(x.Owner, c, "2T09")
	x.asks(other, c.ID, mine)
	for range 3 {
		write("2")
	}
	said(b, booking.ComingYes)
	said(other, "")
	x.want("texts", x.states(), "reminder sent, reminder sent, answer waiting")
	open, err := x.Text.OpenQuestions(t.Context(), x.Workspace.ID, mine)
	x.Must(err)
	if len(open) != 2 || open[0].Bookings[0].ID != other.ID || open[1].Bookings[0].ID != b.ID {
		t.Errorf("open: %+v", open)
	}
	x.run()
	x.settled()
	if got := x.sent(); len(got) != 1 || !strings.Contains(got[0], x.BaseURL()+text.LinkPath) {
		t.Errorf("sent: %q", got)
	}
	x.Clock.Set(b.Start.Time())
	write("2")
	said(b, booking.ComingYes)
	said(other, booking.ComingNo)
	_, err = x.Cancel(t.Context(), x.Owner, other.ID.String(), app.CancelInput{})
	x.Must(err)
	write("1")
	said(other, booking.ComingNo)
	x.want("the inbox", x.messages(""), "1*, yes*, 1*")
}

// What a reminder asks by text is answered by text.
func TestAReminderIsAnswered(t *testing.T) {
	x := newBed(t)
	x.Alter("cut", func(e *catalog.EventType) { e.AsksComing, e.ReminderMinutes = true, []int{60} })
	b := x.book(x.Owner, x.somebody("Mia", "", mine, true, ""), "1T12")
	x.plan()
	x.run()
	x.settled()
	x.Clock.Set(b.Start.Time().Add(-time.Hour))
	apptest.Eventually(t, "it was asked", func() bool { got := x.Again(b); return got.Coming != nil })
	x.settled()
	if got := x.sent(); !strings.Contains(got[len(got)-1], "Reply 1") {
		t.Errorf("sent: %q", got)
	}
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m1", mine, "1", x.Clock.Now()) })
	if got := x.Again(b); got.SaysComing() != booking.ComingYes {
		t.Errorf("%+v", got.Coming)
	}
}

// One question about a visit is answered for all of it.
func TestAnswerOfAVisit(t *testing.T) {
	x := newBed(t)
	c := x.somebody("Mia", "", mine, true, "")
	v, err := x.BookVisit(t.Context(), x.Owner, booking.VisitInput{Start: apptest.At("1T09"), Items: []booking.VisitItem{{EventType: "cut"}, {EventType: "cut"}},
		Invitee: booking.Invitee{Name: "Mia", Phone: mine}})
	x.Must(err)
	x.asks(v.Items[0], c.ID, mine)
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m1", mine, "1", x.Clock.Now()) })
	for _, b := range v.Items {
		if got := x.Again(b); got.SaysComing() != booking.ComingYes {
			t.Errorf("%s: %+v", b.ID, got.Coming)
		}
	}
}

// What an unknown number writes makes no contact, and STOP from it holds for those who come to have it.
func TestUnknownNumbersWrite(t *testing.T) {
	x := newBed(t)
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m1", mine, "Are you open?", x.Clock.Now()) })
	x.want("the inbox", x.messages(""), "Are you open?*")
	list, err := x.Text.Messages(t.Context(), x.Owner, "")
	x.Must(err)
	if list[0].ContactID != 0 || list[0].Phone != mine {
		t.Errorf("%+v", list[0])
	}
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m2", mine, "STOP", x.Clock.Now()) })
	if got := x.state(x.somebody("Mia", "", mine, false, "")); got != booking.TextsStopped {
		t.Errorf("who has the number now: %s", got)
	}
	for i := range 105 {
		if got := x.posted(x.phone.Write(t, x.address(), fmt.Sprint("f", i), "+4915112345999", "flood", x.Clock.Now()), ""); got != http.StatusNoContent {
			t.Fatalf("answered %d", got)
		}
	}
	if got, err := x.Text.NewMessages(t.Context(), x.Owner); err != nil || got != 50 {
		t.Errorf("%d are listed, %v", got, err)
	}
	kept, err := x.Store.Reader(t.Context()).(text.Reader).TextMessages(x.Workspace.ID, text.MessageFilter{Limit: 1000})
	x.Must(err)
	if len(kept) != 102 {
		t.Errorf("%d messages are kept, want 2 and 100", len(kept))
	}
}

// A member answers who has written lately, or agreed; nobody who has sent STOP.
func TestReplies(t *testing.T) {
	x := newBed(t)
	x.Clock.Set(time.Date(2027, 3, 1, 11, 0, 0, 0, time.UTC)) // ids are later than those of other tests
	x.run()
	reply := func(to, words string) error {
		_, err := x.Text.Reply(t.Context(), x.Owner, to, words)
		return err
	}
	c := x.somebody("Mia", "", mine, false, "")
	x.Refused(reply(c.ID.String(), "Hello"), fault.Conflict, "texts_unasked")
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m1", mine, "Are you open?", x.Clock.Now()) })
	if n, err := x.Text.NewMessages(t.Context(), x.Owner); err != nil || n != 1 {
		t.Errorf("%d new, %v", n, err)
	}
	list, err := x.Text.Messages(t.Context(), x.Owner, "")
	x.Must(err)
	x.Refused(reply(list[0].ID.String(), " "), fault.BadRequest, "invalid")
	x.Refused(reply(list[0].ID.String(), strings.Repeat("ж", 4*67+1)), fault.BadRequest, "invalid")
	x.Clock.Advance(time.Minute)
	x.Must(reply(list[0].ID.String(), "Yes, until “six”"))
	x.settled()
	x.want("the card", x.messages(c.ID.String()), `Are you open?, >Yes, until "six"`)
	if got := strings.Join(x.sent(), ""); got != mine+` Yes, until "six"` {
		t.Errorf("sent: %s", got)
	}
	x.Clock.Advance(24*time.Hour + time.Minute)
	x.Refused(reply(c.ID.String(), "Hello"), fault.Conflict, "texts_unasked")
	x.agrees(c.ID, mine)
	for range 50 {
		x.Must(reply(c.ID.String(), "Hello"))
	}
	x.Refused(reply(c.ID.String(), "Hello"), fault.RateLimited, "")
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m2", mine, "STOP", x.Clock.Now()) })
	x.Refused(reply(c.ID.String(), "Hello"), fault.Conflict, "texts_stopped")
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m3", mine, "Thanks", x.Clock.Now()) })
	list, err = x.Text.Messages(t.Context(), x.Owner, "")
	x.Must(err)
	x.Must(x.Text.SeeMessage(t.Context(), x.Owner, list[len(list)-1].ID.String()))
	if n, err := x.Text.NewMessages(t.Context(), x.Owner); err != nil || n != 0 {
		t.Errorf("%d new, %v", n, err)
	}
	beside := x.Beside("other", "bob")
	if _, err := x.Text.Reply(t.Context(), beside.Owner, c.ID.String(), "x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("of another workspace: %v", err)
	}
	x.Must(x.Text.SetSender(t.Context(), x.Owner, nil))
	x.Refused(reply(c.ID.String(), "Hello"), fault.NotFound, "")
}

// What can't be verified is counted for its address, in whichever workspace, and learns no more than that. A sender that
// can't sign posts to a secret address.
func TestTheDoorOfSenders(t *testing.T) {
	x := newBed(t)
	door, mux := text.NewDoor(x.Text, slog.New(slog.DiscardHandler)), http.NewServeMux()
	door.Routes(mux)
	post := func(path, body string) int {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		mux.ServeHTTP(w, r)
		return w.Code
	}
	secret, hash := sms.NewRoute()
	path := text.InboundPath(x.Workspace.ID)
	x.sends(&sms.Sender{Preset: sms.Own, URL: "https://sms.example", Secret: "s", Route: hash, Own: &sms.Template{Method: "POST", URL: "{url}/send/{number}", Type: sms.JSON,
		Headers: []sms.Header{{Name: "X-Key", Value: "{secret}"}}, Body: `{"t":"{text}"}`, Answer: sms.Answer{ID: "id"}, Posts: sms.JSON,
		Inbound: &sms.Inbound{When: sms.When{Path: "text"}, From: "from", Text: "text"}, Verify: sms.Verify{Kind: sms.RouteProof}}})
	hello := `{"from":"` + mine + `","text":"Hello"}`
	door.CalledFrom(netip.MustParseAddr("203.0.113.7"))
	for i := range 10 {
		if got := post(path+"/"+hash, hello); got != http.StatusForbidden {
			t.Fatalf("%d: %d", i, got)
		}
		if got := post("/api/texts/ws_0000000000000", hello); got != http.StatusNotFound {
			t.Fatalf("%d: %d", i, got)
		}
	}
	for _, p := range []string{path, path + "/" + hash, "/api/texts/ws_0000000000000", "/api/texts/x"} {
		if got := post(p, hello); got != http.StatusTooManyRequests {
			t.Errorf("%s: %d", p, got)
		}
	}
	if got := post(path+"/"+secret, hello); got != http.StatusNoContent {
		t.Errorf("with the secret: %d", got)
	}
	door.CalledFrom(netip.MustParseAddr("198.51.100.7"))
	if got := post(path, hello); got != http.StatusForbidden {
		t.Errorf("another address: %d", got)
	}
	if got := post(path+"/"+secret, strings.Repeat("x", sms.MaxBody+1)); got != http.StatusRequestEntityTooLarge {
		t.Errorf("a long body: %d", got)
	}
	x.want("the inbox", x.messages(""), "Hello*")
}

// STOP amid many texts to the number: once it is answered nothing more is begun.
func TestContestStopWhileSending(t *testing.T) {
	const all = 200
	x := newBed(t)
	c := x.somebody("Mia", "", mine, true, "")
	now := when.At(x.Clock.Now())
	x.Must(x.Write(t.Context(), func(tx app.Tx) error {
		for i := range all {
			if err := tx.(text.Tx).InsertTexts(text.Text{ID: id.New[text.TextIDKind](now.Time()), WorkspaceID: x.Workspace.ID, ContactID: c.ID,
				Kind: catalog.TextReply, To: mine, DueAt: now, Until: now.Add(time.Hour), Facts: text.Facts{Words: fmt.Sprint(i)}}); err != nil {
				return err
			}
		}
		return nil
	}))
	begun := func() (n int) {
		texts, err := x.Store.Reader(context.Background()).(text.Reader).Texts(x.Workspace.ID, text.Filter{Limit: 2 * all})
		x.Must(err)
		for _, one := range texts {
			if one.Kind == catalog.TextReply && one.Begun != 0 {
				n++
			}
		}
		return n
	}
	x.run()
	apptest.Eventually(t, "some are sent", func() bool { return len(x.phone.Sent()) > 5 })
	x.wants(func() *http.Request { return x.phone.Write(t, x.address(), "m1", mine, "STOP", x.Clock.Now()) })
	at := begun()
	apptest.Eventually(t, "nothing waits", func() bool {
		due, err := x.Store.Reader(context.Background()).(text.Reader).Texts(x.Workspace.ID, text.Filter{State: text.Waiting, Limit: 1})
		x.Must(err)
		return len(due) == 0
	})
	if n := begun(); n != at || n >= all {
		t.Errorf("%d of %d texts were begun, %d when STOP was answered", n, all, at)
	}
	if n := len(x.phone.Sent()); n != at+1 { // and that no more will come
		t.Errorf("%d were sent, %d begun", n, at)
	}
}
