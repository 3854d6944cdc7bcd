package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
	"daybook/app/waitlist"
)

var joinWaitlist = tool{
	name: "join_waitlist", title: "Put somebody on the waitlist",
	description: "Notes that a person waits for a time of a service, or of several done together, that fits one of their wishes. What comes free is " +
		"offered to them by e-mail or text. They are told nothing now. Never make details up.",
	input: object("", servicesArg("What they wait for."),
		must("wishes", list("When they would come.", object("",
			must("from", text("First day.").kind("date")), must("to", text("Last day.").kind("date")),
			may("days", list("Only these days of the week.", choice("", "mon", "tue", "wed", "thu", "fri", "sat", "sun"))),
			may("hours", list("In which the start must lie.", text("Such as 09:00-12:00.")))))),
		may("seats", number("Of a session.").atLeast(1).byDefault(1)),
		may("until", text("Last day of waiting.").kind("date")),
		must("invitee", object("Who waits.", arguments(reflect.TypeFor[booking.Invitee]())...))),
	output: object("", must("id", text("")), must("status", text(""))),
	run: reading(readWait, func(ctx context.Context, s *subjects.Set, a app.Actor, in waitlist.Input) (any, error) {
		setup, err := s.Setup(a.Workspace)
		if err != nil {
			return nil, err
		}
		for i := range in.Items {
			one := &in.Items[i]
			if e, err := setup.EventTypeNamed(one.EventType, a.SeesEventType); err == nil {
				one.EventType = e.Slug
			}
			if one.Host == "" {
				continue
			}
			if one.Host, err = namedHost(s, a, one.Host); err != nil {
				return nil, err
			}
		}
		entry, err := s.Waitlist.Join(ctx, a, in)
		if err != nil {
			return nil, ofServices(err)
		}
		return entry, nil
	}),
}

func readWait(in *args) (w waitlist.Input) {
	for _, item := range in.services() {
		w.Items = append(w.Items, waitlist.Item{EventType: item.EventType, Host: item.Host, AddOns: item.AddOns})
	}
	if len(w.Items) == 0 && len(in.faults) == 0 {
		in.wrong("services", "is required: what they wait for, such as [{\"service\": \"haircut\"}]")
	}
	var wishes []map[string]json.RawMessage
	if raw := in.given("wishes"); raw == nil || json.Unmarshal(raw, &wishes) != nil {
		in.wrong("wishes", "must be a list of objects with from and to, such as [{\"from\": \"2026-12-01\", \"to\": \"2026-12-04\"}]")
	}
	for i, fields := range wishes {
		one := &args{fields: fields, path: fmt.Sprintf("wishes[%d].", i), parent: in}
		in.inner = append(in.inner, one)
		w.Wishes = append(w.Wishes, waitlist.Wish{From: one.text("from"), To: one.text("to"), Days: one.list("days"), Hours: one.list("hours")})
	}
	if n := in.whole("seats"); n != nil {
		w.Seats = *n
	}
	w.Until = in.text("until")
	if in.given("invitee") == nil {
		in.wrong("invitee", "is required: an object with name, and email or phone")
	}
	in.object("invitee").into(&w.Invitee)
	return w
}
