package replica

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// Object is a file in a target.
type Object struct {
	Name string // its parts divided by slashes
	Size int64
	Tag  string // another one when the content is another; only Stat says it
}

// Objects is a target: a place that keeps files by name. Its methods may be called at the same time. Each ends with its
// context, at the latest after the timeouts of the target.
type Objects interface {
	// List calls each with the objects whose names begin with the prefix, in the order of their names. An error of each
	// ends it.
	List(ctx context.Context, prefix string, each func(Object) error) error
	// Stat says what there is of an object. The error wraps fs.ErrNotExist when there is none.
	Stat(ctx context.Context, name string) (Object, error)
	// Read opens an object from a byte on; size 0 is up to its end. The error wraps fs.ErrNotExist when there is none.
	Read(ctx context.Context, name string, offset, size int64) (io.ReadCloser, error)
	// Write makes or replaces an object. It has the whole content, on the disk, when Write returns without an error,
	// and nothing or the old content otherwise.
	Write(ctx context.Context, name string, content io.ReadSeeker, size int64) error
	// Swap makes or replaces a small object, if its tag is still that one; "" is for an object that is not there. It
	// returns the new tag, or ErrChanged. A target that can't compare writes at once, see Compares.
	Swap(ctx context.Context, name string, content []byte, tag string) (string, error)
	// Compares tells whether Swap compares. It writes and removes an object to find out.
	Compares(ctx context.Context) (bool, error)
	// Remove removes objects. One that isn't there is removed.
	Remove(ctx context.Context, names []string) error
	// String returns the target's address, as Open takes it. It holds no secret.
	String() string
}

// cleaner is a target in which a process that is killed leaves unfinished files.
type cleaner interface {
	// Clean removes those of earlier processes. Only the holder of the lease may call it.
	Clean(ctx context.Context) error
}

// ErrChanged is the error of a Swap of an object that somebody else has changed.
var ErrChanged = errors.New("it was changed by somebody else")

// Opener makes the target of a URL of one scheme.
type Opener func(u *url.URL) (Objects, error)

// Open makes the target that a URL names: file:///mnt/backup/salon, or s3://bucket/path. It connects to nothing yet.
func Open(text string, schemes map[string]Opener) (Objects, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("a replica's address can't be read; write file:///directory or s3://bucket/path")
	}
	if u.User != nil {
		return nil, errors.New("a replica's address holds no password; give the keys in the environment or a file")
	}
	open, ok := schemes[u.Scheme]
	if !ok {
		return nil, fmt.Errorf("%q is no address of a replica; write file:///directory or s3://bucket/path", text)
	}
	if u.Scheme == "file" && (u.Host != "" || !filepath.IsAbs(filepath.FromSlash(u.Path)) || u.RawQuery != "") {
		return nil, fmt.Errorf("%q names no directory; write file:// and a path that begins with /", text)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return open(u)
}
