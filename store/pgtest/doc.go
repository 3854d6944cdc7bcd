// Package pgtest starts a PostgreSQL server that lives as long as the test process, and makes databases on it. Only
// tests import it.
package pgtest
