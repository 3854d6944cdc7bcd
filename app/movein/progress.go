package movein

import "context"

// Progress is told how far a reader, a preview or an import has come: with how many of a kind, and of how many; 0 where nobody knows.
type Progress func(of Kind, done, all int)

type progressKey struct{}

// WithProgress returns a context with which readers, PreviewBusiness and MoveBusiness tell how far they have come.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// Came tells that a reader has read so many of a kind.
func Came(ctx context.Context, of Kind, done int) { come(ctx, of, done, 0) }

func come(ctx context.Context, of Kind, done, all int) {
	if p, _ := ctx.Value(progressKey{}).(Progress); p != nil {
		p(of, done, all)
	}
}
