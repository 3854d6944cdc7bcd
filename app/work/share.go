package work

import "math/bits"

// Share is what a process may do of its database's work. The zero Share is nothing: the process may be taken for dead
// by now, so it begins nothing, and ends what must not be done twice.
type Share struct {
	Server  int64 // marks what this server claims; 0 in the zero Share only
	Buckets Buckets
	Servers int // that share the buckets, this one included; 0 in the zero Share
}

// Whole returns the share of the only server.
func Whole(server int64) Share { return Share{Server: server, Buckets: AllBuckets, Servers: 1} }

// BucketCount is how many buckets there are.
const BucketCount = 64

// Buckets is a set of buckets: bit n says that bucket n is in it.
type Buckets uint64

// AllBuckets is every bucket.
const AllBuckets Buckets = 1<<BucketCount - 1

// BucketOf returns the bucket of a workspace's id. The low 5 bits of that are mostly below 16 (see package id), so
// those above them count: the milliseconds at which it was made.
func BucketOf(workspace int64) int { return int(workspace >> 5 & (BucketCount - 1)) }

// FairBuckets returns the part of one of so many servers, in their order: the buckets are dealt like cards. There is
// none for a server beyond BucketCount.
func FairBuckets(rank, servers int) (b Buckets) {
	for n := rank; n < BucketCount; n += servers {
		b |= 1 << n
	}
	return b
}

// Leads tells whether the share has bucket 0. Who has it does what only one server needs to do.
func (b Buckets) Leads() bool { return b&1 != 0 }

// Has tells whether a workspace's bucket is in the set.
func (b Buckets) Has(workspace int64) bool { return b>>BucketOf(workspace)&1 == 1 }

// Len returns how many buckets are in the set.
func (b Buckets) Len() int { return bits.OnesCount64(uint64(b)) }
