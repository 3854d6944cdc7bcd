package sms

import (
	"context"
	"net/http"
	"slices"
)

// Ask asks the service what became of a text: by our reference, or by the service's id where it gave one. The text's
// number must be that to which it was sent. The State is
//
//   - Taken, Delivered or Failed: the service has it,
//   - Missing: it never arrived, so that it may be sent again,
//   - Again: nothing was learned, ask later,
//   - Unknown: the service can't say, now or later.
func (c *Client) Ask(ctx context.Context, s *Sender, m Message, id string) Result {
	t := s.Template()
	if t == nil || t.Ask == nil {
		return Result{State: Unknown, Answer: "this service can't be asked"}
	}
	a, by := t.Ask, t.Ask.Reference
	if id != "" && a.ID != "" {
		by = a.ID
	} else {
		id = ""
	}
	if by == "" {
		return Result{State: Unknown, Answer: "this service can't be asked by our reference"}
	}
	v := s.values(m, id)
	r, err := s.withHeaders(t, http.MethodGet, s.address(by, v), "", nil, v)
	if err != nil {
		return Result{State: Unknown, Answer: err.Error()}
	}
	got := c.call(ctx, s, r)
	if got.err != nil {
		f := got.failed()
		if f.State == Unknown {
			f = Result{State: Again, Answer: "it does not answer"}
		} else if f.State == Refused {
			f.State = Unknown
		}
		return f
	}
	switch said := got.said("", got.doc.text(t.Answer.Text)); {
	case got.status == http.StatusNotFound:
		return a.missing(said)
	case later(got.status):
		return Result{State: Again, Answer: said, After: got.after}
	case got.status < 200 || got.status > 299:
		return Result{State: Unknown, Answer: said}
	case !got.valid:
		return Result{State: Again, Answer: said + ": an answer that can't be read"}
	}
	if a.Items != "" {
		item, found := a.find(got.doc, m.Reference, id)
		if !found {
			return a.missing("it is not in the service's list")
		}
		got.doc = item
	}
	return a.read(got)
}

func (a *Ask) missing(said string) Result {
	if a.Whole {
		return Result{State: Missing, Answer: said}
	}
	return Result{State: Unknown, Answer: said}
}

// find returns the message of the list that has our reference, or that id if it isn't empty.
func (a *Ask) find(doc document, reference, id string) (document, bool) {
	place, want := a.Match, reference
	if id != "" {
		place, want = a.MessageID, id
	}
	list, _ := doc.at(a.Items).([]any)
	for _, item := range list {
		if one := (document{value: item}); one.text(place) == want {
			return one, true
		}
	}
	return document{}, false
}

func (a *Ask) read(got answer) Result {
	r := Result{State: Taken, ID: got.id(a.MessageID), Code: short(got.doc.text(a.State), 40)}
	switch {
	case slices.Contains(a.Delivered, r.Code):
		r.State = Delivered
	case slices.Contains(a.Failed, r.Code):
		r.State, r.Answer = Failed, short(got.sender.redact(got.doc.text(a.Why)), maxAnswer)
	}
	return r
}
