package app

import (
	"context"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// The most files that are read at once. Each is kept in memory as a whole.
const (
	maxUploads     = 4 // by the process
	maxUploadsEach = 2 // of a workspace
	uploadWait     = 10 * time.Second
)

// Upload takes one of the places for files of the workspace, for which it waits some seconds. A door takes it before it
// reads the file, and calls done when it no longer needs it. Errors: unavailable (busy), that of ctx.
func (s *Service) Upload(ctx context.Context, ws catalog.WorkspaceID) (done func(), err error) {
	late, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	done, err = s.uploads.Take(late, ws)
	if err != nil && ctx.Err() == nil {
		err = fault.New(fault.Unavailable, "busy", "Too many files are being uploaded. Try again in a few seconds.").With("retryAfter", 5)
	}
	return done, err
}
