package waitlist_test

import (
	"slices"
	"testing"

	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/waitlist"
)

// Who takes an offer says what the booking page would ask for and must be said; until then it stays offered. Where nothing
// must be said, nothing is asked.
func TestTakingAsksWhatMustBeSaid(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	w.Alter("cut", func(e *catalog.EventType) {
		e.AsksFor = catalog.AskBoth
		e.Questions = []catalog.Question{{Key: "hair", Label: "How long is your hair?", Type: "text", Required: true},
			{Key: "tea", Label: "Tea?", Type: "text"}}
	})
	w.Alter("wash", func(e *catalog.EventType) {
		e.Questions = []catalog.Question{{Key: "agree", Label: "I agree", Type: "checkbox", Required: true}}
	})
	alone, in := w.waits(input("cut", "bo")), input("cut", "vi")
	in.Items = append(in.Items, waitlist.Item{EventType: "wash"})
	in.Invitee.Phone = "+4930901820"
	visit := w.waits(in)
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if w.offered(alone) == nil {
		t.Fatal("it isn't offered")
	}
	fields := func(err error) (all []string) {
		t.Helper()
		e := w.Refused(err, fault.BadRequest, fault.As(err).Reason)
		for _, one := range append([]*fault.Error{e}, e.Others...) {
			all = append(all, one.Field)
		}
		slices.Sort(all)
		return all
	}
	_, err := w.Waitlist.Take(ctx, w.token(alone), waitlist.TakeInput{})
	if got := fields(err); !slices.Equal(got, []string{"answers.hair", "invitee.phone"}) {
		t.Errorf("refused for %v", got)
	}
	if w.offered(alone) == nil || w.held()[1] != 1 {
		t.Fatalf("then offered %v, held %v", w.offered(alone), w.held())
	}
	taken, err := w.Waitlist.Take(ctx, w.token(alone), waitlist.TakeInput{Phone: "+4930901821", Answers: map[string]any{"hair": "long", "other": "x"}})
	w.Must(err)
	if b := taken.Booking; b.Answers["hair"] != "long" || b.Invitee.Phone != "+4930901821" || len(b.Answers) != 1 {
		t.Errorf("booked %v of %+v", b.Answers, b.Invitee)
	}
	w.frees("cut", "2T09", w.ana())
	w.carries()
	_, err = w.Waitlist.Take(ctx, w.token(visit), waitlist.TakeInput{Answers: map[string]any{"hair": "short", "agree": false}})
	if got := fields(err); !slices.Equal(got, []string{"answers.agree"}) {
		t.Errorf("the visit is refused for %v", got)
	}
	of, err := w.Waitlist.Take(ctx, w.token(visit), waitlist.TakeInput{Answers: map[string]any{"hair": "short", "agree": true}})
	w.Must(err)
	if of.Visit.Items[0].Answers["hair"] != "short" || of.Visit.Items[1].Answers["agree"] != true {
		t.Errorf("booked %v", of.Visit.Items)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	if asked, own := alone.Asked(setup); len(asked.Questions) != 1 || len(own) != 0 {
		t.Errorf("asked %v and %v", asked.Questions, own)
	}
}

// A field of customers that must be given is asked for, and kept with the booking.
func TestTakingAsksOwnFields(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	_, err := w.Shop.UpdateWorkspace(ctx, w.Owner, func(x *catalog.Workspace) {
		x.Settings.ContactFields = []catalog.ContactField{{Key: "dog", Label: "Dog", Type: catalog.TextField, OnForm: catalog.MustBeGiven}}
	})
	w.Must(err)
	e := w.waits(input("wash", "bo"))
	w.frees("wash", "1T09", w.ana())
	w.carries()
	_, err = w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
	if refused := w.Refused(err, fault.BadRequest, "invalid"); refused.Field != "contactFields.dog" {
		t.Errorf("refused for %s", refused.Field)
	}
	taken, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{ContactFields: map[string]any{"dog": "Rex"}})
	w.Must(err)
	b, err := w.Booking(ctx, w.Owner, taken.Booking.ID.String())
	w.Must(err)
	if b.ContactFields["dog"] != "Rex" || b.Start.String() != apptest.At("1T09") {
		t.Errorf("booked %v", b.ContactFields)
	}
}
