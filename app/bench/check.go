package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"daybook/app/bench/wire"
)

// Unreachable is the error for a server that can't be reached.
func Unreachable(u *url.URL, cause error) error {
	return fmt.Errorf("no server answers at %s (%w): start it, or give its address with --url", u, cause)
}

// Check asks the server for the sandbox: that it has the same database, and is a Daybook that lets nothing leave one.
// Nothing is changed at the server. The error says what to do.
func Check(ctx context.Context, t Target, database string) error {
	c, err := wire.Open(ctx, t.URL, "Authorization: Bearer "+t.Key+"\r\n")
	if err != nil {
		return Unreachable(t.URL, err)
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	_, err = c.Ask(c.Wire(wire.Get("/api/v1/event-types")), http.StatusOK, false)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case c.Status == 0:
		return Unreachable(t.URL, err)
	case c.Location != "":
		return fmt.Errorf("%s leads to %s: give that address with --url", t.URL, place(t.URL, c.Location))
	case c.Status == http.StatusUnauthorized:
		return fmt.Errorf("the server at %s has another database than %s, where a workspace was just made that it doesn't "+
			"know: give --db what that server has (its first line says it), or --url the server of this one", t.URL, database)
	case err != nil:
		return fmt.Errorf("the server at %s can't be tried: %w", t.URL, err)
	case c.Server == 0:
		return errors.New("the server doesn't tell how long it takes. It may be of an older version than this command, and " +
			"would then send mails and webhooks for the test: update it. Or a proxy takes its Server-Timing away: give the " +
			"address on which the server itself listens with --url")
	}
	return nil
}

// place is where a redirect leads to, as --url takes it.
func place(from *url.URL, location string) string {
	to, err := from.Parse(location)
	if err != nil {
		return "another address"
	}
	return (&url.URL{Scheme: to.Scheme, Host: to.Host}).String()
}
