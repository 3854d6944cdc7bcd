package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/benbjohnson/litestream"
	"github.com/superfly/ltx"

	"daybook/app/fault"
)

// set is several targets as the one that Litestream knows. A file is written when one target has it; a target that
// missed one is behind, gets nothing more, and is made equal to another one once it answers again (see catchUp). So a
// target that is down, full or hangs keeps the others from nothing.
type set struct {
	members []*member
	key     *Key
	dir     string // for files on their way
	log     *slog.Logger
	writing sync.RWMutex // writers have it shared, and who makes a member equal alone
}

// member is a target of the set.
type member struct {
	Objects
	mu      sync.Mutex
	behind  bool
	calls   int       // that are under way, also those that nobody waits for any more
	synced  time.Time // when it fell behind
	problem error     // why
	since   time.Time // when that began
	trouble fault.Seldom
}

// patience returns how long the others wait for a member, and size bytes more.
func patience(size int64) time.Duration { return 15*time.Second + time.Duration(size>>20)*time.Second }

var errPatience = errors.New("it does not answer in time")

// try runs a call of the member, and waits no longer than its patience: a call that hangs, as on a disk of a network
// that is gone, ends when it can.
func (m *member) try(ctx context.Context, size int64, call func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, patience(size))
	m.count(1)
	done := make(chan error, 1)
	go func() {
		defer m.count(-1)
		defer stop()
		done <- call(ctx)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done: // it has just ended, and with it the context
		return err
	default:
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errPatience
	}
	return ctx.Err()
}

func (m *member) count(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls += n
}

// isUp tells whether the member has all files.
func (m *member) isUp() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.behind
}

// fail notes that the member is behind from now on.
func (m *member) fail(err error, log *slog.Logger) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if !m.behind {
		m.behind, m.synced = true, now
	}
	if m.problem == nil {
		m.since = now
	}
	m.problem = err
	if repeated, say := m.trouble.Say(err); say {
		log.Warn("a replica can't be written; bookings go on, and it is made up for later",
			"replica", m.String(), "error", err, "repeated", repeated)
	}
}

// rise notes that the member has everything.
func (m *member) rise(log *slog.Logger) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.behind, m.problem, m.since = false, nil, time.Time{}
	if m.trouble.Over() {
		log.Info("a replica is complete again", "replica", m.String())
	}
}

// up returns the members that have everything.
func (s *set) up() []*member {
	return slices.DeleteFunc(slices.Clone(s.members), func(m *member) bool { return !m.isUp() })
}

var errNoTarget = errors.New("no replica can be reached")

// Type implements litestream.ReplicaClient.
func (s *set) Type() string { return "daybook" }

// Init implements litestream.ReplicaClient.
func (s *set) Init(context.Context) error { return nil }

// SetLogger implements litestream.ReplicaClient.
func (s *set) SetLogger(*slog.Logger) {}

// LTXFiles implements litestream.ReplicaClient.
func (s *set) LTXFiles(ctx context.Context, level int, seek ltx.TXID, _ bool) (ltx.FileIterator, error) {
	var infos []*ltx.FileInfo
	err := s.first(func(m *member) error {
		infos = nil
		return m.try(ctx, 0, func(ctx context.Context) error {
			all, err := list(ctx, m, level)
			for _, f := range all {
				if f.min >= seek {
					infos = append(infos, s.info(f))
				}
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return ltx.NewFileInfoSliceIterator(infos), nil
}

func (s *set) info(f file) *ltx.FileInfo {
	return &ltx.FileInfo{Level: f.level, MinTXID: f.min, MaxTXID: f.max, CreatedAt: f.at, Size: s.key.size(f.stored)}
}

// first calls a member that has everything, and where that fails another one. A file that one hasn't is looked for in
// the next.
func (s *set) first(call func(*member) error) error {
	err := errNoTarget
	for _, m := range s.up() {
		if err = call(m); err == nil {
			return nil
		}
	}
	return err
}

// OpenLTXFile implements litestream.ReplicaClient. The error wraps os.ErrNotExist when there is none.
func (s *set) OpenLTXFile(ctx context.Context, level int, low, high ltx.TXID, offset,
	size int64) (content io.ReadCloser, err error) {
	err = s.first(func(m *member) (err error) {
		f, err := find(ctx, m, level, low, high)
		if err != nil {
			return err
		}
		content, err = s.read(ctx, m, f.name(), offset, size)
		return err
	})
	return content, err
}

// read opens a file of a target decrypted.
func (s *set) read(ctx context.Context, o Objects, name string, offset, size int64) (io.ReadCloser, error) {
	if s.key == nil {
		return o.Read(ctx, name, offset, size)
	}
	stored, err := o.Read(ctx, name, 0, 0)
	if err != nil {
		return nil, err
	}
	r, err := s.key.open(stored, offset)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s of %s can't be decrypted: %w", name, o, err), stored.Close())
	}
	if size > 0 {
		r = io.LimitReader(r, size)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, stored}, nil
}

// WriteLTXFile implements litestream.ReplicaClient. The file is on the disk of this machine first: a target wants to
// know its size, and a snapshot keeps the log from being emptied until it is read.
func (s *set) WriteLTXFile(ctx context.Context, level int, low, high ltx.TXID, r io.Reader) (*ltx.FileInfo, error) {
	part, at, plain, err := s.spool(r)
	if err != nil {
		return nil, err
	}
	if c, ok := r.(io.Closer); ok && level == snapshots {
		c.Close() //nolint:errcheck // all of it was read
	}
	stored, err := part.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(err, part.Close())
	}
	f := file{level: level, min: low, max: high, at: at, stored: stored}
	s.writing.RLock()
	defer s.writing.RUnlock()
	members := s.up()
	errs := make([]error, len(members))
	var waiting, calls sync.WaitGroup
	for i, m := range members {
		calls.Add(1)
		waiting.Go(func() {
			errs[i] = m.try(ctx, stored, func(ctx context.Context) error {
				defer calls.Done()
				return m.Write(ctx, f.name(), io.NewSectionReader(part, 0, stored), stored)
			})
		})
	}
	go func() {
		calls.Wait() // also for one that nobody waits for any more
		part.Close() //nolint:errcheck // it has no name any more
	}()
	waiting.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	err = errNoTarget
	for i, m := range members {
		if errs[i] != nil {
			m.fail(errs[i], s.log)
		} else {
			err = nil
		}
	}
	if err != nil {
		return nil, errors.Join(append([]error{err}, errs...)...)
	}
	return &ltx.FileInfo{Level: level, MinTXID: low, MaxTXID: high, CreatedAt: at, Size: plain}, nil
}

// spool writes an LTX file, encrypted, into a file that has no name.
func (s *set) spool(r io.Reader) (part *os.File, at time.Time, plain int64, err error) {
	part, err = os.CreateTemp(s.dir, "sending-*") // 0600
	if err != nil {
		return nil, at, 0, err
	}
	defer func() {
		if err != nil {
			part.Close() //nolint:errcheck // the first error says why
		}
	}()
	if err := os.Remove(part.Name()); err != nil {
		return part, at, 0, err
	}
	head := make([]byte, ltx.HeaderSize)
	if _, err := io.ReadFull(r, head); err != nil {
		return part, at, 0, err
	}
	if at, err = timeOf(head); err != nil {
		return part, at, 0, err
	}
	sealed, err := s.key.seal(part)
	if err != nil {
		return part, at, 0, err
	}
	plain, err = io.Copy(sealed, io.MultiReader(bytes.NewReader(head), r))
	return part, at, plain, errors.Join(err, sealed.Close())
}

// DeleteLTXFiles implements litestream.ReplicaClient.
func (s *set) DeleteLTXFiles(ctx context.Context, infos []*ltx.FileInfo) error {
	if len(infos) == 0 {
		return nil
	}
	names := make([]string, len(infos))
	for i, x := range infos {
		names[i] = (&file{level: x.Level, min: x.MinTXID, max: x.MaxTXID, at: x.CreatedAt}).name()
	}
	s.writing.RLock()
	defer s.writing.RUnlock()
	err := errNoTarget
	for _, m := range s.up() {
		remove := func(ctx context.Context) error { return m.Remove(ctx, names) }
		if e := m.try(ctx, int64(len(names))<<10, remove); e != nil {
			m.fail(e, s.log)
		} else {
			err = nil
		}
	}
	return err
}

// DeleteAll implements litestream.ReplicaClient. Nothing here deletes a replica.
func (s *set) DeleteAll(context.Context) error { return errors.New("a replica is not deleted") }

// catchUp makes a member equal to one that has everything: what is missing is copied, the oldest levels last, so that
// the newest moments are there first; what has been merged or has expired is removed. Files are written only for a
// moment at the end.
func (s *set) catchUp(ctx context.Context, m *member) error {
	m.mu.Lock()
	busy := m.calls > 0
	m.mu.Unlock()
	if busy {
		return errPatience
	}
	up := s.up()
	if len(up) == 0 {
		return errNoTarget
	}
	from := up[0]
	for {
		n, err := s.copyMissing(ctx, from, m)
		if err != nil {
			return err
		}
		if n < 64 {
			break
		}
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if !from.isUp() {
		return errNoTarget
	}
	if _, err := s.copyMissing(ctx, from, m); err != nil {
		return err
	}
	m.rise(s.log)
	return nil
}

// copyMissing copies and removes files until the two have had the same, and returns how many.
func (s *set) copyMissing(ctx context.Context, from, to *member) (n int, err error) {
	for level := range levels {
		want, err := list(ctx, from, level)
		if err != nil {
			return n, fmt.Errorf("reading %s: %w", from, err)
		}
		have, err := list(ctx, to, level)
		if err != nil {
			return n, err
		}
		sizes := make(map[string]int64, len(have))
		for i := range have {
			sizes[have[i].name()] = have[i].stored
		}
		for i := range want {
			name := want[i].name()
			size, there := sizes[name]
			delete(sizes, name)
			if there && s.key.size(size) == s.key.size(want[i].stored) {
				continue
			}
			if err := s.copyFile(ctx, from, to, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return n, err
			}
			n++
		}
		old := make([]string, 0, len(sizes))
		for name := range sizes {
			old = append(old, name)
		}
		if err := to.Remove(ctx, old); err != nil {
			return n, err
		}
		n += len(old)
	}
	return n, nil
}

// copyFile copies a file as it is stored.
func (s *set) copyFile(ctx context.Context, from, to Objects, name string) error {
	content, err := from.Read(ctx, name, 0, 0)
	if err != nil {
		return err
	}
	defer content.Close()
	part, err := os.CreateTemp(s.dir, "sending-*")
	if err != nil {
		return err
	}
	defer part.Close()
	if err := os.Remove(part.Name()); err != nil {
		return err
	}
	size, err := io.Copy(part, content)
	if err != nil {
		return err
	}
	return to.Write(ctx, name, part, size)
}

var _ litestream.ReplicaClient = (*set)(nil)
