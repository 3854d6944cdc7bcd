package dashboard

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The open pages hear of the commits of other processes, which call no OnCommit here.
func TestPagesHearOfOtherProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var version atomic.Int64
		h := newHub()
		go h.watch(ctx, func() (int64, error) { return version.Load(), nil }) //nolint:errcheck // ends with ctx
		changed := h.next()
		time.Sleep(2 * livePoll) // of the bubble's clock: nothing may happen in this time
		select {
		case <-changed:
			t.Fatal("woken without a commit")
		default:
		}
		version.Store(7)
		time.Sleep(livePoll) // of the bubble's clock: the watcher looks once
		synctest.Wait()
		select {
		case <-changed:
		default:
			t.Error("not woken by a commit")
		}
	})
}
