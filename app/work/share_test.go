package work

import (
	"testing"
	"time"

	"daybook/app/id"
)

// However many servers there are, each bucket is with one of them, and none has two more than another.
func TestBucketsAreDealtFairly(t *testing.T) {
	for servers := 1; servers <= BucketCount+1; servers++ {
		var all Buckets
		sum, least, most := 0, BucketCount, 0
		for rank := range servers {
			b := FairBuckets(rank, servers)
			all, sum, least, most = all|b, sum+b.Len(), min(least, b.Len()), max(most, b.Len())
			if b.Leads() != (rank == 0) {
				t.Errorf("%d of %d leads: %v", rank, servers, b.Leads())
			}
		}
		if all != AllBuckets || sum != BucketCount || most > least+1 {
			t.Errorf("%d servers: %x, %d buckets, %d to %d each", servers, uint64(all), sum, least, most)
		}
	}
}

type few struct{ id.Few }

func (few) Prefix() string { return "few_" }

// Workspaces fill all buckets alike: those that are made over the weeks, and those that a program makes at once.
func TestWorkspacesFillAllBuckets(t *testing.T) {
	for name, step := range map[string]time.Duration{"over the weeks": 97 * time.Minute, "at once": 0} {
		const workspaces = 100 * BucketCount
		var in [BucketCount]int
		for n := range workspaces {
			at := time.UnixMilli(1_790_000_000_000).Add(time.Duration(n)*step + time.Duration(n*n%7919)*time.Millisecond)
			w := int64(id.New[few](at))
			in[BucketOf(w)]++
			if !AllBuckets.Has(w) || Buckets(0).Has(w) || !(Buckets(1) << BucketOf(w)).Has(w) {
				t.Fatalf("the bucket of %d is %d", w, BucketOf(w))
			}
		}
		for b, n := range in {
			if n < 50 || n > 150 {
				t.Errorf("%s: %d workspaces of %d in bucket %d", name, n, workspaces, b)
			}
		}
	}
}
