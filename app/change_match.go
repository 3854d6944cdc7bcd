package app

import (
	"context"

	"daybook/app/booking"
	"daybook/app/fault"
)

// onlyIf is what a caller knows of a booking that is to be changed.
type onlyIf struct{ ref, match string }

type onlyIfKey struct{}

// OnlyIf returns a context with which a change of the booking is refused unless the booking still has the version that
// match, the value of an If-Match header, names; "" is any. It holds for every Change of that booking, whatever else
// is changed along with it, and is looked at behind the lock.
func OnlyIf(ctx context.Context, ref, match string) context.Context {
	if match == "" {
		return ctx
	}
	return context.WithValue(ctx, onlyIfKey{}, onlyIf{ref, match})
}

// CheckOnlyIf returns precondition_failed if the context has another version of this booking, see OnlyIf. What changes
// nothing of a booking but depends on it, such as sending its mail again, asks by itself.
func CheckOnlyIf(ctx context.Context, ref string, b *booking.Booking) error {
	if known, is := ctx.Value(onlyIfKey{}).(onlyIf); is && known.ref == ref {
		return fault.CheckETag(known.match, b.ETag(), "booking")
	}
	return nil
}
