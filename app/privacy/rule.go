package privacy

import (
	"context"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// State returns how far the nights of the actor's workspace have come; the zero State if no rule was chosen. Errors:
// forbidden.
func (s *Service) State(ctx context.Context, a app.Actor) (Retention, error) {
	if err := a.May(app.MayManagePrivacy); err != nil {
		return Retention{}, err
	}
	n, err := s.Reader(ctx).Retention(a.Workspace)
	if errors.Is(err, fault.ErrNotFound) {
		return Retention{Workspace: a.Workspace}, nil
	}
	return n, err
}

// ChooseRule sets after which time contacts and bookings lose their names; nil means never. It takes effect in the next
// night. Names that were erased don't come back. Errors: forbidden, bad_request.
func (s *Service) ChooseRule(ctx context.Context, a app.Actor, rule *catalog.RetentionRule) error {
	if err := a.May(app.MayManagePrivacy); err != nil {
		return err
	}
	if err := rule.Check("settings.retention"); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		w, err := tx.Workspace(a.Workspace)
		if err != nil {
			return err
		}
		before := w.Settings
		w.Settings.Retention = rule
		changed, err := audit.Changed("settings.", before, w.Settings)
		if err != nil || len(changed) == 0 {
			return err
		}
		if err := tx.UpdateWorkspace(&w); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.SettingsChanged, Fields: changed})
	})
}

// Preview says what a rule would erase if its night were now.
type Preview struct {
	Contacts int // that would be deleted
	Bookings int // that would be anonymised, theirs among them
	Oldest   when.Instant
	Open     int  // of the bookings: a payment or a refund is under way
	Taxed    int  // of the others: paid for, in the years that the tax law wants
	More     bool // there was no time to look at all: each number is the least that it can be
}

const (
	previewTime = 2 * time.Second // that a preview may take
	previewRows = 1000            // that are read together
	previewMost = 200_000         // contacts that are told apart
)

// PreviewRule returns what the rule would erase. It looks at as much as it can within two seconds, the oldest bookings
// first. Errors: forbidden, bad_request.
func (s *Service) PreviewRule(ctx context.Context, a app.Actor, rule catalog.RetentionRule) (p Preview, err error) {
	if err := a.May(app.MayManagePrivacy); err != nil {
		return p, err
	}
	if err := rule.Check("settings.retention"); err != nil {
		return p, err
	}
	r := s.Reader(ctx)
	w, err := r.Workspace(a.Workspace)
	if err != nil {
		return p, err
	}
	zone, err := catalog.CheckZone("timeZone", w.TimeZone)
	if err != nil {
		return p, err
	}
	now := s.Now()
	l := looking{r: r, ws: a.Workspace, begun: time.Now(), before: rule.Before(now),
		taxed: rule.TaxedFrom(now, zone, w.PhoneCountry()), seen: map[booking.ContactID]bool{}}
	if err := l.bookings(&p); err != nil {
		return p, err
	}
	return p, l.contacts(&p)
}

// looking is one preview.
type looking struct {
	r             Reader
	ws            catalog.WorkspaceID
	begun         time.Time
	before, taxed when.Instant
	seen          map[booking.ContactID]bool
}

func (l *looking) late() bool { return time.Since(l.begun) > previewTime || len(l.seen) > previewMost }

func (l *looking) bookings(p *Preview) error {
	for from := (Position{}); ; {
		rows, err := l.r.OldBookings(l.ws, from, l.before, previewRows)
		if err != nil || len(rows) == 0 {
			return err
		}
		var ids []booking.BookingID
		ends := map[booking.BookingID]when.Instant{}
		for i := range rows {
			b := &rows[i]
			from = Position{b.Start, int64(b.ID)}
			if b.Erased || b.End >= l.before {
				continue
			}
			if p.Oldest == 0 {
				p.Oldest = b.Start
			}
			p.Bookings++
			if !b.Recent && !l.seen[b.Contact] {
				l.seen[b.Contact] = true
				p.Contacts++
			}
			ids, ends[b.ID] = append(ids, b.ID), b.End
		}
		paid, err := l.r.MoneyOf(l.ws, ids)
		if err != nil {
			return err
		}
		for _, m := range paid {
			switch {
			case m.Open:
				p.Open++
			case ends[m.Booking] >= l.taxed:
				p.Taxed++
			}
		}
		if l.late() {
			p.More = true
			return nil
		}
	}
}

func (l *looking) contacts(p *Preview) error {
	for from := (Position{}); !l.late(); {
		rows, err := l.r.OldContacts(l.ws, from, l.before, previewRows)
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			from = Position{rows[i].At, int64(rows[i].ID)}
			if !rows[i].Erased && !rows[i].Booked {
				p.Contacts++
			}
		}
	}
	p.More = true
	return nil
}
