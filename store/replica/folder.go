package replica

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daybook/app/disk"
)

// Folder is a directory as a target. The files can be read by their owner only.
type Folder struct {
	path   string
	opened time.Time
}

// OpenFolder makes the target of file:///path. The directory is made with the first file, and the one above it must be there:
// that tells a disk that isn't mounted before its first use, where its mount point goes with it or the path is two
// levels below it. Later an empty target is taken for one.
func OpenFolder(u *url.URL) (Objects, error) {
	path := u.Path
	if onDrive := strings.TrimPrefix(path, "/"); filepath.VolumeName(onDrive) != "" { // of Windows: /C:/backup
		path = onDrive
	}
	return &Folder{filepath.FromSlash(path), time.Now()}, nil
}

func (f *Folder) String() string {
	return "file:///" + strings.TrimPrefix(filepath.ToSlash(f.path), "/")
}

func (f *Folder) file(name string) string { return filepath.Join(f.path, filepath.FromSlash(name)) }

// temporary files have a name that no object has.
const temporary = ".part-"

// List implements replica.Objects.
func (f *Folder) List(ctx context.Context, prefix string, each func(Object) error) error {
	if err := f.there(); err != nil {
		return err
	}
	dir := f.file(prefix[:strings.LastIndex(prefix, "/")+1])
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := prefix[:strings.LastIndex(prefix, "/")+1] + e.Name()
		if e.IsDir() || !strings.HasPrefix(name, prefix) || strings.HasPrefix(e.Name(), temporary) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return err
		}
		if err := each(Object{Name: name, Size: info.Size()}); err != nil {
			return err
		}
	}
	return err
}

// there is an error while the directory above isn't there: its disk is not mounted.
func (f *Folder) there() error {
	if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
		return fmt.Errorf("is its disk mounted? %w", err)
	}
	return nil
}

// Stat implements replica.Objects. The tag is the content's SHA-256, so Stat is for small objects.
func (f *Folder) Stat(_ context.Context, name string) (Object, error) {
	if err := f.there(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Object{}, err
	} else if err != nil {
		return Object{}, errors.New(err.Error()) // the object may be there
	}
	content, err := os.ReadFile(f.file(name))
	return Object{Name: name, Size: int64(len(content)), Tag: tag(content)}, err
}

func tag(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Read implements replica.Objects.
func (f *Folder) Read(_ context.Context, name string, offset, size int64) (io.ReadCloser, error) {
	file, err := os.Open(f.file(name))
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if size == 0 {
		return file, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(file, size), file}, nil
}

// Write implements replica.Objects.
func (f *Folder) Write(ctx context.Context, name string, content io.ReadSeeker, size int64) (err error) {
	path := f.file(name)
	if err := f.directory(filepath.Dir(path)); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), temporary+"*") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(part.Name())
		}
	}()
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return errors.Join(err, part.Close())
	}
	n, err := io.Copy(part, reading{ctx, content})
	if err == nil && n != size {
		err = fmt.Errorf("%s: %d bytes instead of %d", name, n, size)
	}
	if err == nil {
		err = part.Sync()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	if err := os.Rename(part.Name(), path); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(path))
}

// reading ends with its context.
type reading struct {
	ctx context.Context
	io.Reader
}

func (r reading) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// Clean removes files that were being written when an earlier process ended.
func (f *Folder) Clean(ctx context.Context) error {
	if err := f.there(); err != nil {
		return err
	}
	return filepath.WalkDir(f.path, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() || !strings.HasPrefix(e.Name(), temporary) {
			return errors.Join(err, ctx.Err())
		}
		info, err := e.Info()
		if err == nil && info.ModTime().Before(f.opened) {
			err = os.Remove(path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// directory makes a directory below the target, and the target itself.
func (f *Folder) directory(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := f.there(); err != nil {
		return err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for dir := path; len(dir) >= len(f.path); dir = filepath.Dir(dir) {
		if err := disk.SyncDir(filepath.Dir(dir)); err != nil {
			return err
		}
	}
	return nil
}

// Swap implements replica.Objects: a lock on a file beside lets one process at a time compare.
func (f *Folder) Swap(ctx context.Context, name string, content []byte, old string) (string, error) {
	if err := f.directory(filepath.Dir(f.file(name))); err != nil {
		return "", err
	}
	lock, err := disk.OpenLocks(f.file(name) + ".lock")
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := lock.Lock(0, disk.Exclusive); errors.Is(err, disk.ErrLocked) {
		return "", ErrChanged
	} else if err != nil {
		return "", err
	}
	now, err := f.Stat(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		now, err = Object{}, nil
	}
	if err != nil {
		return "", err
	}
	if now.Tag != old {
		return "", ErrChanged
	}
	return tag(content), f.Write(ctx, name, strings.NewReader(string(content)), int64(len(content)))
}

// Compares implements replica.Objects.
func (f *Folder) Compares(context.Context) (bool, error) {
	if err := f.there(); err != nil {
		return false, err
	}
	dir := f.path
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		dir = filepath.Dir(dir) // it is made with the first file
	}
	part, err := os.CreateTemp(dir, temporary+"*")
	if err != nil {
		return false, err
	}
	return true, errors.Join(part.Close(), os.Remove(part.Name()))
}

// Remove implements replica.Objects.
func (f *Folder) Remove(_ context.Context, names []string) error {
	if err := f.there(); err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Remove(f.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
