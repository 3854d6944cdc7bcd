package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/agent"
	"daybook/app/serve"
)

func agentDoor(flags *pflag.FlagSet) func(*wiring) error {
	origins := flags.StringSlice("agent-origin", nil, "let web pages of this origin call the agent tools; may be repeated")
	return func(w *wiring) error {
		door := agent.New(w.Set, agent.Options{Version: w.Version, Logger: w.Log(), AllowedOrigins: *origins,
			Stream: serve.Stream})
		w.Mount(door.Routes)
		w.BeforeStop(door.Close)
		return nil
	}
}
