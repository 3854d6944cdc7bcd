// Package store implements the storage of the core and of every subject: it holds all SQL, and no rule. A noun (booking,
// contact, mail, …) has a file or a few that begin with its name: its reads are methods of queries, which run on the
// readers' pool or inside a transaction; its writes are methods of tx. So all of them share one transaction.
//
// The SQL is written once, for every engine: package engine says what it may rely on, packages sqlite and postgres are
// the two. migrations/ has the schema, a folder for each engine.
//
// Ids and instants are integers, and every list is read by an index in the order of that index (plan_test.go). The
// tests run on whatever enginetest opens; those of files, locks and commits are the engine's own.
// It never imports a door.
package store
