// package postgres is the engine that keeps Daybook in a PostgreSQL database, which several servers may share. It has
// concurrent transactions at READ COMMITTED that run again after a conflict, one pool for reading and one for writing,
// and a listener for the commits of other servers. The only tables it knows are schema_migrations and server_leases.
//
// Errors are recognized by their SQLSTATE, never by their text (code.go).
//
// # Conflicts
//
// Transactions are concurrent. They are kept apart by rows that they update before they read (a host's by LockHosts),
// by conditions repeated in the WHERE of an UPDATE, by FOR UPDATE … SKIP LOCKED for claims, and by unique constraints.
// Numbers that readers continue from are given after the commit, by the server that holds a certain row (package
// store, number.go). Transactions that wait for each other, or that made the same id, are undone and run again
// (write.go). Advisory locks are used for migrations only, and nothing depends on notifications, because a sharded
// database has neither.
//
// # Notifications
//
// Triggers of the schema notify daybook_setup within each transaction that changes what servers keep in memory:
// set-up, keys, sessions. They also raise a notice of that name, so that the server that makes the change knows before
// its commit returns. Other commits are followed by daybook_work as a hint, at most once in hintPause. Both
// notifications change DataVersion, and daybook_setup also changes SetupVersion. While the listener is down, both
// versions change at each call, so that nothing held in memory is trusted.
package postgres
