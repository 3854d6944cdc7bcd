package access

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"daybook/app/fault"
)

// What the log has already is not logged again by each answer.
func TestLoggedCausesAreNotLoggedAgain(t *testing.T) {
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, nil))
	away := fault.New(fault.Unavailable, "database", "Try again.")
	Describe(errors.Join(fault.Logged(errors.New("disk")), away), "r1", log)
	if text.Len() > 0 {
		t.Errorf("logged: %s", &text)
	}
	if body := Describe(errors.Join(errors.New("disk"), away), "r2", log); body.Error.Message != "Try again." ||
		!strings.Contains(text.String(), "level=WARN") {
		t.Errorf("%+v, logged: %s", body, &text)
	}
}

// What fails because the caller hung up is no error of ours: the log says nothing of it.
func TestCallersWhoHungUpAreNotLogged(t *testing.T) {
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, nil))
	Describe(fmt.Errorf("a read: %w", context.Canceled), "r1", log)
	if text.Len() > 0 {
		t.Errorf("logged: %s", &text)
	}
	Describe(errors.New("disk"), "r2", log)
	if !strings.Contains(text.String(), "level=ERROR") || !strings.Contains(text.String(), "r2") {
		t.Errorf("not logged: %s", &text)
	}
}
