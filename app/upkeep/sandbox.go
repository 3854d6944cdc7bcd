package upkeep

import (
	"context"
	"fmt"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/sandbox"
	"daybook/app/when"
)

// sandboxes finds them; the store's readers and transactions have it.
type sandboxes interface {
	// Sandboxes are those that were made before that time and are not deleted, at most limit of them.
	Sandboxes(before when.Instant, limit int) ([]catalog.WorkspaceID, error)
}

// EndSandboxes marks the sandboxes that were made before that time as gone, and returns how many. Nobody finds one any
// more when this returns; their rows go as those of other deleted workspaces do, see Sweep.
func (s *Service) EndSandboxes(ctx context.Context, before time.Time) (n int, err error) {
	all, err := s.Reader(ctx).(sandboxes).Sandboxes(when.At(before), app.Every)
	for i := 0; i < len(all) && err == nil; i++ {
		if err = s.EndSandbox(ctx, all[i]); err == nil {
			n++
		}
	}
	return n, err
}

// EndSandbox marks one as gone; it is no error if it is. Any other workspace is refused.
func (s *Service) EndSandbox(ctx context.Context, ws catalog.WorkspaceID) error {
	if !sandbox.Is(ws) {
		return fmt.Errorf("upkeep: the workspace %s is no sandbox", ws)
	}
	err := s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(ws); err != nil {
			return err
		}
		return tx.MarkWorkspaceGone(ws, when.At(s.Core.Now()))
	})
	if err == fault.ErrNotFound {
		return nil
	}
	s.Core.ForgetSetup(ws)
	return err
}

// pruneSandboxes ends those whose maker didn't, as it was killed.
func (s *Service) pruneSandboxes(ctx context.Context) error {
	n, err := s.EndSandboxes(ctx, s.Core.Now().Add(-sandbox.Life))
	if n > 0 {
		s.Core.Log().Info("removed what a test of the server had left", "workspaces", n)
	}
	return err
}
