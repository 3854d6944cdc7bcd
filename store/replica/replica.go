package replica

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/litestream"
	"github.com/superfly/ltx"

	"daybook/store/sqlite"
)

const (
	readEvery  = 250 * time.Millisecond // the log
	sendEvery  = 500 * time.Millisecond // what was read of it
	lookEvery  = time.Second            // after the targets
	againEvery = 2 * time.Second        // a target that is behind is tried; up to againMost
	againMost  = 15 * time.Second
	renewEvery = leaseTime / 3
	syncTime   = 2 * time.Minute // that one sync may take
	keepLocal  = 10 * time.Minute
	// DefaultKeep is how long moments are kept.
	DefaultKeep = 30 * 24 * time.Hour
)

// Config says what is replicated, and where to.
type Config struct {
	Path     string     // of the database, by its real name
	Database string     // its id
	DB       *sqlite.DB // open and serving; only Check does without it
	Targets  []Objects
	Key      *Key          // nil leaves the copies unencrypted
	Keep     time.Duration // 0 is DefaultKeep
	Waiting  int64         // bytes that may wait on this machine; 0 is twice the database, and at least 1 GiB
	Stuck    time.Duration // without a sync though a target answers, after which it begins anew; 0 is four minutes
	Ending   time.Duration // that Close waits for the last transactions; 0 is four seconds
	Log      *slog.Logger
}

// Replica replicates a database that this process serves. Its methods may be called at the same time.
type Replica struct {
	c   Config
	set *set

	mu      sync.Mutex // guards what follows
	db      *litestream.DB
	store   *litestream.Store
	closed  bool
	leading bool
	opened  time.Time
	joined  bool      // the log is Litestream's: nobody else can let it begin again
	copied  bool      // Close has copied everything
	synced  time.Time // until when everything that was committed has been sent
	revived time.Time // when a target answered again after all were gone

	due     map[*member]time.Time // when a member that is behind is tried again
	pauses  map[*member]time.Duration
	leases  map[*member]*lease
	cleaned map[*member]bool
	held    time.Time // when the leases were made longer

	resumed *salts // of the log with which an earlier process's replica goes on; nil for one that began anew
}

// New makes a replica that does nothing yet.
func New(c Config) *Replica {
	if c.Keep == 0 {
		c.Keep = DefaultKeep
	}
	if c.Stuck == 0 {
		c.Stuck = 2 * syncTime
	}
	if c.Ending == 0 {
		c.Ending = 4 * time.Second
	}
	r := &Replica{c: c, set: &set{key: c.Key, dir: c.local(), log: c.Log}, due: map[*member]time.Time{},
		pauses: map[*member]time.Duration{}, leases: map[*member]*lease{}, cleaned: map[*member]bool{}}
	for _, o := range c.Targets {
		m := &member{Objects: o, behind: true}
		r.set.members = append(r.set.members, m)
		r.leases[m] = &lease{}
	}
	return r
}

// local returns the directory beside the database with what was not sent yet.
func (c *Config) local() string { return localDir(c.Path) }

func localDir(path string) string { return path + "-replica" }

// Check claims the targets that answer. It fails when one has another database's replica, or is encrypted with another
// key; what doesn't answer is tried again by Run.
func (r *Replica) Check(ctx context.Context) error {
	errs := make([]error, len(r.set.members))
	var all sync.WaitGroup
	for i, m := range r.set.members {
		all.Go(func() { errs[i] = m.try(ctx, 0, func(ctx context.Context) error { return r.check(ctx, m) }) })
	}
	all.Wait()
	for i, err := range errs {
		switch {
		case errors.Is(err, ErrOther) || errors.Is(err, ErrKey):
			return err
		case err != nil:
			r.set.members[i].fail(err, r.c.Log)
		}
	}
	return nil
}

func (r *Replica) check(ctx context.Context, m *member) error {
	if err := r.claim(ctx, m); err != nil {
		return err
	}
	compares, err := m.Compares(ctx)
	if err == nil && !compares {
		r.c.Log.Info("this place for replicas can't compare: of two machines with this database, both may write there for "+
			"a minute", "replica", m.String())
	}
	return err
}

func (r *Replica) claim(ctx context.Context, m *member) error {
	return claim(ctx, m, r.c.local(), r.c.Database, r.c.Key, time.Now())
}

// Run replicates until ctx ends. Then Close sends what is left.
func (r *Replica) Run(ctx context.Context) error {
	var confirming sync.WaitGroup
	defer confirming.Wait()
	confirming.Go(func() { r.confirm(ctx) })
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := r.look(ctx); err != nil && ctx.Err() == nil {
			r.c.Log.Warn("the replica can't be kept", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// confirm sees once a second until when everything has been sent, until ctx ends. Litestream alone knows of what it has
// read of the log only.
func (r *Replica) confirm(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r.mu.Lock()
		db := r.db
		joined := r.joined
		r.mu.Unlock()
		if !joined || len(r.set.up()) == 0 {
			continue
		}
		began := time.Now()
		within, stop := context.WithTimeout(ctx, syncTime)
		err := db.SyncAndWait(within) // what goes wrong is logged by the loop that does the same
		stop()
		if err == nil {
			r.mu.Lock()
			r.synced = began
			r.mu.Unlock()
		}
	}
}

// look does what is due.
func (r *Replica) look(ctx context.Context) error {
	if leads, err := r.lead(); err != nil || !leads {
		return errors.Join(err, r.c.DB.ReleaseLog())
	}
	r.renew(ctx)
	r.revive(ctx)
	if len(r.set.up()) > 0 {
		if err := r.open(ctx); err != nil {
			return err
		}
		r.catchUp(ctx)
	}
	return r.mend(ctx)
}

func (r *Replica) lead() (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.leading || r.closed {
		return !r.closed, nil
	}
	leads, err := r.c.DB.LeadReplica()
	if err != nil || !leads {
		return false, err
	}
	if err := os.MkdirAll(r.c.local(), 0o700); err != nil {
		return false, err
	}
	left, err := os.ReadDir(r.c.local())
	for i := 0; i < len(left) && err == nil; i++ {
		if name := left[i].Name(); strings.HasPrefix(name, "test-") || strings.HasPrefix(name, "sending-") { // of a process that was killed
			err = os.RemoveAll(filepath.Join(r.c.local(), name))
		}
	}
	if err != nil {
		return false, err
	}
	holder, err := readHolder(r.c.local())
	if err != nil {
		return false, err
	}
	for _, l := range r.leases {
		l.holder = holder
	}
	r.leading = true
	return true, nil
}

// renew makes the leases longer. Who lost one doesn't write there any more.
func (r *Replica) renew(ctx context.Context) {
	if time.Since(r.held) < renewEvery {
		return
	}
	r.held = time.Now()
	for _, m := range r.set.up() {
		if err := r.renewOne(ctx, m); err != nil {
			m.fail(err, r.c.Log)
		}
	}
}

func (r *Replica) renewOne(ctx context.Context, m *member) error {
	return m.try(ctx, 0, func(ctx context.Context) error { return r.leases[m].renew(ctx, m, time.Now()) })
}

// answers claims a member and takes its lease, if it is time to try that again.
func (r *Replica) answers(ctx context.Context, m *member) bool {
	now := time.Now()
	if now.Before(r.due[m]) {
		return false
	}
	m.mu.Lock()
	busy := m.calls > 0
	m.mu.Unlock()
	var err error = errPatience
	if !busy {
		err = m.try(ctx, 0, func(ctx context.Context) error { return r.claim(ctx, m) })
	}
	if err == nil {
		err = r.renewOne(ctx, m)
	}
	if c, ok := m.Objects.(cleaner); ok && err == nil && !r.cleaned[m] {
		err = m.try(ctx, 0, c.Clean)
		r.cleaned[m] = err == nil
	}
	if err != nil && ctx.Err() == nil {
		m.fail(err, r.c.Log)
		r.later(m)
	}
	return err == nil
}

func (r *Replica) later(m *member) {
	r.pauses[m] = min(max(againEvery, 2*r.pauses[m]), againMost)
	r.due[m] = time.Now().Add(r.pauses[m])
}

// revive chooses the member to go on with when none has everything: at the beginning, and after all were gone. It is
// the one with the newest transaction.
func (r *Replica) revive(ctx context.Context) {
	if len(r.set.up()) > 0 {
		return
	}
	var best *member
	last := ltx.TXID(0)
	for _, m := range r.set.members {
		if !r.answers(ctx, m) {
			continue
		}
		f, err := newest(ctx, m)
		switch {
		case err != nil:
			m.fail(err, r.c.Log)
			r.later(m)
		case best == nil || f.max > last:
			best, last = m, f.max
		}
	}
	if best != nil {
		best.rise(r.c.Log)
		delete(r.pauses, best)
		r.mu.Lock()
		r.revived = time.Now()
		r.mu.Unlock()
	}
}

// newest returns the file of a member with the newest transactions; the zero one where it has none.
func newest(ctx context.Context, m *member) (f file, err error) {
	err = m.try(ctx, 0, func(ctx context.Context) error {
		all, err := list(ctx, m, 0)
		for i := range all {
			if all[i].max > f.max {
				f = all[i]
			}
		}
		return err
	})
	return f, err
}

// catchUp fills the members that are behind.
func (r *Replica) catchUp(ctx context.Context) {
	for _, m := range r.set.members {
		if m.isUp() || !r.ready() || !r.answers(ctx, m) {
			continue
		}
		if err := r.set.catchUp(ctx, m); err != nil && ctx.Err() == nil {
			m.fail(err, r.c.Log)
			r.later(m)
			continue
		}
		delete(r.pauses, m)
	}
}

// open begins to read the log, where an earlier process ended if it can.
func (r *Replica) open(ctx context.Context) error {
	r.mu.Lock()
	db, joined, closed := r.db, r.joined, r.closed
	r.mu.Unlock()
	if closed || joined {
		return nil
	}
	if db == nil {
		if err := r.begin(ctx); err != nil {
			return err
		}
		var err error
		if db, err = r.read(ctx); err != nil || db == nil {
			return err
		}
	}
	return r.join(ctx, db)
}

// begin sees whether the replica can go on. Where it can't, nothing of the log must be left that Litestream could take
// for what it knows.
func (r *Replica) begin(ctx context.Context) error {
	began := time.Now()
	fits, at, err := r.resumes(ctx)
	if err != nil {
		r.c.DB.KeepLog(false)
		return err
	}
	if fits {
		r.resumed = &at
		r.c.Log.Info("the replica goes on where it was", "took", time.Since(began))
		return nil
	}
	r.resumed = nil
	return r.c.DB.EmptyLog()
}

// read has Litestream read the log. It returns nil after Close.
func (r *Replica) read(ctx context.Context) (*litestream.DB, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, nil
	}
	db := litestream.NewDB(r.c.Path)
	db.SetMetaPath(r.c.local())
	db.MonitorInterval = readEvery
	db.CheckpointInterval = 0 // the store empties the log
	db.MinCheckpointPageN, db.TruncatePageN = math.MaxInt32, -1
	rep := litestream.NewReplicaWithClient(db, r.set)
	rep.SyncInterval = sendEvery
	db.Replica = rep
	s := litestream.NewStore([]*litestream.DB{db}, litestream.DefaultCompactionLevels)
	log := slog.New(troubles{r.c.Log.Handler()})
	s.Logger = log
	db.SetLogger(log)
	s.SnapshotRetention = r.c.Keep
	s.SetL0Retention(keepLocal)
	s.SetShutdownSyncTimeout(r.c.Ending)
	if err := s.Open(ctx); err != nil {
		return nil, err
	}
	r.db, r.store, r.opened = db, s, time.Now()
	return db, nil
}

// ready tells whether a whole copy stands.
func (r *Replica) ready() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.db != nil && !r.synced.IsZero()
}

// mend begins anew, with a snapshot, when what is on this machine does not fit what the targets have, or has become
// too large to keep while they are gone.
func (r *Replica) mend(ctx context.Context) error {
	r.mu.Lock()
	db := r.db
	stuck := min(time.Since(r.opened), time.Since(r.synced), time.Since(r.revived)) > r.c.Stuck
	r.mu.Unlock()
	if db == nil {
		return nil
	}
	reason := ""
	if stuck && len(r.set.up()) > 0 {
		reason = "nothing could be sent for minutes"
	}
	if len(r.set.up()) == 0 {
		size, err := sizeOf(r.c.local())
		if err != nil {
			return err
		}
		if size > r.bound() { // while they are gone it is not opened again
			reason = "what waits to be sent has become too large"
		}
	}
	if reason == "" {
		return nil
	}
	return r.anew(ctx, reason)
}

// anew ends, and forgets what is on this machine, so that the next open begins with the whole database.
func (r *Replica) anew(ctx context.Context, reason string) error {
	r.c.Log.Warn("the replica begins anew with a copy of the whole database", "reason", reason)
	if err := r.stop(ctx); err != nil {
		r.c.Log.Warn("the replica did not end cleanly", "error", err)
	}
	r.mu.Lock()
	r.copied = false // what is written from now on isn't
	r.mu.Unlock()
	return os.RemoveAll(filepath.Join(r.c.local(), "ltx"))
}

// bound returns how much may wait on this machine for targets that are gone.
func (r *Replica) bound() int64 {
	if r.c.Waiting != 0 {
		return r.c.Waiting
	}
	info, err := os.Stat(r.c.Path)
	if err != nil {
		return math.MaxInt64
	}
	return max(1<<30, 2*info.Size())
}

func sizeOf(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			n += info.Size()
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	})
	return n, err
}

// stop ends the reading, after the last transactions were sent.
func (r *Replica) stop(ctx context.Context) error {
	r.mu.Lock()
	s, joined := r.store, r.joined
	r.db, r.store, r.joined = nil, nil, false
	r.mu.Unlock()
	if s == nil {
		return nil
	}
	ctx, end := context.WithTimeout(ctx, r.c.Ending+time.Second)
	defer end()
	err := s.Close(ctx)
	r.mu.Lock()
	r.copied = joined && err == nil
	r.mu.Unlock()
	return err
}

// Checkpoint moves the log into the database and lets it begin again; the database's writer is paused meanwhile. It
// does nothing while another process replicates, or nothing is open; done tells whether it did it.
func (r *Replica) Checkpoint(ctx context.Context) (done bool, err error) {
	r.mu.Lock()
	db, joined := r.db, r.joined
	r.mu.Unlock()
	if !joined {
		return false, nil
	}
	return true, db.Checkpoint(ctx, litestream.CheckpointModePassive)
}

// Close sends what is left, for some seconds at most, and ends. It may be called again. copied tells whether the next
// process can go on from what the file has now.
func (r *Replica) Close() (copied bool, err error) {
	r.mu.Lock()
	closed := r.closed
	r.closed = true
	r.mu.Unlock()
	if closed {
		return false, nil
	}
	err = r.stop(context.Background())
	ctx, end := context.WithTimeout(context.Background(), time.Second)
	defer end()
	for _, m := range r.set.up() {
		// A lease that can't be given back ends by itself.
		_ = m.try(ctx, 0, func(ctx context.Context) error { return r.leases[m].release(ctx, m, time.Now()) })
	}
	if err != nil {
		return false, fmt.Errorf("the replica lacks the last seconds: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.copied, nil
}
