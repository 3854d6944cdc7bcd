// Package sqlite is the engine that keeps Daybook in a SQLite file. It has one writer that commits in groups, a pool
// of readers, a log of limited size, a lock on the file, migrations, backups, restores and checks. The only table it
// knows is schema_migrations.
//
// Errors are recognized by the driver's code, never by their text (code.go). version.go tells whether another process
// has committed.
package sqlite
