// package store implements the storage of the core and of the rooms: it and the packages below it hold all SQL, and no
// rule. A noun (booking, contact, …) has one file: its reads are methods of queries, which run on the readers' pool or
// inside a transaction; its writes are methods of tx.
//
// A room with more than one noun has its SQL in the package of the same name (account, webhook, mail, payment), and
// what a business sets up is in package workspace. nouns.go puts them together, so that all share a transaction.
//
// The SQL is written once, for every engine: package engine says what it may rely on, package sqlite is one.
// migrations/ has the schema, a folder for each engine. view.go hands rooms of app the same database by their own
// interfaces.
//
// Ids and instants are integers, and every list is read by an index in the order of that index (plan_test.go). The
// tests run on whatever enginetest opens; those of files, locks and commits are the engine's own.
// It never imports a door.
package store
