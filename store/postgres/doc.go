// package postgres is the engine that keeps Daybook in a PostgreSQL database, which several servers may share: ordinary
// transactions at READ COMMITTED that run again when they meet, a pool each for reading and writing, and a listener
// that hears what other servers commit. It knows no table but schema_migrations and server_leases.
//
// Errors are told by their SQLSTATE, never by their text (code.go).
//
// # Writes that meet
//
// Transactions run side by side. What keeps them apart are rows that they update before they read (a host's by
// LockHosts), conditions repeated in an UPDATE's own WHERE, FOR UPDATE … SKIP LOCKED for claims, and unique
// constraints. Numbers that others read on from are given after the commit, by who holds a row (package store,
// number.go). Two that wait for each other, or that made the same id, are undone and run again (write.go). Advisory
// locks keep nothing apart but migrations, and notifications decide nothing: a database that is sharded has neither.
//
// # Who hears of what
//
// Triggers of the schema notify daybook_setup within each transaction that changes what servers keep in memory: set-up,
// keys, sessions. They raise a notice of the same name, by which the server that makes the change knows before the
// commit is answered. daybook_work follows other commits as a hint, at most once in hintPause. Both change DataVersion,
// and the first SetupVersion. While the listener is down, both change at each call, so that nothing held in memory is
// trusted.
package postgres
