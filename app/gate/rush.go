package gate

import (
	"context"
	"sync"
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
)

const (
	rushFloor  = 60 // visitors' bookings in an hour that are no rush, however few are usual
	rushTimes  = 4  // how many times as many as usual are one
	rushBits   = 16 // zero bits of the proof of work in a rush: about a second of a phone
	usualSpan  = 28 * 24 * time.Hour
	usualHours = 28 * 8 // hours in which people book, of usualSpan
	rushFresh  = time.Second
	rushKept   = 10_000 // workspaces that are remembered
)

// rushes remembers what was counted for the workspaces. It is shared by all Services of a core.
type rushes struct {
	mu sync.Mutex
	of map[catalog.WorkspaceID]*rush
}

// rush is how often visitors have booked at a workspace.
type rush struct {
	mu      sync.Mutex
	read    when.Instant // when lately was counted
	lately  int          // within the hour before
	asked   int          // how often somebody has asked since
	usual   int          // how many are usual in an hour
	usualAt when.Instant // when that was counted; 0 is never
	on      bool
}

// Work returns how many zero bits the proof of work for a visitor's booking at the workspace must have: at least
// always. While visitors book several times as much as usual, and more than 60 times an hour, it is at least 16, unless
// most is less than 1 (no limit, see Client).
func (s *Service) Work(ctx context.Context, ws catalog.WorkspaceID, always, most int) (bits int, err error) {
	if most < 1 || always >= rushBits {
		return always, nil
	}
	r, now := s.rushes.find(ws), when.At(s.Core.Now())
	r.mu.Lock()
	defer r.mu.Unlock()
	// Whoever asks books once at most, so that the count can't pass the limit here before as many have asked as are
	// left. Other servers book, too.
	r.asked++
	if r.read == 0 || now < r.read || now >= r.read.Add(rushFresh) || !r.on && r.asked > r.most()-r.lately {
		if err := s.recount(ctx, ws, r, now); err != nil {
			return 0, err
		}
	}
	if r.on {
		return rushBits, nil
	}
	return always, nil
}

// most returns how many bookings in an hour are no rush yet.
func (r *rush) most() int { return max(rushFloor, rushTimes*r.usual) }

// recount counts the bookings of the last hour, and where they are many those of the weeks before.
func (s *Service) recount(ctx context.Context, ws catalog.WorkspaceID, r *rush, now when.Instant) (err error) {
	hour := now.Add(-time.Hour)
	if r.lately, err = s.Reader(ctx).VisitorsBooked(ws, hour, 0); err != nil {
		return err
	}
	if r.lately >= rushFloor && (r.usualAt == 0 || now < r.usualAt || now >= r.usualAt.Add(time.Hour)) {
		before, err := s.Reader(ctx).VisitorsBooked(ws, hour.Add(-usualSpan), hour)
		if err != nil {
			return err
		}
		r.usual, r.usualAt = before/usualHours, now
	}
	r.read, r.asked = now, 1
	on := r.lately >= r.most()
	if on && !r.on {
		s.Core.Log().WarnContext(ctx, "visitors book far more than usual: each booking costs a proof of work",
			"workspace", ws.String(), "lastHour", r.lately, "usualHour", r.usual)
	}
	r.on = on
	return nil
}

func (all *rushes) find(ws catalog.WorkspaceID) *rush {
	all.mu.Lock()
	defer all.mu.Unlock()
	r := all.of[ws]
	if r == nil {
		if len(all.of) >= rushKept {
			clear(all.of) // they are counted again
		}
		r = &rush{}
		all.of[ws] = r
	}
	return r
}
