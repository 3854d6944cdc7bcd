// Package replica keeps copies of a SQLite database in other places while it is served, seconds old, and brings any
// moment of them back.
//
// The engine is Litestream (https://litestream.io, used as a library): it reads the database's log (-wal) and makes
// LTX files of it, each with the pages that a span of transactions changed. What is here decides where these files go:
// a client of Litestream's that writes them to several targets, encrypted if the operator gave a key.
//
//	folder, s3    targets: a directory, a bucket
//	objects.go    what a target can do, and the URLs that name one
//	layout.go     the names of the objects, and what they say
//	seal.go       encryption with age
//	set.go        several targets as one: what one missed is made up for
//	owner.go      which database a target belongs to
//	lease.go      which server writes to a target
//	status.go     how a replica is
//	log.go        what is passed on of what Litestream logs
//	proof.go      brings the newest moment back, to prove that it can be
//	replica.go    replicates a database that is served
//	resume.go     goes on where an earlier process ended
//	restore.go    the moments that a target has, and how one is brought back
//
// Level 0 of the LTX files has a file every half a second in which something was written. They are merged into a file
// every 30 seconds (level 1), 5 minutes (2) and hour (3); level 0 is kept for some minutes, the others, and a snapshot
// a day (level 9), for as long as the operator wants, 30 days if nothing else is said. So a restore finds every half
// second of the last minutes and every half minute before.
//
// A process that is started goes on where the last one ended if it can prove that nothing is missing (resume.go), and
// else begins with the whole database.
package replica
