package pass

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// graceDays is how long a pass that has ended lives again after something came back to it.
const graceDays = 30

// Ledger writes to the ledgers of passes in one transaction.
type Ledger struct {
	Tx interface {
		Reads
		Writes
	}
	Workspace catalog.WorkspaceID
	Actor     app.Actor
	Now       time.Time
}

// Lock locks passes, each once and in one order, so that transactions wait for each other and not in a circle.
func (l *Ledger) Lock(all ...booking.PassID) error {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b booking.PassID) int { return cmp.Compare(a, b) })
	for _, p := range slices.Compact(all) {
		if err := l.Tx.LockPass(l.Workspace, p); err != nil {
			return err
		}
	}
	return nil
}

// Issue puts a new pass on the books, with all that it holds.
func (l *Ledger) Issue(p *Pass) error {
	p.ID, p.WorkspaceID, p.CreatedAt = id.New[booking.PassIDKind](l.Now), l.Workspace, when.At(l.Now)
	p.Balance = 0
	if err := l.Tx.InsertPass(p); err != nil {
		return err
	}
	p.Balance = p.Face
	return l.enter(Entry{ID: id.New[booking.PaymentIDKind](l.Now), PassID: p.ID, Delta: p.Face, SaleID: p.SaleID})
}

// Spend takes from a pass what e says, which pays e.Amount. The caller has locked the pass and found it usable. Errors: conflict
// pass_empty.
func (l *Ledger) Spend(e Entry) error {
	err := l.enter(e)
	if errors.Is(err, fault.ErrTaken) {
		return fault.Conflictf("pass_empty", "There isn't enough left on this pass.")
	}
	return err
}

// GiveBack puts on a pass again what the entry of that id took from it, or of one with an amount a part of that. The pass lives
// for 30 days more at least.
func (l *Ledger) GiveBack(used booking.PaymentID, amount int64) error {
	e, err := l.Tx.PassEntry(l.Workspace, used)
	if err != nil {
		return err
	}
	if err := l.Lock(e.PassID); err != nil {
		return err
	}
	p, err := l.Tx.Pass(l.Workspace, e.PassID)
	if err != nil {
		return err
	}
	back := Entry{ID: id.New[booking.PaymentIDKind](l.Now), PassID: p.ID, Delta: amount, Amount: -amount, BookingID: e.BookingID,
		SaleID: e.SaleID, TakesBack: e.ID}
	if p.Kind == Credits {
		back.Delta = -e.Delta
	}
	if now := when.At(l.Now); p.EndsAt != 0 && p.EndsAt <= now {
		p.EndsAt = now.Add(graceDays * 24 * time.Hour)
		if err := l.Tx.UpdatePass(&p); err != nil {
			return err
		}
	}
	return l.enter(back)
}

// Block keeps a pass from being used: its sale was given back.
func (l *Ledger) Block(p *Pass) error {
	p.Stopped = true
	return l.Tx.UpdatePass(p)
}

func (l *Ledger) enter(e Entry) error {
	e.WorkspaceID, e.By, e.ByID, e.At = l.Workspace, l.Actor.Kind, l.Actor.ID(), when.At(l.Now)
	return l.Tx.InsertPassEntry(&e)
}
