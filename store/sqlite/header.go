package sqlite

import (
	"errors"
	"os"
	"sync"

	"daybook/app/disk"
)

// header is the first header of the index that SQLite keeps of the log, in <db>-shm, as all processes that use the
// database see it. Each commit changes it, in the memory that they share, before it returns: SQLite itself looks there
// for whether anybody has committed (https://sqlite.org/walformat.html, "The WAL-Index Header"). It counts commits, and
// has a checksum of the log and a random number, so that it is never again what it was.
//
// Who closes a handle of <db>-shm drops the POSIX locks that the process has on it, those of SQLite too. So all DBs of
// a file share one handle, from before their first connection until after their last one.
type header struct {
	path string
	mu   sync.Mutex
	file *os.File
	view []byte

	users int // guarded by headers
}

// headerSize is that of the first of the two copies; SQLite writes it behind the other one.
const headerSize = 48

// headers are those in use, by the path of the database as findFile has it: absolute and without links, so that a file
// has one, whatever it is opened by. Nothing but DBs opens a database's file while one is open.
var headers = struct {
	sync.Mutex
	of map[string]*header
}{of: map[string]*header{}}

// useHeader is for a DB that is about to be opened. It ends by release.
func useHeader(path string) *header {
	headers.Lock()
	defer headers.Unlock()
	h := headers.of[path]
	if h == nil {
		h = &header{path: path}
		headers.of[path] = h
	}
	h.users++
	return h
}

// look returns the bytes of the header, which change. The caller has a connection that has read the log. nil: it can't
// be seen, or is another file's.
func (h *header) look() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	name := h.path + "-shm"
	if h.file == nil {
		f, err := os.Open(name)
		if err != nil {
			return nil
		}
		h.file = f
	}
	mine, err1 := h.file.Stat()
	named, err2 := os.Stat(name)
	if err1 != nil || err2 != nil || !os.SameFile(mine, named) || mine.Size() < headerSize {
		return nil
	}
	if h.view == nil {
		view, err := disk.Map(h.file, headerSize)
		if err != nil {
			return nil
		}
		h.view = view
	}
	return h.view
}

// release is for a DB whose connections are all closed.
func (h *header) release() error {
	headers.Lock()
	defer headers.Unlock()
	if h.users--; h.users > 0 {
		return nil
	}
	delete(headers.of, h.path)
	h.mu.Lock()
	defer h.mu.Unlock()
	var errs []error
	if h.view != nil {
		errs = append(errs, disk.Unmap(h.view))
	}
	if h.file != nil {
		errs = append(errs, h.file.Close())
	}
	return errors.Join(errs...)
}
