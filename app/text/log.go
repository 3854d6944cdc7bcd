package text

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

func missingText(ref string) *fault.Error {
	return fault.New(fault.NotFound, "", `There is no text "%s"; list them with: daybook texts log`, ref)
}

// ListInput says which texts to list.
type ListInput struct {
	State   string // one of States; "" is all
	Booking string
	Contact string
	Limit   *int
	Cursor  string
}

// Filter says which texts to list. Zero fields do not filter.
type Filter struct {
	State   State
	Booking booking.BookingID
	Series  booking.SeriesID // of the bookings
	Contact booking.ContactID
	Phone   string
	Kind    catalog.TextKind
	After   TextID
	Limit   int
}

// Texts lists a workspace's texts, the newest first. Errors: forbidden, bad_request.
func (s *Service) Texts(ctx context.Context, a app.Actor, in ListInput) (page fault.Page[Text], err error) {
	if err := a.May(app.MayManageMails); err != nil {
		return page, err
	}
	limit, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return page, err
	}
	f := Filter{State: State(in.State), Limit: limit + 1}
	if f.State != "" && !slices.Contains(States, f.State) {
		return page, fault.Invalid("state", "must be waiting, sent, delivered, perhaps, failed or dropped")
	}
	none := fault.Page[Text]{Data: []Text{}}
	if in.Booking != "" {
		if f.Booking, err = id.Parse[booking.BookingIDKind](in.Booking); err != nil {
			return none, nil
		}
	}
	if in.Contact != "" {
		if f.Contact, err = id.Parse[booking.ContactIDKind](in.Contact); err != nil {
			return none, nil
		}
	}
	list := fault.List{"texts", in.State, in.Booking, in.Contact}
	if in.Cursor != "" {
		var after int64
		if err := list.Read(in.Cursor, &after); err != nil {
			return page, err
		}
		f.After = TextID(after)
	}
	rows, err := s.Reader(ctx).Texts(a.Workspace, f)
	return fault.PageOf(rows, limit, func(t *Text) string { return list.Cursor(int64(t.ID)) }), err
}

// ReceiptTexts lists the texts by which a receipt went, the newest first. Errors: forbidden, not_found.
func (s *Service) ReceiptTexts(ctx context.Context, a app.Actor, r counter.Receipt) (all []Text, err error) {
	if err := a.May(app.MayMailReceipts); err != nil {
		return nil, err
	}
	of := r.Bookings()
	if len(of) == 0 {
		return nil, fault.Missing("booking", "")
	}
	b, err := s.Core.Booking(ctx, a, of[0].String()) // whose customer the receipt of a sale goes to
	if err != nil {
		return nil, err
	}
	found, err := s.Reader(ctx).Texts(a.Workspace, Filter{Booking: b.ID, Kind: catalog.TextReceipt, Limit: 50})
	for i := range found {
		if of := found[i].Facts.Told.Receipt; of != nil && of.ID == r.ID {
			all = append(all, found[i])
		}
	}
	return all, err
}

// Used returns how many segments were sent in this month of the workspace's zone, and how many may be. Errors: forbidden.
func (s *Service) Used(ctx context.Context, a app.Actor) (used, most int, err error) {
	if err := a.May(app.MayManageMails); err != nil {
		return 0, 0, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return 0, 0, err
	}
	m, err := s.Reader(ctx).TextMonth(a.Workspace, month(when.At(s.Core.Now()), setup))
	return m.Segments, setup.Workspace.Settings.TextRules().MonthlyCap(), err
}

// Text returns one text of the log. Errors: forbidden, not_found.
func (s *Service) Text(ctx context.Context, a app.Actor, ref string) (Text, error) {
	if err := a.May(app.MayManageMails); err != nil {
		return Text{}, err
	}
	id, err := id.Parse[TextIDKind](ref)
	if err != nil {
		return Text{}, missingText(ref)
	}
	t, err := s.Reader(ctx).Text(id)
	if err == nil && !a.Everywhere() && t.WorkspaceID != a.Workspace {
		err = fault.ErrNotFound
	}
	return t, fault.OrMissing(err, missingText(ref))
}

// The limits on sending a text again.
const mostResends = 10

// ResendText makes a text of the log due at once, as a new message, whatever became of it. Errors: forbidden, not_found,
// conflict in_progress, overtaken, sent_often.
func (s *Service) ResendText(ctx context.Context, a app.Actor, ref string) (t Text, err error) {
	if err := a.May(app.MayManageMails); err != nil {
		return t, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		in := s.In(tx)
		if t, err = in.Text(ctx, a, ref); err != nil {
			return err
		}
		if t.Resends >= mostResends {
			return fault.Conflictf("sent_often", "This text was sent again %d times, the most there may be.", mostResends)
		}
		again := t
		again.Resends++
		about, err := in.about(ctx, &again)
		if err != nil {
			return fault.OrMissing(err, missingText(ref))
		}
		if about.Dropped != "" {
			return fault.Conflictf("overtaken", "This text can't be sent any more: %s.", about.Dropped)
		}
		now := when.At(s.Core.Now())
		until := now.Add(life)
		if t.Kind == catalog.TextReminder {
			until = min(until, t.Facts.Told.Start)
		}
		free, err := tx.RequeueText(&t, now, until)
		if err == nil && !free {
			err = fault.Conflictf("in_progress", "This text is being sent right now.")
		}
		if err != nil {
			return err
		}
		t, err = tx.Text(t.ID)
		return err
	})
	return t, err
}

// kept is how long settled texts stay in the log, and what people wrote.
const kept = 90 * when.Day

// tidy gives up texts that could not be sent in time and deletes old ones, in small steps.
func (s *Service) tidy(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		var expired []Text
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			now := when.At(s.Core.Now())
			if expired, err = tx.ExpireTexts(now, whyTime, step); err != nil {
				return err
			}
			for i := range expired {
				if expired[i].State == Failed {
					if err := s.fallBack(tx, &expired[i], whyTime, now); err != nil {
						return err
					}
				}
			}
			pruned, err := tx.PruneTexts(id.First[TextIDKind](now.Add(-kept).Time()), now, step)
			if err != nil {
				return err
			}
			old, err := tx.PruneTextMessages(id.First[MessageIDKind](now.Add(-kept).Time()), step)
			n = max(len(expired), pruned, old)
			return err
		})
		if err != nil {
			return err
		}
		for i := range expired {
			if expired[i].State == Failed {
				s.counted.GivenUp.Add(1)
			} else {
				s.counted.Perhaps.Add(1)
			}
		}
	}
	return nil
}

const whyTime = "given up: it could not be sent in time"
