package replica

import "time"

// Status is how a replica is.
type Status struct {
	Leading bool // this process replicates, and no other one
	Ready   bool // a whole copy stands in at least one target
	Targets []Target
}

// Target is how a target is.
type Target struct {
	Name    string
	Synced  time.Time // until when it has everything; zero for never
	Problem string    // why it is behind; "" if it isn't, or is being filled
	Since   time.Time // since when there is a problem
}

// Status says how the replica is.
func (r *Replica) Status() Status {
	r.mu.Lock()
	s := Status{Leading: r.leading}
	synced := r.synced
	r.mu.Unlock()
	for _, m := range r.set.members {
		s.Targets = append(s.Targets, m.status(synced))
		s.Ready = s.Ready || m.isUp() && !synced.IsZero()
	}
	return s
}

func (m *member) status(synced time.Time) Target {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := Target{Name: m.String(), Synced: m.synced, Since: m.since}
	if !m.behind {
		t.Synced = synced
	}
	if m.problem != nil {
		t.Problem = m.problem.Error()
	}
	return t
}
