package text_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/subjects"
	"daybook/app/text"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
	"daybook/app/vault"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/enginetest"
)

// many is how many texts are sent while servers are killed; 10000 for the proof of issue 38.
var many = flag.Int("texts", 200, "how many texts are sent while servers are killed")

// TestMain lets a test start this binary again as a server that sends texts until it is killed.
func TestMain(m *testing.M) {
	if place := os.Getenv("DAYBOOK_TEXT_CHILD"); place != "" {
		fmt.Fprintln(os.Stderr, sendUntilKilled(place))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func sendUntilKilled(place string) error {
	db, err := enginetest.Connect(context.Background(), place)
	if err != nil {
		return err
	}
	v, err := vault.NewVault(make([]byte, 32))
	if err != nil {
		return err
	}
	s := subjects.New(subjects.Config{Config: app.Config{Store: store.New(db), BaseURL: &url.URL{Scheme: "https", Host: "book.example"}, Clock: apptest.Running().Now, Vault: v},
		Text: text.Config{Allow: loopback, Version: "test"}})
	if _, err := s.Upkeep.TakeOver(context.Background()); err != nil {
		return err
	}
	return text.NewLoop(text.LoopConfig{Service: s.Text}).Run(context.Background())
}

// queue queues so many texts, each to a number of its own.
func (x *bed) queue(n int) {
	x.T.Helper()
	_, err := x.Shop.UpdateWorkspace(x.T.Context(), x.Owner, func(w *catalog.Workspace) { w.Settings.Texts = &catalog.TextSettings{Cap: 1_000_000} })
	x.Must(err)
	now, until := when.At(x.Clock.Now()), when.At(time.Now()).Add(when.Day) // servers that are killed have the real clock
	for from := 0; from < n; from += 500 {
		x.Must(x.Write(x.T.Context(), func(tx app.Tx) error {
			var all []text.Text
			for i := from; i < min(n, from+500); i++ {
				all = append(all, text.Text{ID: id.New[text.TextIDKind](now.Time()), WorkspaceID: x.Workspace.ID, Kind: catalog.TextTest,
					To: fmt.Sprintf("+49151%08d", 10_000_000+i), DueAt: now, Until: until})
			}
			return tx.(text.Tx).InsertTexts(all...)
		}))
	}
}

// counts counts the texts by their states.
func (x *bed) counts() map[string]int {
	x.T.Helper()
	rows, err := enginetest.Raw(x.T, x.Store.Engine).Query(`SELECT state, COUNT(*) FROM texts GROUP BY state`)
	x.Must(err)
	defer rows.Close()
	all := map[string]int{}
	for rows.Next() {
		var state, n int
		x.Must(rows.Scan(&state, &n))
		all[string(text.States[state])] = n
	}
	x.Must(rows.Err())
	return all
}

// killed has servers send all texts of a salon, each killed at some moment.
func (x *bed) killed(sent func() []smstest.Sent, kills int) {
	x.T.Helper()
	binary, err := os.Executable()
	x.Must(err)
	start := func() *exec.Cmd {
		child := exec.Command(binary)
		child.Env = append(os.Environ(), "DAYBOOK_TEXT_CHILD="+x.Place)
		child.Stderr = os.Stderr
		x.Must(child.Start())
		x.T.Cleanup(func() { child.Process.Kill(); child.Wait() })
		return child
	}
	x.Close() // so that the child is the only server
	for range kills {
		before, more := len(sent()), 1+rand.IntN(max(2, *many/(2*kills)))
		child := start()
		apptest.Eventually(x.T, "some are sent", func() bool { return len(sent()) >= min(before+more, *many) })
		child.Process.Signal(syscall.SIGKILL)
		child.Wait()
	}
	x.Connect()
	x.seals()
	_, err = x.Upkeep.TakeOver(x.T.Context())
	x.Must(err)
	x.Clock.Set(time.Now())
	x.run()
	apptest.EventuallyWithin(x.T, time.Duration(*many)*100*time.Millisecond+time.Minute, "no text waits", func() bool { return x.counts()["waiting"] == 0 })
}

// kill -9 while texts go out by a phone of one's own, which can be asked by our reference: all are sent, and none twice.
func TestKillsLoseAndDoubleNoText(t *testing.T) {
	x := newBed(t)
	x.queue(*many)
	x.killed(x.phone.Sent, 5)
	if c := x.counts(); c["sent"] != *many {
		t.Errorf("states: %v", c)
	}
	x.once(x.phone.Sent(), *many)
}

// The same by a service that can't be asked: what was under way at a kill is perhaps sent, and none is sent twice.
func TestKillsDoubleNoTextWhereNobodyCanBeAsked(t *testing.T) {
	x := newBed(t)
	twilio := smstest.NewTwilio()
	x.sends(&sms.Sender{Preset: sms.Twilio, URL: smstest.Start(t, twilio), Account: twilio.Account, Secret: sms.Secret(twilio.Token), From: twilio.From[0]})
	x.queue(*many)
	const kills = 5
	x.killed(twilio.Sent, kills)
	c := x.counts()
	if c["sent"]+c["perhaps"] != *many || c["perhaps"] > 4*kills {
		t.Errorf("states: %v", c)
	}
	x.once(twilio.Sent(), c["sent"])
	t.Logf("%d texts, %d kills: %v", *many, kills, c)
}

// Two servers of a database share the texts, and send each once.
func TestTwoServersSendOnce(t *testing.T) {
	x := newBed(t)
	x.queue(*many)
	other := x.Another()
	*other.Vault() = *x.Vault()
	x.run()
	other.Run(text.NewLoop(text.LoopConfig{Service: other.Text}))
	apptest.EventuallyWithin(t, time.Duration(*many)*100*time.Millisecond+time.Minute, "no text waits", func() bool { return x.counts()["waiting"] == 0 })
	if c := x.counts(); c["sent"] != *many {
		t.Errorf("states: %v", c)
	}
	x.once(x.phone.Sent(), *many)
}

// once checks that at least so many numbers got a text, and none two.
func (x *bed) once(sent []smstest.Sent, least int) {
	x.T.Helper()
	times := map[string]int{}
	for _, s := range sent {
		if times[s.To]++; times[s.To] == 2 {
			x.T.Errorf("%s got a text twice", s.To)
		}
	}
	if len(times) < least {
		x.T.Errorf("%d numbers got a text, want %d", len(times), least)
	}
}
