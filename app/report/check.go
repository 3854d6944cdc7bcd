package report

import (
	"bytes"
	"context"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
)

// mostWrong is how many wrong days CheckSums names.
const mostWrong = 10

// SumsFound is the result of CheckSums for a workspace.
type SumsFound struct {
	Days  int      // kept, not marked as changed, and added up again
	Wrong int      // of these: their sums are not those of their bookings
	Names []string // the first of the wrong ones, as dates of the workspace
	Whole bool     // every day was looked at; else ctx ended before
}

// CheckSums recomputes every day of the workspace whose stored sums are said to be exact, some days in each
// transaction, until ctx ends. It changes nothing. Errors: not_found, those of the database.
func (s *Service) CheckSums(ctx context.Context, ws catalog.WorkspaceID) (found SumsFound, err error) {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return found, err
	}
	var days []span
	r := s.Reader(ctx)
	err = r.DaySums(ws, 0, 0, func(d DaySums) { days = append(days, span{d.From, d.To}) })
	for some := range slices.Chunk(days, stepDays) {
		if err != nil {
			break
		}
		err = r.FrozenFigures(func(r Figured) error {
			return s.checkSome(r, ws, span{some[0].from, some[len(some)-1].to}, setup.Zone, &found)
		})
	}
	if found.Whole = err == nil; ctx.Err() != nil {
		err = nil
	}
	return found, err
}

// checkSome adds up again the days that are kept within all, at one moment.
func (s *Service) checkSome(r Figured, ws catalog.WorkspaceID, all span, zone *time.Location, found *SumsFound) error {
	marks, err := s.marks(r, ws)
	if err != nil {
		return err
	}
	var kept []DaySums
	err = r.DaySums(ws, all.from, all.to, func(d DaySums) {
		old := reading{in: d.Sums}
		if marks.in(d.From, d.To) || !old.known() && !old.wrong { // those of another version aren't used
			return
		}
		kept = append(kept, DaySums{d.From, d.To, slices.Clone(d.Sums)})
	})
	if err != nil {
		return err
	}
	for _, d := range kept {
		t := newTally(when.Instant(0), zone)
		if err := t.read(r, ws, []span{{d.From, d.To}}); err != nil {
			return err
		}
		found.Days++
		if bytes.Equal(d.Sums, sumsOf(t)) {
			continue
		}
		if found.Wrong++; len(found.Names) < mostWrong {
			found.Names = append(found.Names, d.From.Time().In(zone).Format(time.DateOnly))
		}
	}
	return nil
}
