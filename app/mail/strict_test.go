package mail_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"

	"daybook/app/apptest"
	"daybook/app/apptest/outside"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/mail/smtp"

	netmail "net/mail"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"daybook/app"
)

// Two servers that hold clients to RFC 5321, and are not written in Go, take our mails over STARTTLS after a sign-in,
// from and to people whose names have quotes.
func TestStrictServersTakeOurMails(t *testing.T) {
	server, trust := certificate(t)
	cert, key := pemFiles(t, server)
	for name, start := range map[string]func(t *testing.T, cert, key string) (*smtp.Server, func() []taken){
		"postfix": startPostfix, "smtp-server": startSMTPServer,
	} {
		t.Run(name, func(t *testing.T) {
			to, mails := start(t, cert, key)
			x := newBed(t)
			_, err := x.Shop.UpdateWorkspace(t.Context(), app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: x.Workspace.ID}, func(w *catalog.Workspace) {
				w.Name = `Pizza 12" Köln`
			})
			x.Must(err)
			x.run(to, trust)
			x.book("bo", 30)
			b, err := x.Book(t.Context(), x.API, booking.BookInput{
				EventType: "cut", Start: "2026-12-02T10:00:00Z", Invitee: booking.Invitee{Name: `Eve" \`, Email: "o'eve+cut@mail.example"},
			})
			x.Must(err)
			for _, person := range []string{"bo", "o'eve+cut"} {
				if m := x.tried(person, 1); m.State != mail.Sent {
					t.Fatalf("%s: %s", m.State, m.Answer)
				}
			}
			apptest.Eventually(t, "both are delivered", func() bool { return len(mails()) == 2 })
			for _, got := range mails() {
				m, err := netmail.ReadMessage(strings.NewReader(got.body))
				x.Must(err)
				from, err := netmail.ParseAddress(m.Header.Get("From"))
				if err != nil || from.Name != `Pizza 12" Köln` || got.from != "book@salon.example" {
					t.Errorf("from %v, %v, envelope %q", from, err, got.from)
				}
				if to := m.Header.Get("To"); to != "<"+got.to+">" || got.to != "bo@mail.example" && got.to != b.Invitee.Email {
					t.Errorf("to %q, envelope %q", to, got.to)
				}
			}
		})
	}
}

// pemFiles are the certificate and its key as other programs read them.
func pemFiles(t *testing.T, c *tls.Config) (cert, key string) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(c.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeFile(t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificates[0].Certificate[0]}))
	writeFile(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	return cert, key
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

const smtpServerInNode = `
const { SMTPServer } = require(process.argv[1]), fs = require("fs");
const server = new SMTPServer({
	cert: fs.readFileSync(process.argv[2]), key: fs.readFileSync(process.argv[3]), allowInsecureAuth: false,
	onAuth: (auth, session, done) =>
		auth.username === "salon" && auth.password === "s3cret" ? done(null, { user: "salon" }) : done(new Error("wrong password")),
	onData: (stream, session, done) => {
		const all = [];
		stream.on("data", c => all.push(c));
		stream.on("end", () => {
			const e = session.envelope, body = Buffer.concat(all).toString("utf8");
			console.log(JSON.stringify({ from: e.mailFrom.address, to: e.rcptTo[0].address, tls: session.secure, body }));
			done();
		});
	},
});
server.on("error", e => console.error(e.message));
server.listen(0, "127.0.0.1", () => console.log(server.server.address().port));
process.stdin.resume().on("end", () => process.exit());
`

// startSMTPServer runs npm's smtp-server for as long as the test.
func startSMTPServer(t *testing.T, cert, key string) (*smtp.Server, func() []taken) {
	module := filepath.Join(outside.Modules(t, "smtp-server", "smtp-server"), "smtp-server")
	node, err := exec.LookPath("node")
	outside.Needs(t, "smtp-server", err)
	c := exec.Command(node, "-e", smtpServerInNode, module, cert, key)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	s := &smtp.Server{Host: "127.0.0.1", TLS: smtp.StartTLS, User: "salon", Password: "s3cret", From: netmail.Address{Address: "book@salon.example"}}
	if _, err := fmt.Fscanln(lines, &s.Port); err != nil {
		t.Fatal(err)
	}
	k, ended := &sink{}, make(chan struct{})
	go func() {
		defer close(ended)
		for d := json.NewDecoder(lines); ; {
			var m struct {
				From, To, Body string
				TLS            bool
			}
			if err := d.Decode(&m); err != nil {
				return
			}
			if !m.TLS {
				t.Error("a mail came without TLS")
			}
			k.set(func() { k.taken = append(k.taken, taken{m.From, m.To, m.Body}) })
		}
	}()
	t.Cleanup(func() {
		in.Close()
		<-ended
		c.Wait()
	})
	return s, k.mails
}

const postfixSettings = `compatibility_level = 3.6
queue_directory = DIR/queue
data_directory = DIR/data
mail_owner = postfix
setgid_group = postdrop
myhostname = strict.example
mydestination =
mynetworks =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
maillog_file = DIR/log
maillog_file_prefixes = DIR
strict_rfc821_envelopes = yes
smtpd_helo_required = yes
smtpd_tls_cert_file = CERT
smtpd_tls_key_file = KEY
smtpd_tls_security_level = encrypt
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_local_domain = strict.example
smtpd_relay_restrictions = permit_sasl_authenticated, reject
virtual_mailbox_domains = mail.example
virtual_mailbox_base = DIR
virtual_mailbox_maps = static:box/
virtual_minimum_uid = 1
virtual_uid_maps = static:UID
virtual_gid_maps = static:GID
`

const postfixServices = `postlog unix-dgram n - n - 1 postlogd
127.0.0.1:PORT inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
`

const postfixSignIn = `pwcheck_method: auxprop
auxprop_plugin: sasldb
sasldb_path: DIR/sasldb2
mech_list: PLAIN LOGIN
`

// startPostfix runs an instance of Debian's Postfix, in a directory of its own, for as long as the test. It takes root.
func startPostfix(t *testing.T, cert, key string) (*smtp.Server, func() []taken) {
	owner, err := user.Lookup("postfix")
	for _, program := range []string{"postfix", "saslpasswd2"} {
		if err == nil {
			_, err = exec.LookPath(program)
		}
	}
	if err == nil && os.Geteuid() != 0 {
		err = errors.New("only root can start it")
	}
	outside.Needs(t, "postfix", err)
	dir, err := os.MkdirTemp(outside.SharedTemp(), "postfix") // its own user must get in
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	port, err := outside.Port()
	if err != nil {
		t.Fatal(err)
	}
	fill := func(text string) []byte {
		return []byte(strings.NewReplacer("DIR", dir, "CERT", cert, "KEY", key, "PORT", fmt.Sprint(port), "UID", owner.Uid, "GID", owner.Gid).Replace(text))
	}
	run := func(stdin string, args ...string) error {
		c := exec.Command(args[0], args[1:]...)
		c.Stdin = strings.NewReader(stdin)
		out, err := c.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s: %w\n%s", args[0], err, out)
		}
		return err
	}
	for _, d := range []string{"etc/sasl", "data", "queue", "box"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{"etc/main.cf": postfixSettings, "etc/master.cf": postfixServices, "etc/sasl/smtpd.conf": postfixSignIn} {
		writeFile(t, filepath.Join(dir, path), fill(text))
	}
	steps := [][]string{
		{"chmod", "755", dir},
		{"chmod", "-R", "a+rX", filepath.Join(dir, "etc")},
		{"saslpasswd2", "-p", "-c", "-f", dir + "/sasldb2", "-u", "strict.example", "salon"},
		{"chown", "-R", "postfix", dir + "/data", dir + "/box", dir + "/sasldb2"},
		{"postfix", "-c", dir + "/etc", "start"},
	}
	for _, step := range steps {
		if err := run("s3cret\n", step...); err != nil {
			log, _ := os.ReadFile(dir + "/log")
			t.Fatalf("%v\n%s", err, log)
		}
	}
	t.Cleanup(func() {
		if err := run("", "postfix", "-c", dir+"/etc", "stop"); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			log, _ := os.ReadFile(dir + "/log")
			t.Logf("Postfix's log:\n%s", log)
		}
	})
	s := &smtp.Server{Host: "127.0.0.1", Port: port, TLS: smtp.StartTLS, User: "salon", Password: "s3cret", From: netmail.Address{Address: "book@salon.example"}}
	return s, func() []taken { return mailbox(t, dir+"/box/new") }
}

// mailbox is what Postfix has delivered; the envelope stands in the first lines of each.
func mailbox(t *testing.T, dir string) (all []taken) {
	t.Helper()
	files, _ := filepath.Glob(dir + "/*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := netmail.ReadMessage(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		from := strings.Trim(m.Header.Get("Return-Path"), "<>")
		all = append(all, taken{from, m.Header.Get("Delivered-To"), string(text)})
	}
	return all
}
