package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"daybook/app/disk"
	"daybook/app/work"
)

// fileLock tells which processes use the database. Every process that opens it holds a shared lock on the first byte
// of <db>-lock, and a restore holds an exclusive one. Several servers may share a file: leases keep them from doing
// the same thing twice, and the first server (see JoinServers) ends the leases of those that were killed.
//
// It is a separate file because closing any handle of the database file would drop the POSIX locks that SQLite holds
// in this process. The last process removes the file (on Windows nobody does). One that is left after kill -9 means
// nothing.
//
// Each process also shares the byte that stands for the newest migration that its program knows, so that programs which
// would need different schemas find each other: see alike. And it has a line of the file, in which it says who it is
// for people: see introduce.
type fileLock struct {
	f       *disk.File
	version int // the newest migration of this program
	line    int // its line of the file; 0 is none
}

const (
	openByte      = 0
	oldServerByte = 1 // shared by the servers of releases that have no byte for their migrations
	serverByte    = 3 // shared by the servers; exclusive for a moment by the first of them

	lines    = 1 << 32 // byte lines+n is locked exclusively by the process that has line n, from 1 on
	lastLine = 1000
	lineSize = 40

	versions    = 1 << 40 // behind it lie the bytes of all migrations: their times are numbers of 12 digits
	endVersions = 1 << 41
)

// ErrOther is in the error where another process has the file whose program knows another newest migration.
var ErrOther = errors.New("a process of another version has the database")

// ErrInUse is in the error of an operation that needs the file for itself while another process uses it.
var ErrInUse = errors.New("the database is in use")

// lockFile takes the shared lock of a process that opens the database, and that of its newest migration, and writes its
// process id and that migration into the file. A server fails with ErrOther beside other versions. It waits a little,
// because a process that closes the database holds the exclusive lock for an instant.
func lockFile(path string, server bool, version int) (l *fileLock, err error) {
	for deadline := time.Now().Add(time.Second); ; time.Sleep(lockPoll) {
		l, err = takeLock(path, disk.Shared)
		if !errors.Is(err, ErrInUse) || time.Now().After(deadline) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	l.version = version
	err = l.set(versions+int64(version), disk.Shared)
	if err == nil {
		err = l.introduce()
	}
	if err == nil && server {
		err = l.alike()
	}
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	return l, nil
}

// introduce writes this process into a line of its own, for people and for the errors that others get. A line counts
// while its byte is locked, so that what a killed process has written means nothing. The first line is that of servers
// of releases without a byte for their migrations, which write their process id there and nothing else.
func (l *fileLock) introduce() error {
	for n := 1; n <= lastLine; n++ {
		err := l.set(lines+int64(n), disk.Exclusive)
		if errors.Is(err, ErrInUse) {
			continue
		}
		if err == nil {
			l.line = n
			l.write(fmt.Sprintf("%d %d", os.Getpid(), l.version))
		}
		return err
	}
	return nil // so many processes are not all named
}

// write puts text into this process's line. Where it can't, on a full disk, errors name this process less well, and
// that is all.
func (l *fileLock) write(text string) {
	if info, err := l.f.Stat(); err == nil && info.Size() == 0 {
		l.f.WriteAt(fmt.Appendf(nil, "%-*s\n", lineSize-1, ""), 0) // older releases show what is there
	}
	l.f.WriteAt(fmt.Appendf(nil, "%-*s\n", lineSize-1, text), int64(l.line*lineSize))
}

// alike fails with ErrOther while another process has the file whose program knows another newest migration, or is of a
// release that doesn't tell: the schema would change under the one or the other.
func (l *fileLock) alike() error {
	own := versions + int64(l.version)
	for _, others := range [][2]int64{{oldServerByte, oldServerByte + 1}, {versions, own}, {own + 1, endVersions}} {
		free, err := l.f.Free(others[0], others[1])
		if err != nil {
			return err
		}
		if !free {
			return l.otherVersion()
		}
	}
	for deadline := time.Now().Add(time.Second); ; time.Sleep(lockPoll) {
		silent, err := l.besideSilent()
		if err != nil || !silent {
			return err
		}
		if time.Now().After(deadline) {
			return l.otherVersion()
		}
	}
}

// besideSilent reports whether another process has the file that has locked no byte for its newest migration: one of an
// older release, or for an instant one that opens the file just now. Beside a process of this version it can't tell
// and reports false, and so it does on Windows, where this process's own locks look like those of one.
func (l *fileLock) besideSilent() (bool, error) {
	own := versions + int64(l.version)
	alone, err := l.f.Free(own, own+1)
	if err != nil || !alone {
		return false, err
	}
	only, err := l.f.Free(openByte, openByte+1)
	return err == nil && !only, err
}

func (l *fileLock) otherVersion() error {
	return fmt.Errorf("%s is in use by another process%s, which is of another version of Daybook than this one "+
		"(migration %d): stop it first, or use its version: %w",
		strings.TrimSuffix(filepath.Base(l.f.Name()), "-lock"), l.holders(true), l.version, ErrOther)
}

// JoinServers implements engine.Engine. What a killed server had claimed waits for its lease.
func (db *DB) JoinServers(ctx context.Context, first func() error, _ func(context.Context, int64) error) error {
	for {
		err := db.lock.set(serverByte, disk.Exclusive)
		if err == nil {
			return errors.Join(first(), db.lock.set(serverByte, disk.Shared))
		}
		if !errors.Is(err, ErrInUse) {
			return err
		}
		if err := db.lock.set(serverByte, disk.Shared); !errors.Is(err, ErrInUse) {
			return err
		}
		select { // another server is just becoming the first
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// Share implements engine.Engine: several servers of a file all do everything, and their claims are exact.
func (db *DB) Share() work.Share { return work.Whole(1) }

// lockAlone takes the exclusive lock, or fails with ErrInUse.
func lockAlone(path string) (*fileLock, error) { return takeLock(path, disk.Exclusive) }

// takeLock locks the first byte of the lock file. It opens the file again when the last holder removed it between
// opening and locking.
func takeLock(path string, kind disk.Kind) (*fileLock, error) {
	name := path + "-lock"
	for {
		f, err := disk.OpenLocks(name)
		if err != nil {
			return nil, fmt.Errorf("can't lock %s; its directory must be writable: %w", filepath.Base(path), err)
		}
		l := &fileLock{f: f}
		if err := l.set(openByte, kind); err != nil {
			err = fmt.Errorf("%s is in use by another process%s; stop it first: %w", filepath.Base(path), l.holders(false), err)
			return nil, errors.Join(err, f.Close())
		}
		if l.isNamed() {
			return l, nil
		}
		f.Close()
	}
}

func (l *fileLock) isNamed() bool {
	mine, err1 := l.f.Stat()
	named, err2 := os.Stat(l.f.Name())
	return err1 == nil && err2 == nil && os.SameFile(mine, named)
}

// set locks one byte without waiting. The error is ErrInUse when another handle has it.
func (l *fileLock) set(b int64, kind disk.Kind) error {
	err := l.f.Lock(b, kind)
	if errors.Is(err, disk.ErrLocked) {
		return ErrInUse
	}
	return err
}

// holders is " (process 123, migration 202611230915; process 124, …)", the processes that have the file as they say
// themselves, without this one and without those of its own version where only others count. A server of a release
// without a byte for its migrations says its process id only. "" is that none says who it is.
func (l *fileLock) holders(others bool) string {
	text := make([]byte, (lastLine+1)*lineSize)
	n, _ := l.f.ReadAt(text, 0)
	var all []string
	for i := 0; i*lineSize < n; i++ {
		b := lines + int64(i)
		if i == 0 {
			b = oldServerByte
		}
		free, err := l.f.Free(b, b+1)
		if err != nil || free || i > 0 && i == l.line {
			continue
		}
		line, _, _ := strings.Cut(string(text[i*lineSize:min(n, (i+1)*lineSize)]), "\n")
		pid, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case pid == "" || others && version == strconv.Itoa(l.version):
		case version == "":
			all = append(all, "process "+pid)
		default:
			all = append(all, "process "+pid+", migration "+version)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

// release releases the lock. The last holder removes the file.
func (l *fileLock) release() error {
	if l.line > 0 {
		l.write("")
	}
	if l.set(openByte, disk.Exclusive) == nil {
		os.Remove(l.f.Name())
	}
	return l.f.Close()
}

// CheckUnused fails with ErrInUse in the error while any process has the database open.
func CheckUnused(path string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	l, err := lockAlone(path)
	if err != nil {
		return err
	}
	return l.release()
}
