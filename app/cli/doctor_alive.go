package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"daybook/app/cli/console"
)

// askHealth asks the server at base whether it is alive.
func askHealth(ctx context.Context, base string) error {
	var u console.WebURL
	if err := u.Set(base); err != nil {
		return console.Usagef("--health %q %v", base, err)
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("healthz").String(), nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%s does not answer; is `daybook serve` running? %w", base, err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(res.Body, 100))
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %d %s; see its log", base, res.StatusCode, strings.TrimSpace(string(text)))
	}
	return nil
}
