package replica

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/benbjohnson/litestream"
	"github.com/superfly/ltx"

	"daybook/app/disk"
	"daybook/store/engine"
)

// salts name one beginning of the log (-wal). While a log's are the same it only grows.
type salts [2]uint32

// resumes tells whether the replica can go on where the last process ended: the targets have the files that are on this
// machine, up to the one with the newest transactions; this process has held the log from its beginning; and either the log still has what that one was made of, or
// everything since is in the log (see sqlite.DB's Settled). It returns the log's salts: what was found is true as long
// as they are the same. An error is about this machine's disk; what doesn't fit is none.
func (r *Replica) resumes(ctx context.Context) (fits bool, at salts, err error) {
	if !r.c.DB.KeepLog(true) {
		return false, at, nil
	}
	last, err := r.lastFile(ctx)
	if err != nil || last == "" {
		return false, at, err
	}
	settled, err := r.c.DB.Settled()
	if err != nil {
		return false, at, err
	}
	if settled { // the log may be empty: it must have a beginning
		err := r.c.DB.Write(ctx, func(t *engine.Transaction) error {
			_, err := t.Exec("INSERT INTO _litestream_seq (id, seq) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1")
			return err
		})
		if err != nil {
			return false, at, err
		}
		settled, err = r.c.DB.Settled()
		if err != nil {
			return false, at, err
		}
	}
	log, err := os.Open(r.c.Path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return false, at, nil
	}
	if err != nil {
		return false, at, err
	}
	defer log.Close()
	if at, err = saltsOf(log); err != nil {
		return false, at, nil //nolint:nilerr // it has no beginning
	}
	if fits, err = madeOf(ctx, last, log, at); err != nil || fits || !settled {
		return fits, at, err
	}
	return true, at, fromBeginning(last, at)
}

// lastFile returns the path of the file on this machine with the newest transactions, if the targets have the same or
// lack only what follows there; else "".
func (r *Replica) lastFile(ctx context.Context) (string, error) {
	var sent file
	err := r.set.first(func(m *member) (err error) {
		sent, err = newest(ctx, m)
		return err
	})
	if err != nil || sent.max == 0 {
		return "", err
	}
	dir := filepath.Join(r.c.local(), "ltx", "0")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var last ltx.TXID
	there := map[ltx.TXID]bool{}
	for _, e := range entries {
		if low, high, err := ltx.ParseFilename(e.Name()); err == nil && low == high {
			there[low] = true
			last = max(last, low)
		}
	}
	for id := sent.max; id <= last; id++ {
		if !there[id] {
			return "", nil
		}
	}
	if last < sent.max || sent.min != sent.max {
		return "", nil
	}
	path := func(id ltx.TXID) string { return filepath.Join(dir, ltx.FormatFilename(id, id)) }
	h, err := headerOf(path(sent.max))
	if err != nil || h.Timestamp != sent.at.UnixMilli() {
		return "", nil //nolint:nilerr // a file that can't be read is not the one that was sent
	}
	return path(last), nil
}

func headerOf(path string) (h ltx.Header, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	dec := ltx.NewDecoder(f)
	err = dec.DecodeHeader()
	return dec.Header(), err
}

const (
	logHeader   = 32
	frameHeader = 24
)

func saltsOf(log io.ReaderAt) (s salts, err error) {
	head := make([]byte, logHeader)
	if _, err := log.ReadAt(head, 0); err != nil {
		return s, err
	}
	return salts{binary.BigEndian.Uint32(head[16:]), binary.BigEndian.Uint32(head[20:])}, nil
}

// madeOf tells whether the file was made of this log: the part that its header names has the same pages. All of them
// are compared, because a power cut may take the last transaction from a log after it was copied, and another one may
// have been written in its place.
func madeOf(ctx context.Context, path string, log *os.File, at salts) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	dec := ltx.NewDecoder(f)
	if err := dec.DecodeHeader(); err != nil {
		return false, nil //nolint:nilerr // it was cut off
	}
	h := dec.Header()
	if (salts{h.WALSalt1, h.WALSalt2}) != at || h.WALOffset < logHeader {
		return false, nil
	}
	pages, err := pagesOf(log, &h, at)
	if err != nil || pages == nil {
		return false, err
	}
	page := make([]byte, h.PageSize)
	inLog := make([]byte, h.PageSize)
	for ctx.Err() == nil {
		var p ltx.PageHeader
		if err := dec.DecodePage(&p, page); errors.Is(err, io.EOF) {
			return len(pages) == 0 && dec.Close() == nil, nil
		} else if err != nil {
			return false, nil //nolint:nilerr // it was cut off
		}
		where, ok := pages[p.Pgno]
		if !ok {
			continue
		}
		delete(pages, p.Pgno)
		if _, err := log.ReadAt(inLog, where); err != nil {
			return false, err
		}
		if !bytes.Equal(page, inLog) {
			return false, nil
		}
	}
	return false, context.Cause(ctx)
}

// pagesOf returns where in the log the newest of each page is, in the part that the file was made of; nil when it isn't
// there.
func pagesOf(log io.ReaderAt, h *ltx.Header, at salts) (map[uint32]int64, error) {
	pages := map[uint32]int64{}
	frame := frameHeader + int64(h.PageSize)
	if h.WALSize%frame != 0 {
		return nil, nil
	}
	head := make([]byte, frameHeader)
	for pos := h.WALOffset; pos < h.WALOffset+h.WALSize; pos += frame {
		if _, err := log.ReadAt(head, pos); errors.Is(err, io.EOF) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		if (salts{binary.BigEndian.Uint32(head[8:]), binary.BigEndian.Uint32(head[12:])}) != at {
			return nil, nil
		}
		if number := binary.BigEndian.Uint32(head); number <= h.Commit { // else it is cut off at the end of the database
			pages[number] = pos + frameHeader
		}
	}
	return pages, nil
}

// fromBeginning writes into the file with the newest transactions that what follows begins with the log. Its pages stay
// as they are.
func fromBeginning(path string, at salts) (err error) {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	part := path + ".tmp" // Litestream removes what is left of it
	to, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	if err := rewrite(from, to, at); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", filepath.Base(path), err), to.Close())
	}
	if err := errors.Join(to.Sync(), to.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(path))
}

func rewrite(from io.Reader, to io.Writer, at salts) error {
	dec := ltx.NewDecoder(from)
	if err := dec.DecodeHeader(); err != nil {
		return err
	}
	enc, err := ltx.NewEncoder(to)
	if err != nil {
		return err
	}
	h := dec.Header()
	h.WALOffset, h.WALSize, h.WALSalt1, h.WALSalt2 = logHeader, 0, at[0], at[1]
	if err := enc.EncodeHeader(h); err != nil {
		return err
	}
	page := make([]byte, h.PageSize)
	for {
		var p ltx.PageHeader
		err := dec.DecodePage(&p, page)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = enc.EncodePage(ltx.PageHeader{Pgno: p.Pgno}, page)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(dec.Close(), enc.Close())
}

// join lets Litestream copy what the log has, after which nobody else can begin it again, and sees whether what
// resumes found was true until then. If it wasn't, the replica begins anew.
func (r *Replica) join(ctx context.Context, db *litestream.DB) error {
	within, stop := context.WithTimeout(ctx, syncTime)
	defer stop()
	if err := db.Sync(within); err != nil {
		if r.resumed != nil { // the log isn't kept for a target that doesn't answer
			r.c.DB.KeepLog(false)
			err = errors.Join(err, r.stop(ctx))
		}
		return err
	}
	if r.resumed != nil {
		log, err := os.Open(r.c.Path + "-wal")
		if err != nil {
			return err
		}
		defer log.Close()
		at, err := saltsOf(log)
		if err != nil {
			return err
		}
		if at != *r.resumed {
			return r.anew(ctx, "the log began again while the replica was about to go on")
		}
	}
	r.mu.Lock()
	r.joined = r.db == db
	r.mu.Unlock()
	return r.c.DB.ReleaseLog()
}
