package movein

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/netip"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/catalog"
	"daybook/app/fault"
)

const (
	lookTime = 20 * time.Minute // how long another program may be read
	moveTime = time.Hour        // how long an import may take
	keepTime = 30 * time.Minute // how long what was read, or a report, is kept
	mostJobs = 8                // of all workspaces; what was read lies in memory
)

// Config says what pages that move a business in may reach.
type Config struct {
	Allow    []netip.Prefix // networks that the operator lists with --webhook-allow
	Calendly string         // the address of its API; "" is the public one
}

// CalendlyAPI returns the address of Calendly's API, which members don't type.
func (s *Service) CalendlyAPI() string { return cmp.Or(s.config.Calendly, "https://api.calendly.com") }

// Law says which addresses that members type may be called: the public internet, and what the operator allows.
func (s *Service) Law() *address.Law {
	return &address.Law{Allow: s.config.Allow, Option: "--webhook-allow"}
}

// Stage is how far a Job has come.
type Stage string

const (
	Looking Stage = "looking" // the other program is read
	Looked  Stage = "looked"  // Report says what would be done; or Wrong why it can't be read
	Moving  Stage = "moving"  // the business is taken over
	Moved   Stage = "moved"   // Report says what was done; or Wrong why it stopped there
)

// Job is a business that moves in from a page: looked at first, and then taken over. It lives in the memory of the server that began
// it, for half an hour from its last step.
type Job struct {
	ID      string
	Program string // as who began it calls the other program
	Stage   Stage
	Part    Kind // of what it is at
	Done    int  // of Part
	All     int  // of Part; 0 where nobody knows
	Report  MovedBusiness
	Wrong   fault.Text // why the last step failed; empty where it didn't
}

// Runs reports whether the job is at something.
func (j *Job) Runs() bool { return j.Stage == Looking || j.Stage == Moving }

// job is a Job with what only this server needs of it.
type job struct {
	Job
	business *Business          // what was read, until it is taken over
	stop     context.CancelFunc // of what it is at
	until    time.Time          // when it is forgotten, unless it runs
}

// jobs are those of this process.
type jobs struct {
	mu  sync.Mutex
	all map[catalog.WorkspaceID]*job
}

// of returns the job of the workspace, or nil. The lock is the caller's.
func (j *jobs) of(ws catalog.WorkspaceID) *job {
	maps.DeleteFunc(j.all, func(_ catalog.WorkspaceID, x *job) bool { return !x.Runs() && time.Now().After(x.until) })
	return j.all[ws]
}

// forgetLater forgets the job when its time is over, also if nobody asks for it.
func (j *jobs) forgetLater(ws catalog.WorkspaceID) {
	time.AfterFunc(keepTime+time.Second, func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.of(ws)
	})
}

// JobOf returns the workspace's job. ok is false where there is none on this server. Errors: forbidden.
func (s *Service) JobOf(a app.Actor) (of Job, ok bool, err error) {
	if err := MayMove(a); err != nil {
		return Job{}, false, err
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	if x := s.jobs.of(a.Workspace); x != nil {
		return x.Job, true, nil
	}
	return Job{}, false, nil
}

// LookAt begins a job: read reads the other program, which is forgotten with its key once it has returned, and what taking the
// business over would do becomes the job's report. It returns at once, in place of a job that doesn't run. Errors: forbidden, conflict
// move_runs, unavailable.
func (s *Service) LookAt(ctx context.Context, a app.Actor, program string, read func(context.Context) (*Business, error)) (Job, error) {
	if err := MayMove(a); err != nil {
		return Job{}, err
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	switch was := s.jobs.of(a.Workspace); {
	case was != nil && was.Runs():
		return was.Job, fault.Conflictf("move_runs", "A business is moving in already. Wait until that is done.")
	case was == nil && len(s.jobs.all) >= mostJobs:
		return Job{}, fault.New(fault.Unavailable, "busy", "Too many businesses are moving in right now. Try again in half an hour.")
	}
	x := &job{Job: Job{ID: rand.Text(), Program: program, Stage: Looking}}
	err := s.begin(ctx, a, x, lookTime, func(ctx context.Context) (report MovedBusiness, b *Business, err error) {
		if b, err = read(ctx); err != nil {
			return report, nil, err
		}
		report, err = s.PreviewBusiness(ctx, a, *b)
		return report, b, err
	})
	if err == nil {
		s.jobs.all[a.Workspace] = x
	}
	return x.Job, err
}

// MoveLooked takes over what the job with the id has read, as it was shown. It returns at once. Errors: forbidden, conflict move_gone.
func (s *Service) MoveLooked(ctx context.Context, a app.Actor, id string) error {
	if err := MayMove(a); err != nil {
		return err
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	x := s.jobs.of(a.Workspace)
	if x == nil || x.ID != id || x.Stage != Looked || x.business == nil {
		return fault.Conflictf("move_gone", "What was read is not here any more. Begin again: nothing is doubled.")
	}
	b := x.business
	was := x.Job
	x.Stage, x.business = Moving, nil
	err := s.begin(ctx, a, x, moveTime, func(ctx context.Context) (MovedBusiness, *Business, error) {
		report, err := s.MoveBusiness(ctx, a, *b)
		return report, nil, err
	})
	if err != nil {
		x.Job, x.business = was, b
	}
	return err
}

// EndJob stops reading, or forgets a job that doesn't run. An import goes on. Errors: forbidden.
func (s *Service) EndJob(a app.Actor) error {
	if err := MayMove(a); err != nil {
		return err
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	if x := s.jobs.of(a.Workspace); x != nil && x.Stage != Moving {
		if x.Stage == Looking {
			x.stop()
		}
		delete(s.jobs.all, a.Workspace)
	}
	return nil
}

// begin does a step of the job, on its own. The lock is the caller's. Errors: unavailable.
func (s *Service) begin(ctx context.Context, a app.Actor, x *job, most time.Duration,
	do func(context.Context) (MovedBusiness, *Business, error)) error {
	x.Part, x.Done, x.All, x.Wrong = "", 0, 0, fault.Text{}
	stoppable, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := false
	ended := s.people.Beside(stoppable, func(server context.Context) {
		ctx, end := context.WithTimeout(server, most)
		defer end()
		defer context.AfterFunc(stoppable, end)()
		ctx = WithProgress(ctx, func(of Kind, n, all int) {
			s.jobs.mu.Lock()
			defer s.jobs.mu.Unlock()
			x.Part, x.Done, x.All = of, n, all
		})
		report, b, err := do(ctx)
		wrong := s.whyStopped(err, most)
		s.jobs.mu.Lock()
		defer s.jobs.mu.Unlock()
		x.Report, x.business, x.Wrong, done = report, b, wrong, true
	})
	if ended == nil {
		stop()
		return fault.New(fault.Unavailable, "busy", "This server is busy with other imports, or about to stop. Try again in a minute.")
	}
	x.stop = stop
	go func() {
		err := <-ended
		stop()
		s.jobs.mu.Lock()
		defer s.jobs.mu.Unlock()
		if !done { // it has panicked
			x.business, x.Wrong = nil, s.whyStopped(err, most)
		}
		x.Stage = map[Stage]Stage{Looking: Looked, Moving: Moved}[x.Stage]
		x.until = time.Now().Add(keepTime)
		s.jobs.forgetLater(a.Workspace)
	}()
	return nil
}

// whyStopped says why a step of a job failed, and what to do.
func (s *Service) whyStopped(err error, most time.Duration) fault.Text {
	var said interface{ Text() fault.Text }
	switch {
	case err == nil:
		return fault.Text{}
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Textf("It took longer than %d minutes, and was stopped. Begin again: nothing is doubled.", int(most.Minutes()))
	case errors.Is(err, context.Canceled):
		return fault.Textf("The server was stopped meanwhile. Begin again: nothing is doubled.")
	case errors.As(err, &said):
		return said.Text()
	}
	s.Core.Log().Error("a business that moves in stopped", "error", err)
	return fault.Textf("It was stopped by an error, which the server's log has. Begin again: nothing is doubled.")
}
