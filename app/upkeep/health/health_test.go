package health_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/factor"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/subjects"
	"daybook/app/upkeep"
	"daybook/app/upkeep/health"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/finding"
)

const gb = int64(1e9)

// bed is a salon on a machine whose figures a test sets.
type bed struct {
	*apptest.Salon
	machine *health.Machine
	space   *health.Space
}

func newBed(t testing.TB) *bed {
	t.Helper()
	space := &health.Space{Size: 100 * gb, Free: 50 * gb}
	m := health.Machine{Name: "one", Version: "v1", Path: filepath.Join(t.TempDir(), "salon.db"),
		ClockSynced: func() (bool, error) { return true, nil }}
	m.Space = func(string) (health.Space, error) { return *space, nil }
	if err := os.WriteFile(m.Path, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &bed{machine: &m, space: space}
	b.Salon = apptest.New(t, apptest.Options{Clock: apptest.Running(), With: func(c *subjects.Config) { c.Machine = *b.machine }})
	b.owner("boss@salon.example")
	b.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	return b
}

func (b *bed) owner(email string) {
	b.T.Helper()
	b.ownerOf(b.Workspace.ID, email)
}

func (b *bed) ownerOf(ws catalog.WorkspaceID, email string) {
	b.T.Helper()
	_, err := b.Account.CreateUser(b.T.Context(), app.Operator(ws), account.UserInput{Email: email, Role: app.OwnerRole})
	b.Must(err)
}

// another is a server of the same database, on a machine of that name.
func (b *bed) another(name string) *subjects.Set {
	c := b.Config
	c.Machine.Name = name
	return subjects.New(c)
}

func (b *bed) find(check string) finding.Finding {
	b.T.Helper()
	r, err := b.Health.Report(b.T.Context(), b.Owner)
	b.Must(err)
	i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Check == check })
	if i < 0 {
		b.T.Fatalf("no finding of %s: %+v", check, r.Findings)
	}
	return r.Findings[i]
}

// wants fails unless the check has that state, and says that.
func (b *bed) wants(check string, state finding.State, text string) {
	b.T.Helper()
	f := b.find(check)
	if said := f.Message(views.Locales[0], time.UTC); f.State != state || !strings.Contains(said, text) {
		b.T.Errorf("%s is %s, %q, want %s, %q", check, f.State, said, state, text)
	}
	for _, l := range views.Locales {
		if said := f.Message(l, time.UTC) + f.Title(l) + f.Advice(l); strings.Contains(said, "health_") || strings.Contains(said, "<no value>") {
			b.T.Errorf("in %s: %s", l.Tag, said)
		}
	}
	if advice := f.Advice(views.Locales[0]); (advice == "") != (state == finding.OK) {
		b.T.Errorf("%s at %s advises %q", check, f.State, advice)
	}
}

// Passkeys of another host than the server's are told, by the page and by doctor, and others are not.
func TestPasskeysOfAnotherHost(t *testing.T) {
	b := newBed(t)
	has := func() bool {
		r, err := b.Health.Report(t.Context(), b.Owner)
		b.Must(err)
		return slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return f.Check == "passkeys" })
	}
	b.Must(b.Upkeep.NoteBaseURL(t.Context()))
	if has() {
		t.Error("there are no passkeys")
	}
	base, err := url.Parse(b.BaseURL())
	b.Must(err)
	u, err := b.Account.CreateUser(t.Context(), b.Owner, account.UserInput{Email: "ana@salon.example", Role: app.OwnerRole})
	b.Must(err)
	add := func(host string) {
		b.Must(b.Factor.Write(t.Context(), func(tx factor.Tx) error {
			return tx.InsertPasskey(&factor.Passkey{ID: id.New[factor.PasskeyIDKind](b.Now()), User: u,
				Credential: []byte(host), Host: host, Name: "a laptop", Record: "{}"})
		}))
	}
	add(base.Hostname())
	b.wants("passkeys", finding.OK, "All belong to this address.")
	add("before.example")
	b.wants("passkeys", finding.Warning, "another address than "+base.Hostname())
}

// mails are those about the server, by how many there are for whom.
func (b *bed) mails() map[string]int {
	b.T.Helper()
	all, err := b.Mail.Mails(b.T.Context(), b.Owner, mail.ListInput{})
	b.Must(err)
	to := map[string]int{}
	for i := range all.Data {
		if m := &all.Data[i]; m.Kind == catalog.MailTeamServer {
			to[m.To]++
		}
	}
	return to
}

// replicas is a replicator whose state a test sets.
type replicas struct {
	upkeep.ReplicaTarget
	test error
}

func (r *replicas) Targets() ([]upkeep.ReplicaTarget, bool) {
	return []upkeep.ReplicaTarget{r.ReplicaTarget}, true
}
func (r *replicas) TestRestore(context.Context) (string, error) { return "", r.test }

// A disk says how much room it has, and how long that lasts.
func TestDisk(t *testing.T) {
	b := newBed(t)
	b.wants("disk", finding.OK, "50 GB of 100 GB are free. How long")
	// filled makes the figures of five days in which the room that is free falls to what there is now.
	filled := func(aDay int64) {
		t.Helper()
		free := b.space.Free
		for hour := range 5*24 + 1 {
			if hour == 3*24 {
				b.wants("disk", finding.OK, "How long that lasts can be estimated")
			}
			b.space.Free = free + aDay*int64(5*24-hour)/24
			b.Must(b.Health.Sample(t.Context()))
			b.Clock.Advance(time.Hour)
		}
	}
	filled(1 * gb)
	b.wants("disk", finding.OK, "full in about 50 days (an estimate)")
	b.space.Free = 9 * gb
	b.Clock.Advance(30 * when.Day)
	b.wants("disk", finding.OK, "How long that lasts can be estimated")
	filled(2 * gb)
	b.wants("disk", finding.Warning, "it will be full in about 4 days (an estimate)")
	b.Clock.Advance(30 * when.Day)
	filled(0)
	b.wants("disk", finding.OK, "not filling up")
	for _, c := range []struct {
		free  int64
		state finding.State
		text  string
	}{{1 << 30, finding.OK, "1.1 GB of 100 GB"}, {1<<30 - 1, finding.Warning, "Only 1.1 GB"}, {100 << 20, finding.Warning, "Only 105 MB"},
		{100<<20 - 1, finding.Failed, "nearly full: 105 MB"}} {
		b.space.Free = c.free
		b.Clock.Advance(30 * when.Day) // forgets the pace
		b.wants("disk", c.state, c.text)
	}
}

// The real file system is asked: a small one that is filled says so.
func TestDiskOfTheSystem(t *testing.T) {
	dir := t.TempDir()
	m := health.Machine{Path: filepath.Join(dir, "salon.db")}
	of := func() finding.Finding {
		all := m.LookAtMachine(time.Now())
		return all[len(all)-1]
	}
	f := of()
	if f.Check != "disk" || len(f.Facts) < 2 || f.Facts[0].N <= 0 || f.Facts[1].N < f.Facts[0].N {
		t.Errorf("%+v", f)
	}
	unmount, ok := mountSmall(t, dir)
	if !ok {
		t.Skip("no small file system can be mounted here")
	}
	defer unmount()
	before := of()
	if before.State != finding.Failed || before.Facts[1].N != 8<<20 {
		t.Errorf("a disk of 8 MiB: %+v", before)
	}
	if err := os.WriteFile(filepath.Join(dir, "large"), make([]byte, 5<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if after := of(); before.Facts[0].N-after.Facts[0].N < 5<<20 {
		t.Errorf("5 MiB were written: %+v, %+v", before, after)
	}
}

// The history of sizes stays small, whatever time passes, and what it says of the database's growth is right.
func TestSizesAreBounded(t *testing.T) {
	b := newBed(t)
	b.wants("size", finding.OK, "4 KB. How fast")
	for day := range 120 {
		b.Must(os.Truncate(b.machine.Path, int64(1e6*(day+1))))
		b.Must(os.Chtimes(b.machine.Path, b.Clock.Now(), b.Clock.Now()))
		for range 3 {
			b.Must(b.Health.Sample(t.Context()))
			b.Must(b.Health.Sample(t.Context())) // within the hour
			b.Clock.Advance(8 * time.Hour)
		}
	}
	text, err := b.Store.ServerValue("sizes")
	b.Must(err)
	if n := strings.Count(text, "["); n != 2+168+90 || len(text) > 12_000 {
		t.Errorf("%d samples, %d bytes", n-2, len(text))
	}
	b.wants("size", finding.OK, "120 MB. It grows by about 1.0 MB a day")
}

// The clock is compared with what was written.
func TestClock(t *testing.T) {
	b := newBed(t)
	b.wants("clock", finding.OK, "")
	ahead := func(d time.Duration) { b.Must(os.Chtimes(b.machine.Path, b.Clock.Now().Add(d), b.Clock.Now().Add(d))) }
	ahead(100 * time.Second)
	b.wants("clock", finding.OK, "")
	ahead(130 * time.Second)
	b.wants("clock", finding.Failed, "salon.db was written at")
	ahead(0)
	b.Must(b.Health.Sample(t.Context()))
	b.Clock.Advance(-time.Hour)
	ahead(0)
	b.wants("clock", finding.Failed, "the clock went back")
	b.Clock.Advance(-10 * 365 * when.Day)
	b.wants("clock", finding.Failed, "which can’t be")
	b.machine.ClockSynced = func() (bool, error) { return false, nil }
	found := b.machine.LookAtMachine(time.Now())
	if found[1].Check != "time" || found[1].State != finding.OK || found[1].Said != "time_free" {
		t.Errorf("%+v", found)
	}
}

// On PostgreSQL the clocks of two machines are compared, and the disk is the other's.
func TestClocksApart(t *testing.T) {
	apart := time.Second
	b := newBed(t)
	b.machine.Path = ""
	b.machine.Server = func(context.Context) (health.Server, error) {
		return health.Server{Bytes: 5 * gb, ClockAhead: apart}, nil
	}
	c := b.Config
	c.Machine = *b.machine
	b.Set = subjects.New(c)
	b.wants("clock", finding.OK, "")
	b.wants("size", finding.OK, "5.0 GB")
	b.wants("disk", finding.OK, "look there")
	apart = -2100 * time.Millisecond
	b.wants("clock", finding.Failed, "2.1s apart")
}

// A log that nobody empties is told.
func TestLog(t *testing.T) {
	b := newBed(t)
	b.wants("log", finding.OK, "0 KB")
	wal := b.machine.Path + "-wal"
	b.Must(os.WriteFile(wal, nil, 0o600))
	b.Must(os.Truncate(wal, 256<<20))
	b.wants("log", finding.OK, "268 MB")
	b.Must(os.Truncate(wal, 256<<20+1))
	b.wants("log", finding.Warning, "has grown to 268 MB")
}

// Replicas and test restores are judged by what their server noted.
func TestCopies(t *testing.T) {
	b := newBed(t)
	b.wants("replica", finding.Warning, "no copy of the database elsewhere")
	now := func() when.Instant { return when.At(b.Clock.Now()) }
	r := &replicas{ReplicaTarget: upkeep.ReplicaTarget{Name: "s3://salon/copies"}}
	note := func() { t.Helper(); b.Must(b.Upkeep.NoteReplicas(t.Context(), r)) }
	note()
	b.wants("replica", finding.OK, "for the first time")
	b.wants("restore", finding.OK, "None was made yet")
	r.Synced = now()
	note()
	b.wants("replica", finding.OK, "has everything until")
	b.wants("restore", finding.OK, "went well")
	r.Problem, r.Since = "connection refused", now()
	note()
	b.wants("replica", finding.Warning, "connection refused")
	b.Clock.Advance(59 * time.Minute)
	b.wants("replica", finding.Warning, "connection refused")
	b.Clock.Advance(2 * time.Minute)
	b.wants("replica", finding.Failed, "for more than an hour")
	r.Problem, r.Since, r.Synced = "", 0, now()
	note()
	b.wants("replica", finding.OK, "has everything")
	b.Clock.Advance(3*time.Hour + time.Minute)
	b.wants("replica", finding.Warning, "No server has looked after")
	b.Clock.Advance(21 * time.Hour)
	r.test = os.ErrInvalid
	note()
	b.wants("restore", finding.Failed, "invalid argument")
	b.Clock.Advance(7 * time.Hour)
	r.test = nil
	note()
	b.wants("restore", finding.OK, "went well")
	b.Clock.Advance(3*when.Day + time.Minute)
	b.wants("restore", finding.Warning, "has not been tested since")
	// Another process replicates no more: what it noted stays, and what an earlier one sent is there after a start.
	b.Connect()
	r.Synced = 0
	note()
	b.wants("replica", finding.OK, "has everything until")
}

// certificate is one in PEM, behind its key, that ends at a time.
func certificate(t *testing.T, end time.Time) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"book.example.com"}, NotBefore: end.Add(-90 * when.Day), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
}

// A certificate's end is told when it was not renewed in time.
func TestCertificate(t *testing.T) {
	b := newBed(t)
	b.machine.Domains = []string{"book.example.com"}
	b.Connect()
	b.wants("certificate", finding.OK, "there is none yet")
	for _, c := range []struct {
		left  time.Duration
		state finding.State
		text  string
	}{{8 * when.Day, finding.OK, "good until"}, {7*when.Day - time.Minute, finding.Warning, "was not renewed in time"},
		{when.Day - time.Minute, finding.Failed, "was not renewed in time"}, {-time.Minute, finding.Failed, "browsers refuse"}} {
		b.Must(b.Upkeep.SaveCertificate(t.Context(), "book.example.com", certificate(t, b.Clock.Now().Add(c.left))))
		b.wants("certificate", c.state, c.text)
	}
	b.Must(b.Upkeep.SaveCertificate(t.Context(), "book.example.com", []byte("x")))
	b.wants("certificate", finding.Failed, "can’t be read")
}

// A loop that fails again and again is told; one that failed now and then isn't.
func TestLoops(t *testing.T) {
	b := newBed(t)
	b.wants("loops", finding.OK, "")
	for range 10 {
		b.Health.LoopFailed("mail")
		b.Clock.Advance(3 * time.Minute)
	}
	b.wants("loops", finding.OK, "")
	for range 5 {
		b.Health.LoopFailed("mail")
		b.Clock.Advance(30 * time.Second)
	}
	b.wants("loops", finding.Failed, "“mail” fails again and again")
	b.Clock.Advance(10 * time.Minute)
	b.wants("loops", finding.OK, "")
}

// The keys of this server are to be confirmed to be kept elsewhere, and other keys again.
func TestKeys(t *testing.T) {
	b := newBed(t)
	b.wants("keys", finding.OK, "There are none")
	b.Must(b.Upkeep.NoteReplicas(t.Context(), &replicas{}))
	b.wants("keys", finding.Warning, "Nobody has confirmed")
	b.Must(b.Health.ConfirmKeys(t.Context(), b.Owner))
	b.wants("keys", finding.OK, "It was confirmed")
	b.Must(b.Health.NoteReplicaKey(t.Context(), "age1xyz"))
	b.wants("keys", finding.Warning, "Nobody has confirmed")
	b.Must(b.Health.ConfirmKeys(t.Context(), b.Owner))
	b.Must(b.Health.NoteReplicaKey(t.Context(), "age1xyz"))
	b.wants("keys", finding.OK, "It was confirmed")
}

// A look reads some rows by their keys and asks the file system; what Today asks for while the loop runs is one row.
func BenchmarkLook(b *testing.B) {
	bed := newBed(b)
	bed.Must(bed.Health.Step(b.Context()))
	b.Run("step", func(b *testing.B) {
		for b.Loop() {
			bed.Must(bed.Health.Step(b.Context()))
		}
	})
	b.Run("today", func(b *testing.B) {
		for b.Loop() {
			_, err := bed.Health.Trouble(b.Context(), bed.Owner)
			bed.Must(err)
		}
	})
}
