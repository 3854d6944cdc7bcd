// Package work has the loop that works a durable queue of any kind, the one that takes a step at intervals, and the Share
// that says which part of a database's work one of its servers does.
//
// A row of a queue's table says when it is due. A claim moves that time to the end of a lease, so that no other server
// does the job meanwhile, and if the claiming process is killed, the next claim takes it over. An outcome is only saved
// while the lease of its claim still stands, so a server that was suspended for too long saves nothing. What a queue's
// table holds, how its rows are claimed, and what an outcome means is up to its subject.
//
// A new channel is an app.Follower that queues rows for what it reads of the history, a Channel that sends them, the
// table's row in store/work.go, whose methods claim and settle, and a loop in app/cli. Package push is the shortest
// example.
//
// Each workspace is in one of 64 buckets, and the servers of a database share the buckets. Two servers may disagree
// about the buckets for a moment without harm, because claims keep them from doing the same job: the buckets only keep
// them from asking for the same rows.
//
// It imports leaves and knows no noun: database engines use its Share.
package work
