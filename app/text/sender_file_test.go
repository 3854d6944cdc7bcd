package text_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/setup"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
)

// listed is a bed whose sender is given by files. Its secrets are what references lead to.
type listed struct {
	*bed
	url     string // of the phone
	secrets map[string]string
}

func newListed(t *testing.T) *listed {
	t.Helper()
	x := &listed{bed: newBed(t)}
	x.url = smstest.Start(t, x.phone)
	x.secrets = map[string]string{"file:/phone": x.phone.Password, "env:PHONE_KEY": x.phone.Signing}
	x.sends(nil)
	return x
}

func (x *listed) apply(text string, dryRun bool) (setup.Report, error) {
	x.T.Helper()
	f, err := setup.Parse([]byte(text))
	if err != nil {
		return setup.Report{}, err
	}
	f.Resolve(func(reference string) (string, error) {
		if text, known := x.secrets[reference]; known {
			return text, nil
		}
		return "", errors.New(strings.TrimPrefix(reference, "env:") + " is not set")
	})
	return x.SetupFile.ApplySetup(x.T.Context(), app.Operator(0), f, dryRun)
}

func senderFile(sender string) string {
	return "workspace:\n  slug: salon\n  textSender: " + sender + "\n"
}

// applied are the differences and warnings of a sender that is applied, each in a line, after a dry run that says the same.
func (x *listed) applied(sender string) string {
	x.T.Helper()
	told := func(dryRun bool) (all string) {
		r, err := x.apply(senderFile(sender), dryRun)
		x.Must(err)
		for _, d := range r.Differences {
			all += fmt.Sprintf("%s %s→%s\n", d.Field, d.From, d.To)
		}
		for _, w := range r.Warnings {
			all += fmt.Sprintf("%d %s: %s\n", w.Line, w.Path, w.Message)
		}
		return all
	}
	dry := told(true)
	if got := told(false); got != dry {
		x.T.Errorf("a dry run tells\n%s\nbut\n%s", dry, got)
	}
	return dry
}

func (x *listed) exported() string {
	x.T.Helper()
	d, err := x.SetupFile.ExportSetup(x.T.Context(), app.Operator(x.Workspace.ID))
	x.Must(err)
	text, err := d.YAML()
	x.Must(err)
	return string(text)
}

func (x *listed) phoneLines(more string) string {
	return fmt.Sprintf("{preset: android, url: %q, user: %s, secret: file:/phone, signingKey: env:PHONE_KEY%s}", x.url, x.phone.User, more)
}

// A file has the workspace send by a phone whose secrets it says where to find; applied again, or as it is exported, it
// changes nothing, and nothing that is written has a secret.
func TestFileGivesTheSender(t *testing.T) {
	x := newListed(t)
	if text := x.exported(); strings.Contains(text, "textSender") {
		t.Errorf("none is exported:\n%s", text)
	}
	want := fmt.Sprintf(`textSender null→{"preset":"android","url":%q,"user":%q,"secret":"file:/phone","signingKey":"env:PHONE_KEY"}`+"\n", x.url, x.phone.User)
	x.want("applied", x.applied(x.phoneLines("")), want)
	x.want("again", x.applied(x.phoneLines("")), "")
	x.run()
	_, err := x.Text.SendTest(t.Context(), x.Owner, mine)
	x.Must(err)
	x.settled()
	x.want("sent by it", x.states(), "test sent")
	text := x.exported()
	for _, one := range []string{"preset: android", `secret: "file:/phone"`, `signingKey: "env:PHONE_KEY"`} {
		if !strings.Contains(text, one) {
			t.Errorf("lacks %s:\n%s", one, text)
		}
	}
	if strings.Contains(text, x.phone.Password) || strings.Contains(text, x.phone.Signing) {
		t.Errorf("has a secret:\n%s", text)
	}
	clear(x.secrets)
	r, err := x.apply(text, false)
	x.Must(err)
	if len(r.Differences) != 0 || len(r.Warnings) != 2 || r.Warnings[1].Message != "PHONE_KEY is not set, so that the secret that is stored stays" {
		t.Errorf("the export: %+v", r)
	}
	x.want("left out", x.applied("{}"), "")
	x.want("ended", strings.Split(x.applied("null"), "→")[1], "null\n")
	x.want("ended again", x.applied("null"), "")
	if s, err := x.Text.Sender(t.Context(), x.Owner); s != nil || err != nil {
		t.Errorf("%v %v", s, err)
	}
}

// What a file leaves out stays, another secret is reported without it, and what the dashboard sets is not exported until a
// file says where its secrets are.
func TestFileChangesTheSender(t *testing.T) {
	x := newListed(t)
	x.applied(x.phoneLines(""))
	x.secrets["file:/phone"] = "another-pass"
	x.want("another secret, left out", x.applied("{user: "+x.phone.User+"}"), "")
	x.want("another secret", x.applied("{secret: file:/phone}"),
		`textSender.secret "the secret that is stored"→"another one, of file:/phone"`+"\n")
	x.want("again", x.applied("{secret: file:/phone}"), "")
	x.secrets["env:NEW"] = "another-pass"
	if got := x.applied("{secret: env:NEW}"); !strings.Contains(got, `"secret":"file:/phone"`) || !strings.Contains(got, `"secret":"env:NEW"`) || strings.Count(got, "\n") != 1 {
		t.Errorf("it stands elsewhere: %s", got)
	}
	// The dashboard changes a field: the references stay. It gets a secret: they go.
	x.sends(&sms.Sender{Preset: sms.Android, URL: x.url + "/v2", User: x.phone.User})
	if text := x.exported(); !strings.Contains(text, "/v2") || !strings.Contains(text, `secret: "env:NEW"`) {
		t.Errorf("changed in the dashboard:\n%s", text)
	}
	x.sends(&sms.Sender{Preset: sms.Android, URL: x.url, User: x.phone.User, Secret: "typed"})
	if text := x.exported(); strings.Contains(text, "textSender") {
		t.Errorf("the dashboard's:\n%s", text)
	}
	x.want("not in the file", x.without(), "")
	if got := x.applied(x.phoneLines("")); !strings.Contains(got, `"secret":"file:/phone"`) || !strings.Contains(got, "textSender.secret") {
		t.Errorf("the file's again: %s", got)
	}
	// Another account needs its secret, another service begins anew.
	_, err := x.apply(senderFile("{user: other}"), false)
	if e := fault.As(err); e == nil || !strings.Contains(e.Error(), "line 3: workspace.textSender.secret: is required") {
		t.Errorf("another account: %v", err)
	}
	got := x.applied("{preset: seven, secret: file:/phone, signingKey: env:PHONE_KEY}")
	if !strings.HasSuffix(got, `→{"preset":"seven","secret":"file:/phone","signingKey":"env:PHONE_KEY"}`+"\n") {
		t.Errorf("another service: %s", got)
	}
}

// without applies a file that doesn't say how texts are sent.
func (x *listed) without() (all string) {
	x.T.Helper()
	r, err := x.apply("workspace: {slug: salon}", false)
	x.Must(err)
	for _, d := range r.Differences {
		all += d.Field
	}
	return all
}

// Each mistake is told with its line and field, and no secret; nothing is changed then, and nothing is asked of the
// service.
func TestWrongSenderOfAFile(t *testing.T) {
	x := newListed(t)
	x.applied(x.phoneLines(""))
	const template = "template: {method: POST, url: '{url}/send', type: form, body: 'to={to}&text={text}', answer: {}, verify: {}}"
	for _, c := range []struct{ sender, want string }{
		{"{preset: pigeon}", "workspace.textSender.preset: must be one of twilio, seven, android, own"},
		{"{presets: seven}", "workspace.textSender.presets: there is no such field; did you mean preset?"},
		{"[]", "workspace.textSender: must be a mapping with the fields account"},
		{"{preset: seven, secret: hunter-2, signingKey: env:PHONE_KEY}", "workspace.textSender.secret: must be env:NAME or file:/PATH"},
		{"{preset: seven, secret: env:NONE, signingKey: env:PHONE_KEY}", "workspace.textSender.secret: NONE is not set"},
		{"{preset: seven, secret: file:/phone}", "workspace.textSender.signingKey: is required"},
		{"{preset: twilio, secret: file:/phone, from: Salon}", "workspace.textSender.account: is required"},
		{"{preset: seven, secret: file:/phone, signingKey: env:PHONE_KEY, " + template + "}", "workspace.textSender.template: goes with the preset own only"},
		{"{preset: own, url: 'https://8.8.8.8'}", "workspace.textSender.template: is required"},
		{"{preset: own, url: 'https://8.8.8.8', " + strings.Replace(template, "method: POST", "method: PATCH", 1) + "}", "workspace.textSender.template.method: must be one of POST, PUT, GET"},
		{"{preset: own, url: 'https://8.8.8.8', " + strings.Replace(template, "method", "metod", 1) + "}", "workspace.textSender.template.metod: there is no such field; did you mean method?"},
		{"{preset: own, url: 'https://8.8.8.8', " + strings.Replace(template, "{}", "{known: [a]}", 1) + "}", `workspace.textSender.template.answer.known[0]: must be a whole number, not "a"`},
		{"{preset: own, url: 'https://192.168.1.10', " + template + "}", "workspace.textSender.url: 192.168.1.10 is a private address; the operator can allow it with --text-allow 192.168.1.10/32"},
		{"{url: 'http://8.8.8.8:8080', secret: file:/phone, signingKey: env:PHONE_KEY}", "workspace.textSender.url: http:// is for addresses that the operator allows"},
	} {
		for _, dryRun := range []bool{true, false} {
			_, err := x.apply(senderFile(c.sender), dryRun)
			if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.Contains(e.Error(), "line 3: "+c.want) {
				t.Errorf("%s\ngot  %v\nwant %s", c.sender, err, c.want)
			} else if strings.Contains(e.Error(), "hunter") {
				t.Errorf("the error has the secret: %v", e)
			}
		}
	}
	_, err := x.apply("workspace: {slug: salon, name: ''}\nhosts: []", false)
	if err == nil || !strings.Contains(x.exported(), "preset: android") {
		t.Errorf("something was changed: %v", err)
	}
	if all, _ := x.phone.Calls(); all != 0 {
		t.Errorf("the service was called %d times", all)
	}
}

// The sender of the guide applies as it stands there, in a new workspace, too, is exported with its template, and is warned
// of where nothing could be verified.
func TestSenderOfTheGuide(t *testing.T) {
	x := newListed(t)
	guide, err := os.ReadFile("../rest/docs/guides/texts.md")
	x.Must(err)
	_, file, _ := strings.Cut(string(guide), "```yaml\n")
	file, _, _ = strings.Cut(file, "```")
	x.secrets["env:SMS_KEY"], x.secrets["file:/etc/daybook/sms.inbound"] = "k1", "k2"
	r, err := x.apply(file, false)
	x.Must(err)
	if len(r.Differences) != 1 || len(r.Warnings) != 0 {
		t.Errorf("applied: %+v", r)
	}
	text := x.exported()
	if r, err = x.apply(text, false); err != nil || len(r.Differences) != 0 {
		t.Errorf("its export: %v %+v\n%s", err, r, text)
	}
	s, err := x.Text.Sender(t.Context(), x.Owner)
	x.Must(err)
	if s.Own.Verify.Kind != sms.HeaderProof || !slices.Equal(s.Own.Report.Failed, []string{"failed"}) || s.Own.Headers[0].Value != "Bearer {secret}" {
		t.Errorf("%+v", s.Own)
	}
	other := strings.Replace(file, "slug: salon", "slug: other\n  name: Other\n  timeZone: UTC", 1)
	if r, err = x.apply(other, false); err != nil || len(r.Differences) != 2 {
		t.Errorf("a new workspace: %v %+v", err, r)
	}
	r, err = x.apply(strings.Replace(file, "{kind: header, header: X-Key}", "{kind: route}", 1), false)
	if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0].Message, "an owner makes it in the dashboard") {
		t.Errorf("by a secret address: %v %+v", err, r.Warnings)
	}
}
