package web

import (
	"time"

	"daybook/app/bulk"
	"daybook/views/dash"
)

// Cancelling adds to the frame what is being cancelled of several bookings, with how to undo it, and lets the badges of
// those bookings say so. news adds what became of those that nobody has looked at yet.
func (c *Call) Cancelling(d *dash.Frame, news bool) (err error) {
	if c.waiting, err = c.Subjects.Bulk.WaitingCancellations(c.Context(), c.Actor); err != nil {
		return err
	}
	if len(c.waiting) == 0 && !news {
		return nil
	}
	all, err := c.Subjects.Bulk.UnseenCancellations(c.Context(), c.Actor)
	for i := range all {
		if k := &all[i]; news || k.State != bulk.Done {
			d.Cancelling = append(d.Cancelling, c.CancelNote(k))
		}
	}
	return err
}

// CancelNote says how far a cancellation of several bookings has come.
func (c *Call) CancelNote(k *bulk.Cancellation) dash.CancelNote {
	id := k.ID.String()
	n := dash.CancelNote{URL: dash.CancellationPath(id)}
	if k.State == bulk.Done {
		n.Text = c.T("cancel_done", "Count", k.Count(bulk.Cancelled, bulk.Declined, bulk.Before))
		if left := len(k.Items) - k.Count(bulk.Cancelled, bulk.Declined, bulk.Before, bulk.Kept); left > 0 {
			n.Left, n.Bad = c.T("cancel_news_left", "Count", left), true
		}
		n.SeenURL = dash.CancellationSeenPath(id)
		return n
	}
	n.Text = c.T("cancel_under", "Count", len(k.Items)-k.Count(bulk.Kept, bulk.Changed, bulk.InChair, bulk.Gone,
		bulk.Before))
	if k.State == bulk.Waits {
		n.UndoURL = dash.CancellationUndoPath(id)
		n.Seconds = int(max(0, (k.DueAt.Time().Sub(c.Subjects.Now())+time.Second-1)/time.Second))
	}
	return n
}
