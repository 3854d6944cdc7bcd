package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/agent"
	"daybook/app/serve"
)

func agentDoor(flags *pflag.FlagSet) func(*wiring) error {
	origins := flags.StringSlice("agent-origin", nil, "let web pages of this origin call the agent tools; may be repeated")
	challenge := flags.String("openai-apps-challenge", "", "answer this text at /.well-known/openai-apps-challenge, by which OpenAI verifies who runs the server")
	return func(w *wiring) error {
		door := agent.New(w.Set, agent.Options{Version: w.Version, Logger: w.Log(), AllowedOrigins: *origins, OpenAIChallenge: *challenge,
			Stream: serve.Stream})
		w.Mount(door.Routes)
		w.BeforeStop(door.Close)
		return nil
	}
}
