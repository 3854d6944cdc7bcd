package health

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/views/finding"
)

const toldName = "told" // a server value: problems

// problem is something that is or was wrong, and whether owners know.
type problem struct {
	Since when.Instant `json:"since"`          // that it is wrong
	Told  when.Instant `json:"told,omitzero"`  // that owners were told; 0 for not yet
	Well  when.Instant `json:"well,omitzero"`  // that it is well again; 0 while it is wrong
	Where string       `json:"where,omitzero"` // the machine that it is of; "" is the database
}

// forgotten is how long a problem is remembered of a machine that doesn't look any more.
const forgotten = 30 * when.Day

// problems are by what they are of, see keyOf.
type problems map[string]problem

// keyOf names what a finding is about: the same trouble at another state is the same problem.
func (m *Machine) keyOf(f *finding.Finding) string {
	key := f.Check + " " + f.About
	if f.Local {
		key += " @" + m.Name
	}
	return key
}

// next returns what is known after a look, and what to tell of it. A look of this machine judges its own problems, and
// those of the database if it leads.
func (p problems) next(m *Machine, found []finding.Finding, leads bool, now when.Instant) (problems,
	[]finding.Finding) {
	after := maps.Clone(p)
	if after == nil {
		after = problems{}
	}
	var tell []finding.Finding
	wrong := map[string]bool{}
	for i := range found {
		f := &found[i]
		if f.State == finding.OK || f.Audience < finding.ByMail || !f.Local && !leads {
			continue
		}
		key := m.keyOf(f)
		wrong[key] = true
		is, known := after[key]
		if !known || is.Since > now { // or the clock was set back
			is = problem{Since: now, Told: is.Told}
			if f.Local {
				is.Where = m.Name
			}
		}
		is.Well = 0
		if is.Told == 0 && now >= is.Since.Add(patience) {
			is.Told = now
			tell = append(tell, *f)
		}
		after[key] = is
	}
	for key, is := range after {
		switch {
		case wrong[key]:
		case is.Where != "" && is.Where != m.Name || is.Where == "" && !leads:
			if is.Since < now.Add(-forgotten) && is.Where != "" {
				delete(after, key)
			}
		case is.Told == 0:
			delete(after, key)
		case is.Well == 0 || is.Well > now:
			is.Well = now
			after[key] = is
		case now >= is.Well.Add(wellFor):
			delete(after, key)
		}
	}
	return after, tell
}

func (s *Service) told(r Reader) (p problems, text string, err error) {
	text, err = r.ServerValue(toldName)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, "", nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &p)
	}
	return p, text, err
}

// tell notes what is wrong, and mails the owners of the workspace that looks after the server what they don't know yet:
// both in one transaction, so that neither a restart nor another server repeats it.
func (s *Service) tell(ctx context.Context, found []finding.Finding) error {
	leads := s.Share().Buckets.Leads()
	now := when.At(s.Core.Now())
	p, _, err := s.told(s.Reader(ctx))
	if err != nil {
		return err
	}
	after, tell := p.next(&s.machine, found, leads, now)
	if maps.Equal(p, after) {
		return nil
	}
	change := s.Quietly
	if len(tell) > 0 {
		change = s.Write // wakes those who send mails
	}
	return change(ctx, func(tx Tx) error {
		p, old, err := s.told(tx)
		if err != nil {
			return err
		}
		after, tell := p.next(&s.machine, found, leads, now)
		text, err := json.Marshal(after)
		if err != nil {
			return err
		}
		if swapped, err := tx.SwapServerValue(toldName, old, string(text)); err != nil || !swapped || len(tell) == 0 {
			return err // where another server was faster, the next look does the rest
		}
		ws, err := tx.OldestWorkspace()
		if errors.Is(err, fault.ErrNotFound) {
			return nil // there is nobody to tell
		}
		if err != nil {
			return err
		}
		return s.mails.ServerTrouble(tx, ws, tell)
	})
}

const lookEvery = time.Minute

// Step checks everything once, saves the sizes when it is time, and tells owners of problems.
func (s *Service) Step(ctx context.Context) error {
	found, err := s.look(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.last, s.lastAt = found, when.At(s.Core.Now())
	s.mu.Unlock()
	if s.Share().Buckets.Leads() {
		if err := s.Sample(ctx); err != nil {
			return err
		}
	}
	return s.tell(ctx, found)
}

// Watch does a Step every minute until ctx ends.
func (s *Service) Watch(ctx context.Context) error {
	work.Every(ctx, lookEvery, s.Step, func(err error, repeated int) {
		s.Core.Log().Warn("how the server is can't be found out", "error", err, "repeated", repeated)
	})
	return nil
}
