// package sqlite is the engine that keeps Daybook in a SQLite file: one writer that commits in groups, a pool of
// readers, a bounded log, the lock of who has the file, and the steps of the schema; beside that backups, restores and
// checks. It knows no table but schema_migrations.
//
// Errors are told by the driver's code, never by their text (code.go).
package sqlite
