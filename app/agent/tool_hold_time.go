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
	description: "Keeps an open time for some minutes, such as while a caller spells their name. Give its id as hold to " +
		"create_booking, with the same services and start. It ends by itself, or by release. Nobody is told.",
	input: object("",
		may("eventType", text("Slug or title of the service.").length(1, booking.MaxRef)),
		servicesArg("Of a visit, in its place."),
		may("start", instant("As check_availability gave it.")),
		may("host", text("Id or name of the host they want.").length(1, booking.MaxRef)),
		may("minutes", number("How long.").between(1, app.MaxHoldMinutes).byDefault(app.DefaultHoldMinutes)),
		may("addOns", list("Ids or titles.", text(""))),
		may("seats", number("Of a session.").between(1, catalog.MaxSeats).byDefault(1)),
		may("release", text("Alone: id of a hold to let go of.").length(1, booking.MaxRef))),
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
		h, err := s.Hold(ctx, a, in.HoldInput)
		if err != nil {
			return nil, ofServices(err)
		}
		told := held{ID: h.ID, Start: h.Start, Local: localIn(setup, h.Start), End: h.End, Host: h.Host.Name, ExpiresAt: h.ExpiresAt}
		for _, item := range h.Items {
			row := heldItem{EventType: item.EventType, Start: item.Start, Local: localIn(setup, item.Start), End: item.End}
			if host := setup.Host(item.Host); host != nil {
				row.Host = host.Name
			}
			told.Items = append(told.Items, row)
		}
		return told, nil
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
	Items     []heldItem     `json:"items,omitempty"` // of a visit
}

// heldItem is a service of a visit that is held.
type heldItem struct {
	EventType string       `json:"eventType"`
	Host      string       `json:"host"`
	Start     when.Instant `json:"start"`
	Local     string       `json:"local"`
	End       when.Instant `json:"end"`
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
	h.Items, h.Spoken = in.services(), true
	switch {
	case in.given("services") != nil:
		in.notWithServices("eventType", "host", "addOns", "seats")
	case h.EventType == "" && h.release == "":
		in.wrong("eventType", "is required: the slug or title of the service, or services for a visit")
	}
	for _, name := range []string{"eventType", "services", "start", "host", "minutes", "addOns", "seats"} {
		if h.release != "" && in.given(name) != nil {
			in.wrong(name, "does not go with release: that lets go of a hold, and nothing else")
		}
	}
	return h
}
