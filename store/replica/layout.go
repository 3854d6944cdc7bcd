package replica

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/superfly/ltx"
)

const (
	filesPrefix = "ltx/"
	levels      = 10 // 0 to 9, which has the snapshots
	snapshots   = 9
)

// file is an LTX file in a target: the pages that the transactions from min to max changed.
type file struct {
	level    int
	min, max ltx.TXID
	at       time.Time // of the last transaction, in milliseconds
	stored   int64     // bytes in the target
}

// name returns the file's name in a target. It says the time, so that a list of names is enough to find a moment.
func (f *file) name() string {
	return fmt.Sprintf("%s%d/%s-%s-%013d", filesPrefix, f.level, f.min, f.max, f.at.UnixMilli())
}

// parse reads the name of an LTX file; ok is false for the name of anything else.
func parse(o Object) (f file, ok bool) {
	rest, ok := strings.CutPrefix(o.Name, filesPrefix)
	level, rest, ok2 := strings.Cut(rest, "/")
	parts := strings.Split(rest, "-")
	if !ok || !ok2 || len(parts) != 3 {
		return f, false
	}
	n, err1 := strconv.Atoi(level)
	low, err2 := ltx.ParseTXID(parts[0])
	high, err3 := ltx.ParseTXID(parts[1])
	ms, err4 := strconv.ParseInt(parts[2], 10, 64)
	if err := cmp.Or(err1, err2, err3, err4); err != nil || n < 0 || n >= levels {
		return f, false
	}
	return file{level: n, min: low, max: high, at: time.UnixMilli(ms).UTC(), stored: o.Size}, true
}

// list returns the LTX files of a level, the first transactions first.
func list(ctx context.Context, o Objects, level int) ([]file, error) {
	return listPrefix(ctx, o, fmt.Sprintf("%s%d/", filesPrefix, level))
}

func listPrefix(ctx context.Context, o Objects, prefix string) (all []file, err error) {
	err = o.List(ctx, prefix, func(x Object) error {
		if f, ok := parse(x); ok {
			all = append(all, f)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b file) int { return cmp.Or(cmp.Compare(a.min, b.min), cmp.Compare(a.max, b.max)) })
	return all, err
}

// find returns the file with these transactions.
func find(ctx context.Context, o Objects, level int, low, high ltx.TXID) (file, error) {
	all, err := listPrefix(ctx, o, fmt.Sprintf("%s%d/%s-%s-", filesPrefix, level, low, high))
	if err != nil {
		return file{}, err
	}
	if len(all) == 0 {
		return file{}, fmt.Errorf("%s has no transactions %s to %s in level %d: %w", o, low, high, level, fs.ErrNotExist)
	}
	return all[len(all)-1], nil
}

// timeOf reads when the last transaction of an LTX file was, from its first bytes.
func timeOf(head []byte) (time.Time, error) {
	h, _, err := ltx.PeekHeader(bytes.NewReader(head))
	return time.UnixMilli(h.Timestamp).UTC(), err
}
