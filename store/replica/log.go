package replica

import (
	"context"
	"log/slog"
)

// troubles passes on what Litestream calls an error; what else it says is of use to its developers.
type troubles struct{ slog.Handler }

func (t troubles) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelError && t.Handler.Enabled(ctx, l)
}

// Handle leaves out what goes wrong with the targets: the set has said that.
func (t troubles) Handle(ctx context.Context, r slog.Record) error {
	switch r.Message {
	case "monitor error", "compaction failed", "retention enforcement failed", "l0 retention enforcement failed",
		"shutdown sync failed after timeout":
		return nil
	}
	r.Message = "replica: " + r.Message
	return t.Handler.Handle(ctx, r)
}

func (t troubles) WithAttrs(a []slog.Attr) slog.Handler { return troubles{t.Handler.WithAttrs(a)} }

func (t troubles) WithGroup(name string) slog.Handler { return troubles{t.Handler.WithGroup(name)} }
