package agent

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/fault"
	"daybook/app/subjects"
)

// confirm is the argument, and the member of a dry run's answer, by which a call does what was shown and nothing else: it
// is bound to the caller, the tool, the arguments and what the dry run found, and is over after confirmLife.
const confirm = "confirm"

const confirmLife = 10 * time.Minute

// confirms says which calls of a tool must bring a confirm. A dry run answers one for exactly those.
type confirms interface {
	// known reports whether the arguments alone decide that the call needs one.
	known(in *args) bool
	// needed decides it by what a dry run found, where they don't.
	needed(run *subjects.DryRun) bool
	told() string // to agents
}

type (
	always  struct{}              // money is taken
	telling struct{}              // where money moves, or more than one person is told
	several struct{ name string } // where the argument of that name is given
)

func (always) known(*args) bool             { return true }
func (always) needed(*subjects.DryRun) bool { return true }
func (always) told() string {
	return "What the dry run of the same call answered: required, and only after the person has agreed."
}

func (telling) known(*args) bool { return false }
func (telling) needed(run *subjects.DryRun) bool {
	people := 0
	for _, t := range run.Told {
		if t.By == "mail" || t.By == "text" {
			people++
		}
	}
	return people > 1 || run.Money.Now != nil || run.Money.Fee != nil || run.Money.Refund != nil
}
func (telling) told() string {
	return "What the dry run of the same call answered: required where that has one, and only after the person has agreed."
}

func (s several) known(in *args) bool        { return in.given(s.name) != nil }
func (several) needed(*subjects.DryRun) bool { return false }
func (s several) told() string {
	return "With " + s.name + ": what their dry run answered, once the person has agreed."
}

// foretold is the answer of a dry run whose call must be confirmed.
type foretold struct {
	subjects.DryRun
	Confirm string `json:"confirm"`
}

// confirmed carries out a call of a tool that confirms, or its dry run.
func (d *Door) confirmed(ctx context.Context, t *tool, a app.Actor, in *args, dry bool) (any, error) {
	token := in.text(confirm)
	known := t.confirms.known(in)
	switch {
	case dry:
		if token != "" {
			return nil, fault.Invalid(confirm, "is for the call itself: leave it out of a dry run")
		}
		run, err := t.dryRun(ctx, d.service, a, in)
		if err != nil || !known && !t.confirms.needed(&run) {
			return run, err
		}
		given, err := d.giveConfirm(ctx, t, a, in, &run)
		return foretold{run, given}, err
	case token == "" && known:
		return nil, notShown()
	case token == "":
		if _, always := t.confirms.(several); always { // and this is the call for one
			return t.run(ctx, d.service, a, in)
		}
		run, err := t.dryRun(ctx, d.service, a, in)
		if err != nil {
			return nil, err
		}
		if t.confirms.needed(&run) {
			return nil, notShown()
		}
		return t.run(ctx, d.service, a, in)
	}
	c, err := d.readConfirm(ctx, t, a, in, token)
	if err != nil {
		return nil, err
	}
	if t.stepwise {
		if err := d.asShown(ctx, d.service, t, a, in, c); err != nil {
			return nil, err
		}
		return t.run(ctx, d.service, a, in)
	}
	return d.once(ctx, t, a, in, c)
}

func notShown() error {
	return fault.Conflictf("confirm_needed", "Nothing was done: call this with dryRun: true first, show the person what it "+
		"answers, and once they agree call it again with its confirm.")
}

// once carries the call out in one transaction: that it still does what was shown, the change, and that this was done, so
// that the same confirm again answers the same and does nothing.
func (d *Door) once(ctx context.Context, t *tool, a app.Actor, in *args, c *confirmation) (any, error) {
	sum := sha256.Sum256([]byte(c.token))
	answer, replayed, err := d.service.Once(ctx, a, app.OnceAttempt{Key: "confirm " + c.token, Fingerprint: sum[:]},
		func(tx app.Tx) (app.Response, error) {
			bound := d.service.In(tx)
			if err := d.asShown(ctx, bound, t, a, in, c); err != nil {
				return app.Response{}, err
			}
			made, err := t.run(ctx, bound, a, in)
			if err != nil {
				return app.Response{}, err
			}
			body, err := encode(made)
			return app.Response{Status: http.StatusOK, Body: bytes.Clone(body)}, err
		}, func(err error) (app.Response, error) { return app.Response{}, err })
	if err != nil {
		return nil, err
	}
	if t.after != nil && !replayed {
		return t.after(ctx, d.service, a, answer.Body)
	}
	return json.RawMessage(answer.Body), nil
}

// asShown refuses a call that would do something else now than its dry run has shown.
func (d *Door) asShown(ctx context.Context, s *subjects.Set, t *tool, a app.Actor, in *args, c *confirmation) error {
	run, err := t.dryRun(ctx, s, a, in)
	if err != nil {
		return err
	}
	now, err := found(&run)
	if err != nil {
		return err
	}
	want, err := d.mac(a, c.call, now)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(want), []byte(c.found)) {
		return fault.Conflictf("confirm_changed", "Nothing was done: it would do something else by now than was shown. Make the dry "+
			"run again, show the person what is different, and ask them again.")
	}
	return nil
}

// confirmation is a confirm as it was given.
type confirmation struct{ token, call, found string }

// giveConfirm returns the confirm of a dry run: when it ends, a random text so that no two are the same, and the MACs of
// the call and of what was found.
func (d *Door) giveConfirm(ctx context.Context, t *tool, a app.Actor, in *args, run *subjects.DryRun) (string, error) {
	head := strconv.FormatInt(d.service.Now().Add(confirmLife).Unix(), 36) + "." + rand.Text()[:10]
	call, err := d.ofCall(ctx, t, a, in, head)
	if err != nil {
		return "", err
	}
	now, err := found(run)
	if err != nil {
		return "", err
	}
	mac, err := d.mac(a, call, now)
	return head + "." + call + "." + mac, err
}

// readConfirm returns the confirm that a call brings. Errors: conflict confirm_over, confirm_other.
func (d *Door) readConfirm(ctx context.Context, t *tool, a app.Actor, in *args, token string) (*confirmation, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 4 || len(token) > 100 {
		return nil, fault.Conflictf("confirm_other", "Nothing was done: this confirm is none that a dry run answered. Make the dry run, and "+
			"give its confirm as it is.")
	}
	call, err := d.ofCall(ctx, t, a, in, parts[0]+"."+parts[1])
	if err != nil {
		return nil, err
	}
	ends, err := strconv.ParseInt(parts[0], 36, 64)
	switch {
	case err != nil || !hmac.Equal([]byte(call), []byte(parts[2])):
		return nil, fault.Conflictf("confirm_other", "Nothing was done: this confirm is for another call. Give the arguments of the dry run "+
			"exactly, or make one with these.")
	case d.service.Now().Unix() > ends:
		return nil, fault.Conflictf("confirm_over", "Nothing was done: this confirm is over, after %d minutes. Make the dry run again.",
			int(confirmLife/time.Minute))
	}
	return &confirmation{token, parts[2], parts[3]}, nil
}

// ofCall returns the MAC of the caller, the tool and its arguments.
func (d *Door) ofCall(ctx context.Context, t *tool, a app.Actor, in *args, head string) (string, error) {
	given := map[string]any{}
	for name, raw := range in.fields {
		if name == dryRun || name == confirm || name == "_meta" || isNull(raw) {
			continue
		}
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return "", err
		}
		given[name] = value
	}
	text, err := json.Marshal(given) // by name
	if err != nil {
		return "", err
	}
	return d.mac(a, access.Key(ctx).ID.String(), t.name, head, string(text))
}

// mac returns the MAC of texts under the workspace's key.
func (d *Door) mac(a app.Actor, texts ...string) (string, error) {
	setup, err := d.service.Setup(a.Workspace)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(append([]string{confirm}, texts...))
	return setup.MAC(string(text))[:16], err
}

// found returns what a dry run found, as text: all but what is another at each run, such as when it was made.
func found(run *subjects.DryRun) (string, error) {
	text, err := encode(run)
	if err != nil {
		return "", err
	}
	var all any
	if err := json.Unmarshal(text, &all); err != nil {
		return "", err
	}
	text, err = json.Marshal(lasting(all))
	return string(text), err
}

// passing are members that may be another at each run, though the same is done: times of now, and numbers that are given
// in order.
var passing = map[string]bool{"updatedAt": true, "createdAt": true, "paidAt": true, "expiresAt": true, "at": true,
	"receipt": true, "receiptId": true}

func lasting(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, of := range v {
			if passing[name] {
				delete(v, name)
				continue
			}
			v[name] = lasting(of)
		}
	case []any:
		for i := range v {
			v[i] = lasting(v[i])
		}
	}
	return v
}
