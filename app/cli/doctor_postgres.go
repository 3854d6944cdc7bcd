package cli

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"daybook/app/work"
	"daybook/store/postgres"
)

const oldestPostgres = 15

// checkServer opens a PostgreSQL database for the checks after it.
func checkServer(ctx context.Context, t *target) []result {
	opened, err := t.flags.OpenEngine(ctx, databaseOptions{ReadOnly: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return []result{fail("database", err.Error(), "")}
	}
	t.db = opened
	db := opened.(*postgres.DB)
	facts, err := db.Facts(ctx)
	if err != nil {
		return []result{fail("database", err.Error(), "")}
	}
	return append(lookAt(t.flags.Name(), facts, db.Connections()), t.useDatabase(ctx)...)
}

// checkServers lists the servers of a PostgreSQL database.
func checkServers(ctx context.Context, t *target) (all []result) {
	db, ok := t.db.(*postgres.DB)
	if !ok {
		return nil // the file's lock doesn't tell who holds it
	}
	servers, err := db.Servers(ctx)
	if err != nil {
		return []result{fail("servers", err.Error(), "")}
	}
	if len(servers) == 0 {
		return []result{fine("servers", "none is running")}
	}
	for _, s := range servers {
		all = append(all, fine("servers", "%s: %d of %d buckets, lease ends in %.1f s unless renewed", s.Name,
			s.Buckets.Len(), work.BucketCount, s.Lease.Seconds()))
	}
	return all
}

// lookAt judges what a server tells of itself; a serving Daybook takes so many connections.
func lookAt(name string, f postgres.Facts, connections int) (all []result) {
	major, _, _ := strings.Cut(f.Version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < oldestPostgres {
		all = append(all, fail("database", fmt.Sprintf("%s is PostgreSQL %s.", name, f.Version),
			fmt.Sprintf("Use PostgreSQL %d or later.", oldestPostgres)))
	}
	if f.MaxConnections < 2*connections {
		all = append(all, warn("database", fmt.Sprintf("It takes %d connections at most; a server here uses up to %d.",
			f.MaxConnections, connections), "Raise max_connections to what all servers need together."))
	}
	if all == nil {
		encrypted := "not encrypted"
		if f.Encrypted {
			encrypted = "encrypted"
		}
		all = append(all, fine("database", "%s, PostgreSQL %s, %s, connection %s", name, f.Version, size(f.Bytes), encrypted))
	}
	return all
}
