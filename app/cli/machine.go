package cli

import (
	"context"

	"daybook/app/upkeep/health"
	"daybook/store/engine"
	"daybook/store/postgres"
)

// machineOf returns what the health checks look at besides the rows of the database.
func machineOf(db engine.Engine, version string, domains []string) health.Machine {
	m := health.Machine{Version: version, Domains: domains}
	server, ok := db.(*postgres.DB)
	if !ok {
		m.Path = db.Path()
		return m
	}
	m.Server = func(ctx context.Context) (health.Server, error) {
		f, err := server.Facts(ctx)
		return health.Server{Bytes: f.Bytes, ClockAhead: f.ClockAhead}, err
	}
	return m
}
