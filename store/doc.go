// package store implements app.Store on SQLite: it holds all SQL, and no rule.
//
// open.go, writer.go, querier.go and checkpoint.go are the engine room: one writer that commits in groups, a pool of
// readers, a bounded log. dialect.go has every difference between SQLite and PostgreSQL. A noun (booking, contact, …)
// has one file: its reads are methods of queries, which run on the readers' pool or inside a transaction; its writes
// are methods of tx. migrations/ has the schema, a folder per dialect.
//
// Ids and instants are integers, and every list is read by an index in the order of that index (plan_test.go).
// It never imports a door.
package store
