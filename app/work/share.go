package work

import "math/bits"

// Share is the part of a database's work that a server may do. The zero Share is none: other servers may take this one
// for dead, so it begins nothing, and stops what must not be done twice.
type Share struct {
	Server  int64 // marks what this server claims; 0 in the zero Share only
	Buckets Buckets
	Servers int // that share the buckets, this one included; 0 in the zero Share
}

// Whole returns the Share of a server that is the only one: all of the work.
func Whole(server int64) Share { return Share{Server: server, Buckets: AllBuckets, Servers: 1} }

// BucketCount is the number of buckets.
const BucketCount = 64

// Buckets is a set of buckets: bit n says that bucket n is in it.
type Buckets uint64

// AllBuckets is the set of all buckets.
const AllBuckets Buckets = 1<<BucketCount - 1

// BucketOf returns the bucket of a workspace's id. It uses the milliseconds at which the id was made, because the 5
// bits below them are mostly below 16 (see package id).
func BucketOf(workspace int64) int { return int(workspace >> 5 & (BucketCount - 1)) }

// FairBuckets returns the buckets of one of so many servers, in their order: they are dealt in turn. A server beyond
// BucketCount gets none.
func FairBuckets(rank, servers int) (b Buckets) {
	for n := rank; n < BucketCount; n += servers {
		b |= 1 << n
	}
	return b
}

// Leads reports whether the set has bucket 0. The server with bucket 0 does the work that one server is enough for.
func (b Buckets) Leads() bool { return b&1 != 0 }

// Has reports whether the bucket of a workspace is in the set.
func (b Buckets) Has(workspace int64) bool { return b>>BucketOf(workspace)&1 == 1 }

// Len returns how many buckets are in the set.
func (b Buckets) Len() int { return bits.OnesCount64(uint64(b)) }
