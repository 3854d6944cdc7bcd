package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/cli/server"
	"daybook/app/oauth"
)

// oauthDoor answers agents' programs that want access. The page that asks the member is the dashboard's.
func oauthDoor(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		w.Mount(oauth.NewDoor(w.OAuth, w.Log()).Routes)
		return nil
	}
}
