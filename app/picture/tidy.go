package picture

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

const (
	tidyHour = 3              // UTC
	tidyAge  = 24 * time.Hour // since the upload: what was uploaded just now is about to be shown
	tidyMost = 50             // pictures in one call
	tidyStep = 500            // pictures to look at in one read

	// tidied is the name of the value that says on which day the pictures were last tidied.
	tidied = "pictures_tidied"
)

// tidy removes what is unused once in a night, a part every minute.
func (s *Service) tidy(ctx context.Context) error {
	now := s.Core.Now().UTC()
	if now.Hour() < tidyHour {
		now = now.AddDate(0, 0, -1) // last night's
	}
	night := now.Format(time.DateOnly)
	last, err := s.Reader(ctx).ServerValue(tidied)
	if last >= night || gone(err) != nil {
		return err
	}
	left, err := s.removeUnused(ctx, tidyMost)
	if err != nil || left {
		return err
	}
	return s.Quietly(ctx, func(tx Tx) error { return tx.SetServerValue(tidied, night) })
}

// removeUnused deletes at most limit pictures that nothing shows and that were uploaded more than a day ago, and such
// as were never complete. It reports whether it stopped at the limit.
func (s *Service) removeUnused(ctx context.Context, limit int) (left bool, err error) {
	before := when.At(s.Core.Now().Add(-tidyAge))
	var after Old
	for {
		all, err := s.Reader(ctx).OldPictures(before, after, tidyStep)
		if err != nil || len(all) == 0 {
			return false, err
		}
		after = all[len(all)-1]
		for len(all) > 0 {
			ws := all[0].WorkspaceID
			of := slices.IndexFunc(all, func(o Old) bool { return o.WorkspaceID != ws })
			if of < 0 {
				of = len(all)
			}
			n, err := s.tidyWorkspace(ctx, ws, all[:of], before, limit)
			if limit -= n; err != nil || limit == 0 {
				return true, err
			}
			all = all[of:]
		}
	}
}

// tidyWorkspace deletes those of a workspace's pictures that nothing shows, each in a transaction of its own, and
// returns how many it deleted.
func (s *Service) tidyWorkspace(ctx context.Context, ws catalog.WorkspaceID, old []Old, before when.Instant,
	limit int) (n int, err error) {
	shown, err := shownIn(s.Reader(ctx), ws)
	if err != nil {
		return 0, gone(err)
	}
	for _, o := range old {
		if n == limit {
			return n, nil
		}
		if o.Complete && slices.Contains(shown, o.ID) {
			continue
		}
		deleted := false
		err := s.Quietly(ctx, func(tx Tx) error {
			deleted = false
			if err := tx.LockWorkspace(ws); err != nil {
				return err
			}
			now, err := shownIn(tx, ws)
			if err != nil || o.Complete && slices.Contains(now, o.ID) {
				return err
			}
			deleted, err = tx.DeletePicture(ws, o.ID, before)
			return err
		})
		if err != nil {
			return n, gone(err)
		}
		if deleted {
			n++
		}
	}
	return n, nil
}

// shownIn returns the pictures that the workspace shows.
func shownIn(r Reader, ws catalog.WorkspaceID) ([]catalog.PictureID, error) {
	setup, err := r.Setup(ws)
	if err != nil {
		return nil, err
	}
	products, err := r.ProductPictures(ws)
	return append(products, setup.ShownPictures()...), err
}

// gone is nil for the error of a workspace that is deleted: its pictures go with all its rows.
func gone(err error) error {
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	return err
}
