package privacy

import (
	"context"
	"io"

	"daybook/app"
)

// Part is what another room knows of a person.
type Part struct {
	Name  string
	Write func(ctx context.Context, a app.Actor, to io.Writer) error
}
