package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/oauth"
)

// oauthDoor answers agents' programs that want access. The page that asks the member is the dashboard's.
func oauthDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.Mount(oauth.NewDoor(w.OAuth, w.Log()).Routes)
		return nil
	}
}
