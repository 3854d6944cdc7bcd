package agent

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/when"
)

var holdTime = tool{
	name: "hold_time", title: "Hold a time while you talk",
	description: "Keeps an open time for some minutes, such as while a caller spells their name: nobody else gets it. Give its id " +
		"as hold to create_booking, with the same service and start. It ends by itself, or by release. Nobody is told.",
	input: object("",
		may("eventType", text("Slug or title of the service.").length(1, booking.MaxRef)),
		may("start", instant("As check_availability gave it.")),
		may("host", text("Id or name of the host they want.").length(1, booking.MaxRef)),
		may("minutes", number("How long.").between(1, app.MaxHoldMinutes).byDefault(app.DefaultHoldMinutes)),
		may("addOns", list("Ids or titles.", text("Id or title."))),
		may("seats", number("How many seats of a session; 1 when left out.").between(1, catalog.MaxSeats)),
		may("release", text("In place of all else: id of a hold to let go of.").length(1, booking.MaxRef))),
	output: object("", must("id", text("")), may("local", text("")), may("host", text("")), may("expiresAt", text(""))),
	run: reading(readHold, func(ctx context.Context, s *subjects.Set, a app.Actor, in toHold) (any, error) {
		if err := a.May(app.MayBook); err != nil {
			return nil, err
		}
		if in.release != "" {
			return letGo{in.release, true}, s.ReleaseHold(ctx, a, in.release)
		}
		setup, err := s.Setup(a.Workspace)
		if err != nil {
			return nil, err
		}
		if e, err := setup.EventTypeNamed(in.EventType, a.SeesEventType); err == nil {
			in.EventType, in.AddOns = e.Slug, e.AddOnsNamed(in.AddOns)
		}
		if in.Host != "" {
			if in.Host, err = namedHost(s, a, in.Host); err != nil {
				return nil, err
			}
		}
		h, err := s.Hold(ctx, a, in.HoldInput)
		if err != nil {
			return nil, err
		}
		return held{h.ID, h.Start, localIn(setup, h.Start), h.End, h.Host.Name, h.ExpiresAt}, nil
	}),
}

// held is a time that is held, as the tool tells it.
type held struct {
	ID        booking.HoldID `json:"id"`
	Start     when.Instant   `json:"start"`
	Local     string         `json:"local"`
	End       when.Instant   `json:"end"`
	Host      string         `json:"host"`
	ExpiresAt when.Instant   `json:"expiresAt"`
}

type letGo struct {
	ID       string `json:"id"`
	Released bool   `json:"released"`
}

type toHold struct {
	app.HoldInput
	release string
}

func readHold(in *args) (h toHold) {
	h.release = in.short("release")
	h.EventType, h.Start, h.Host, h.Minutes = in.short("eventType"), in.text("start"), in.short("host"), in.whole("minutes")
	h.AddOns = in.list("addOns")
	if n := in.whole("seats"); n != nil {
		h.Seats = *n
	}
	for _, name := range []string{"eventType", "start", "host", "minutes", "addOns", "seats"} {
		if h.release != "" && in.given(name) != nil {
			in.wrong(name, "does not go with release: that lets go of a hold, and nothing else")
		}
	}
	return h
}
