package health

import (
	"context"
	"path/filepath"

	"daybook/app/when"
	"daybook/views/finding"
)

// Waiting is how much work of a queue is due that no server works at.
type Waiting struct {
	Queue string
	Due   int          // at most as many as were asked for
	Since when.Instant // of the oldest; 0 for none
}

// MostWaiting is how many due rows of a queue are counted.
const MostWaiting = 10_000

// Figures are what a server measures, for programs that watch it.
type Figures struct {
	Now      when.Instant
	Findings []finding.Finding // as Watch found them last, at most two minutes ago
	Work     []Waiting
	Changes  int64 // of bookings, since the database was made

	Sized           bool // the sizes are known
	Database, Log   int64
	Roomed          bool // the disk of the database is this machine's, and known
	Size, Free      int64
	CertificateEnds map[string]when.Instant // by domain
}

// Figures measures. What can't be known is left out. It costs a few short queries.
func (s *Service) Figures(ctx context.Context) (f Figures, err error) {
	f.Now = when.At(s.Core.Now())
	if f.Findings, err = s.freshFindings(ctx, f.Now); err != nil {
		return f, err
	}
	r := s.Reader(ctx)
	if f.Work, err = r.WaitingWork(f.Now, MostWaiting); err != nil {
		return f, err
	}
	if f.Changes, err = r.LastChange(); err != nil {
		return f, err
	}
	m := &s.machine
	if database, log, unknown := m.bytes(ctx); unknown == nil {
		f.Sized, f.Database, f.Log = true, database, log
	}
	if m.Path != "" {
		if space, unknown := m.Space(filepath.Dir(m.Path)); unknown == nil {
			f.Roomed, f.Size, f.Free = true, space.Size, space.Free
		}
	}
	f.CertificateEnds = map[string]when.Instant{}
	for _, domain := range m.Domains {
		data, err := s.upkeep.Certificate(ctx, domain)
		if err != nil {
			continue // none yet, which the check of it tells
		}
		if end, err := endOf(data); err == nil {
			f.CertificateEnds[domain] = end
		}
	}
	return f, nil
}

// freshFindings are those of the last Step, or new ones where it is too old.
func (s *Service) freshFindings(ctx context.Context, now when.Instant) ([]finding.Finding, error) {
	s.mu.Lock()
	found, at := s.last, s.lastAt
	s.mu.Unlock()
	if found == nil || at > now || at < now.Add(-fresh) {
		return s.look(ctx)
	}
	return found, nil
}
