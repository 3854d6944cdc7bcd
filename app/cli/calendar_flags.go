package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"daybook/app/calsync"
	"daybook/app/calsync/caldav"
	"daybook/app/calsync/google"
	"daybook/app/calsync/graph"
	"daybook/app/calsync/ics"
	"daybook/app/cli/console"
)

// AddCalendarAllow adds --calendar-allow, for commands that read hosts' other calendars.
func (f *databaseFlags) AddCalendarAllow(flags *pflag.FlagSet) {
	flags.Var(&f.calendarAllow, "calendar-allow",
		"networks that hosts' other calendars may be in besides the public internet, by http:// too")
}

// calendarClient is a client at an OAuth provider, as flags name it.
type calendarClient struct{ id, secretFile, tenant string }

// AddCalendarClients adds the flags of the server's clients at Google and Microsoft.
func (f *databaseFlags) AddCalendarClients(flags *pflag.FlagSet) {
	flags.StringVar(&f.googleClient.id, "google-client-id", "",
		"sign in at Google Calendar with this OAuth client, in workspaces without one of their own")
	flags.StringVar(&f.googleClient.secretFile, "google-client-secret-file", "", "the file with that client's secret")
	flags.StringVar(&f.microsoftClient.id, "microsoft-client-id", "",
		"sign in at Microsoft 365 with this application (client) id, in workspaces without one of their own")
	flags.StringVar(&f.microsoftClient.secretFile, "microsoft-client-secret-file", "",
		"the file with that application's client secret")
	flags.StringVar(&f.microsoftClient.tenant, "microsoft-tenant", "",
		"only accounts of this directory, by its id or domain (default accounts of all)")
}

// CalendarConfig returns how hosts' other calendars are reached: what --calendar-allow says, all kinds, and the
// server's clients.
func (f *databaseFlags) CalendarConfig() (calsync.Config, error) {
	g, m := google.New(google.Real), graph.New(graph.Real)
	c := calsync.Config{Allow: f.calendarAllow,
		Sources: map[calsync.Kind]calsync.Opener{calsync.ICS: ics.Open, calsync.CalDAV: caldav.Open,
			calsync.Google: g.Open, calsync.Microsoft: m.Open},
		Providers: map[calsync.Kind]calsync.Provider{calsync.Google: g, calsync.Microsoft: m},
		Clients:   map[calsync.Kind]calsync.Client{},
	}
	for kind, given := range map[calsync.Kind]calendarClient{calsync.Google: f.googleClient,
		calsync.Microsoft: f.microsoftClient} {
		flag := "--" + string(kind) + "-client-"
		switch {
		case given.id == "" && given.secretFile == "" && given.tenant == "":
			continue
		case given.id == "" || given.secretFile == "":
			return c, console.Usagef("%sid and %ssecret-file belong together", flag, flag)
		}
		text, err := readPrivate(given.secretFile, "client secret")
		if errors.Is(err, os.ErrNotExist) {
			return c, console.Usagef("%ssecret-file: there is no file %s", flag, given.secretFile)
		}
		if err != nil {
			return c, err
		}
		secret := strings.TrimSpace(text)
		if secret == "" || strings.ContainsAny(secret, "\r\n") {
			return c, console.Usagef("%ssecret-file %s must hold the secret as its only line", flag, given.secretFile)
		}
		c.Clients[kind] = calsync.Client{Kind: kind, ID: given.id, Secret: secret, Tenant: given.tenant}
	}
	return c, nil
}

// secretOf returns the secret that a reference in a set-up file leads to: env:NAME to a variable, file:/PATH to the
// only line of a file that nobody else may read. The error says what is missing, and nothing of what is there.
func secretOf(reference string) (string, error) {
	kind, name, _ := strings.Cut(reference, ":")
	text := os.Getenv(name)
	if kind == "file" {
		var err error
		if text, err = readPrivate(name, "secret"); errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("there is no file %s", name)
		} else if err != nil {
			return "", err
		}
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "" && kind == "file":
		return "", fmt.Errorf("the file %s is empty", name)
	case text == "":
		return "", fmt.Errorf("%s is not set", name)
	case strings.ContainsAny(text, "\r\n"):
		return "", fmt.Errorf("%s must hold the secret as its only line", reference)
	}
	return text, nil
}
