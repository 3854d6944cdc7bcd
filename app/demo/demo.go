package demo

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/base32"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/setup"
	"daybook/app/subjects"
)

//go:embed salon.yaml
var salon string

// Sender is the address that the salon's mails come from.
const Sender = "hello@salon-linden.example"

// Result says how to sign in to the demo.
type Result struct {
	Workspace       string // slug
	Email, Password string // of the owner
	Key             string // with scope full
	ReadOnlyKey     string
	KeyID           app.KeyID
}

// Fill makes the salon in an empty store, as of now. s makes the owner and the keys, so that they are valid by its
// clock and vault; c is what s was made of.
func Fill(ctx context.Context, s *subjects.Set, c subjects.Config, now time.Time) (Result, error) {
	t := &past{at: now.AddDate(0, 0, -daysBack), until: now}
	c.Clock = t.clock
	t.service = subjects.New(c)
	doc, err := salonFile(now)
	if err != nil {
		return Result{}, err
	}
	if _, err := t.service.SetupFile.ApplySetup(ctx, app.Operator(0), doc, false); err != nil {
		return Result{}, err
	}
	w, err := t.service.WorkspaceBySlug(ctx, "demo")
	if err != nil {
		return Result{}, err
	}
	if err := t.run(ctx, w); err != nil {
		return Result{}, err
	}
	r, owner, err := createLogins(ctx, s, w)
	if err != nil {
		return r, err
	}
	return r, t.fillCards(ctx, owner)
}

// inBraces finds the dates of salon.yaml: {{day 3}} is in three days.
var inBraces = regexp.MustCompile(`\{\{\s*(\w+) (-?\d+)\s*\}\}`)

// salonFile reads salon.yaml and fills in its dates.
func salonFile(now time.Time) (setup.File, error) {
	berlin, err := time.LoadLocation("Europe/Berlin") // the zone of the salon and everybody in it
	if err != nil {
		return setup.File{}, err
	}
	var wrong error
	text := inBraces.ReplaceAllStringFunc(salon, func(call string) string {
		part := inBraces.FindStringSubmatch(call)
		days, err := strconv.Atoi(part[2])
		day := now.In(berlin).AddDate(0, 0, days)
		switch part[1] {
		case "day":
			return now.AddDate(0, 0, days).Format(time.DateOnly)
		case "friday": // the first one from that day on
			return day.AddDate(0, 0, int(time.Friday+7-day.Weekday())%7).Format(time.DateOnly)
		case "midnight":
			return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, berlin).Format(time.RFC3339)
		}
		wrong = errors.Join(fmt.Errorf("salon.yaml: there is no date %s", call), err)
		return call
	})
	if wrong != nil {
		return setup.File{}, wrong
	}
	return setup.Parse([]byte(text))
}

// createLogins makes the owner and the two keys.
func createLogins(ctx context.Context, s *subjects.Set, w catalog.Workspace) (r Result, owner app.Actor, err error) {
	operator := app.Operator(w.ID)
	random := make([]byte, 10)
	rand.Read(random)
	r = Result{Workspace: w.Slug, Email: "owner@salon-linden.example",
		Password: strings.ToLower(base32.StdEncoding.EncodeToString(random))}
	user, err := s.Account.CreateUser(ctx, operator,
		account.UserInput{Email: r.Email, Role: app.OwnerRole, Password: r.Password})
	if err != nil {
		return r, owner, err
	}
	full, err := s.Account.CreateKey(ctx, operator, account.KeyInput{Name: "Demo", Scope: account.FullScope})
	if err != nil {
		return r, owner, err
	}
	reading, err := s.Account.CreateKey(ctx, operator,
		account.KeyInput{Name: "Demo, read-only", Scope: account.ReadOnlyScope})
	r.Key, r.ReadOnlyKey, r.KeyID = full.Value, reading.Value, full.ID
	return r, user.Actor(), err
}
