package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/text"
)

// textDoor takes what the senders of texts post.
func textDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.Mount(text.NewDoor(w.Text, w.Log()).Routes)
		return nil
	}
}
