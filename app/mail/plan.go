package mail

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// plan finds who gets which mails about some changes.
func (s *Service) plan(ctx context.Context, changes []app.Followed) (func(app.Tx) error, error) {
	plans, err := s.plans(ctx, changes)
	return func(in app.Tx) error {
		tx := in.(Tx)
		var bookings []booking.BookingID
		for i := range plans {
			bookings = append(bookings, plans[i].booking)
		}
		invitees, err := tx.InviteeEmails(bookings)
		var mails []Mail
		for i := 0; i < len(plans) && err == nil; i++ {
			mails, err = s.write(tx, &plans[i], invitees, mails)
		}
		if err != nil {
			return err
		}
		return tx.InsertMails(mails...)
	}, err
}

// plans asks the store once for what it needs to know of all the changes.
func (s *Service) plans(ctx context.Context, changes []app.Followed) (plans []mailPlan, err error) {
	var ids []booking.BookingID
	for i := range changes {
		if concernsPeople(&changes[i].HistoryEntry) {
			ids = append(ids, changes[i].Booking)
		}
	}
	r := s.Reader(ctx)
	bookings, err := r.BookingsByID(ids)
	if err != nil {
		return nil, err
	}
	known := app.Memo{}
	for i := range changes {
		b := bookings[changes[i].Booking]
		if b == nil || !concernsPeople(&changes[i].HistoryEntry) { // nil: deleted meanwhile
			continue
		}
		p, err := s.planChange(ctx, &changes[i], b, known)
		if errors.Is(err, fault.ErrNotFound) { // so is its workspace
			continue
		}
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, dropRefused(r, plans)
}

// dropRefused takes out the mails that their recipients have unsubscribed from.
func dropRefused(r Reads, plans []mailPlan) error {
	asked := map[Subscription]bool{}
	for i := range plans {
		for _, m := range plans[i].all() {
			if of := m.subscription(); of.Topic != "" {
				asked[of] = true
			}
		}
	}
	refused, err := r.RefusedMails(slices.Collect(maps.Keys(asked)))
	for i := 0; i < len(plans) && len(refused) > 0; i++ {
		p := &plans[i]
		p.mails = slices.DeleteFunc(p.mails, func(m Mail) bool { return slices.Contains(refused, m.subscription()) })
		for j := 0; p.beside != nil && j < len(p.beside.Mails); j++ {
			if m := &p.beside.Mails[j]; slices.Contains(refused, m.subscription()) {
				m.To = ""
			}
		}
	}
	return err
}

// Foretell returns the mails that the changes would cause, and who would be told by another way, without queueing them: it
// is for a dry run, whose transaction is undone.
func (s *Service) Foretell(ctx context.Context, changes []app.Followed) (all []Mail, beside []Beside, err error) {
	plans, err := s.plans(ctx, changes)
	for i := 0; i < len(plans) && err == nil; i++ {
		p := &plans[i]
		all = append(all, p.mails...)
		if p.beside == nil {
			continue
		}
		err = s.Quietly(ctx, func(tx Tx) error {
			left, told, err := s.channel.Divide(tx, p.beside)
			all, beside = append(all, left...), append(beside, told...)
			return err
		})
	}
	return all, beside, err
}

// concernsPeople reports whether the invitee or the team may get a mail about the change, or its reminders must be
// planned again. Nobody gets a mail about an arrival, what is done, or a no-show, nor about a yes to whether they come.
func concernsPeople(h *booking.HistoryEntry) bool {
	switch h.Action {
	case booking.ActNoShow, booking.ActNoShowUndone, booking.ActArrived, booking.ActArrivalUndone, booking.ActDone,
		booking.ActDoneUndone, booking.ActAskedComing, booking.ActComing:
		return false
	case booking.ActNotComing: // to the team alone
		return true
	case booking.ActPaid:
		return !h.From.Stands() // else it was paid ahead, by the link of a reminder
	case booking.ActCardSaved, booking.ActWaitOver, booking.ActRefunded, booking.ActRescheduled,
		booking.ActImported:
		return true
	}
	return h.From != h.To || remindsAnew(h)
}

// remindsAnew reports whether the booking of somebody who walked in has got an e-mail address, which tells nobody.
func remindsAnew(h *booking.HistoryEntry) bool {
	return h.Action == booking.ActUpdated && strings.Contains(h.Reason, booking.EditedEmail)
}

// mailPlan is what to write about one change.
type mailPlan struct {
	booking booking.BookingID
	drop    []booking.BookingID // whose queued reminders no longer hold
	invitee string              // address of the booking's invitee when the plan was made
	mails   []Mail
	beside  *Planned // what may go by another way than mail, else nil
}

// all returns the mails of the plan, wherever they may go.
func (p *mailPlan) all() []Mail {
	if p.beside == nil {
		return p.mails
	}
	return slices.Concat(p.mails, p.beside.Mails)
}

// write adds the mails to others that are to be inserted, and drops the queued reminders. Nothing is added of
// a booking whose invitee was deleted since the plan was made.
func (s *Service) write(tx Tx, p *mailPlan, invitees map[booking.BookingID]string, others []Mail) ([]Mail, error) {
	now := when.At(s.Core.Now())
	if email, found := invitees[p.booking]; !found || email != p.invitee && email == booking.ErasedEmail {
		return others, nil
	}
	if len(p.drop) > 0 { // its reminders may be among the others
		err := tx.InsertMails(others...)
		for i := 0; i < len(p.drop) && err == nil; i++ {
			err = tx.DropReminders(p.drop[i], "the booking has changed", now)
		}
		if others = nil; err != nil {
			return nil, err
		}
	}
	others = append(others, p.mails...)
	if p.beside == nil {
		return others, nil
	}
	left, _, err := s.channel.Divide(tx, p.beside)
	return append(others, left...), err
}

// planChange makes the mails of one change: none if its invitee was deleted.
func (s *Service) planChange(ctx context.Context, c *app.Followed, b *booking.Booking, known app.Memo) (mailPlan, error) {
	p := mailPlan{booking: c.Booking, invitee: b.Invitee.Email}
	if c.Seq > 1 && c.Action != booking.ActNotComing { // after that it stands as it did
		p.drop = []booking.BookingID{b.ID}
	}
	if b.Invitee.Erased() {
		return p, nil
	}
	setup, err := app.AskOnce(known, c.Workspace, func() (*catalog.Setup, error) { return s.Core.Setup(c.Workspace) })
	if err != nil {
		return p, err
	}
	m := &mailMaker{r: s.Reader(ctx), known: known, divides: s.divides(setup), setup: setup, event: setup.EventTypeByID(b.EventTypeID), b: b, u: c,
		now: s.Core.Now()}
	m.visitOf = func(b *booking.Booking) (*visit, error) {
		return app.AskOnce(known, b.Visit.ID, func() (*visit, error) { return s.visitOf(ctx, b) })
	}
	if b.InVisit() {
		if m.visit, err = m.visitOf(b); err != nil {
			return p, err
		}
		p.drop = m.visitReminders(p.drop)
	}
	if c.WithSeries && b.Series != nil {
		m.series, err = app.AskOnce(known, b.Series.ID, func() (*app.VisitHistory, error) { return s.Core.SeriesHistory(ctx, b) })
		if err != nil {
			return p, err
		}
	}
	err = m.make()
	if m.divides {
		p.beside = m.planned(p.drop)
	}
	p.mails = m.mails
	return p, err
}

// mailMaker makes the mails of one change of one booking.
type mailMaker struct {
	r     Reader
	known app.Memo // of all changes of the plan
	setup *catalog.Setup
	event *catalog.EventType
	b     *booking.Booking // as it is now
	u     *app.Followed
	now   time.Time
	mails []Mail

	divides bool   // the invitee may be told by another way than mail: a mail to them that can\'t go has no To
	visit   *visit // that the booking is one of several of, else nil
	led     bool   // another change of the visit writes the invitee's mails

	visitOf func(*booking.Booking) (*visit, error) // reads the visit of another booking that is one of several of it

	series *app.VisitHistory // of whose several dates the change is one, else nil

	length    when.Instant        // of the booking after the change, in milliseconds
	eventType catalog.EventTypeID // after the change
}

func (m *mailMaker) make() error {
	if err := m.became(); err != nil {
		return err
	}
	if m.u.Action == booking.ActImported { // nobody is told
		if m.b.ImportMarks.Has(booking.ImportReminds) {
			m.makeReminders()
		}
		return nil
	}
	if m.u.Action == booking.ActNotComing {
		if m.u.At < when.At(m.now).Add(-mailLife) {
			return nil
		}
		return m.makeTeam()
	}
	if m.u.At < when.At(m.now).Add(-mailLife) || remindsAnew(&m.u.HistoryEntry) {
		m.makeReminders() // it has been too long
		return nil
	}
	if m.u.Action == booking.ActRefunded {
		m.add(catalog.MailRefunded, m.b.Invitee.Email, m.facts(ToInvitee))
		m.makeReminders()
		return nil
	}
	if k := m.inviteeKind(); k != "" && !m.led && (m.series == nil || m.series.Leads(m.u)) {
		f := m.facts(ToInvitee)
		f.Held = k == catalog.MailMoved && m.u.Actor == booking.ByOwner && m.series == nil
		m.tellVisit(k, &f)
		if err := m.tellSeries(k, &f); err != nil {
			return err
		}
		m.add(k, m.b.Invitee.Email, f)
	}
	err := m.makeTeam()
	m.makeReminders()
	return err
}

// facts returns the change's, for a recipient.
func (m *mailMaker) facts(to Role) Facts {
	f := Facts{
		For: to, Start: m.u.Start, End: m.u.Start + m.length, Host: m.u.Host, Status: m.u.To,
		By: m.u.Actor, Reason: m.u.Reason, Amount: m.u.Amount, Sequence: m.u.Seq - 1,
	}
	if m.u.Action == booking.ActRescheduled {
		m.replaced(&f)
	}
	return f
}

func (m *mailMaker) add(k catalog.MailKind, to string, f Facts) {
	if !m.wants(k, &f) {
		to = ""
	}
	if to != "" || m.divides && f.For == ToInvitee { // an invitee may have no e-mail address
		m.put(k, to, f)
	}
}

func (m *mailMaker) put(k catalog.MailKind, to string, f Facts) {
	now := when.At(m.now)
	due := now
	if f.Held {
		due = m.u.At.Add(moveDelay)
	}
	m.mails = append(m.mails, Mail{
		ID: id.New[MailIDKind](m.now), WorkspaceID: m.b.WorkspaceID, BookingID: m.b.ID, Kind: k, To: to, Facts: f,
		DueAt: due, Until: now.Add(mailLife),
	})
}

// unpaid reports whether the booking waits for its payment.
func (m *mailMaker) unpaid() bool { return m.b.Status == booking.Pending && m.b.NeedsPay }

func (m *mailMaker) inviteeKind() catalog.MailKind {
	switch m.u.Action {
	case booking.ActRescheduled:
		return catalog.MailMoved
	case booking.ActCancelled:
		return catalog.MailCancelled
	case booking.ActDeclined:
		return catalog.MailDeclined
	case booking.ActLapsed:
		return catalog.MailLapsed
	case booking.ActConfirmed:
		return catalog.MailApproved
	}
	switch {
	case m.u.To == booking.Confirmed:
		return catalog.MailConfirmed
	case m.u.To == booking.Pending && m.unpaid():
		return catalog.MailPaymentDue
	case m.u.To == booking.Pending:
		return catalog.MailWaiting
	}
	return ""
}

// makeReminders writes the reminders that are still to come for the booking as it is now.
func (m *mailMaker) makeReminders() {
	if m.visit != nil {
		m.remindOfVisit()
		return
	}
	if m.event == nil || !m.b.Status.Stands() || m.b.Start != m.u.Start || len(m.event.ReminderMinutes) == 0 ||
		m.remindsAt(m.b, m.event) == "" && !m.divides {
		return
	}
	f := m.facts(ToInvitee)
	f.Reason, f.By = "", ""
	f.tellFrom(f.place())
	m.remind(m.b, m.event, f)
}

// remindsAt returns the address to which reminders of a booking are mailed, or "".
func (m *mailMaker) remindsAt(b *booking.Booking, e *catalog.EventType) string {
	if !m.setup.Wants(catalog.MailReminder, e) {
		return ""
	}
	return b.Invitee.Email
}

// remind writes the reminders of a booking that are still to come, with these facts.
func (m *mailMaker) remind(b *booking.Booking, e *catalog.EventType, f Facts) {
	for _, lead := range e.ReminderMinutes {
		due := b.Start.Add(-time.Duration(lead) * time.Minute)
		if due <= when.At(m.now) {
			continue
		}
		f.Lead = lead
		m.mails = append(m.mails, Mail{
			ID: id.New[MailIDKind](m.now), WorkspaceID: b.WorkspaceID, BookingID: b.ID,
			Kind: catalog.MailReminder, To: m.remindsAt(b, e), Facts: f, DueAt: due, Until: reminderUntil(b.Start, lead),
		})
	}
}

// Alert queues a mail that is not about a booking to the members of the team who want it, and reports whether there are
// any.
func (s *Service) Alert(tx Tx, ws catalog.WorkspaceID, k catalog.MailKind, f Facts, to ...app.User) (some bool,
	err error) {
	setup, err := s.Core.Setup(ws)
	if err != nil || !setup.Wants(k, nil) {
		return false, err
	}
	now := s.Core.Now()
	plan := []mailPlan{{}}
	for _, u := range to {
		plan[0].mails = append(plan[0].mails, Mail{ID: id.New[MailIDKind](now), WorkspaceID: ws, Kind: k, To: u.Email,
			Facts: f, DueAt: when.At(now), Until: when.At(now).Add(mailLife)})
	}
	if err := dropRefused(tx, plan); err != nil {
		return false, err
	}
	return len(plan[0].mails) > 0, tx.InsertMails(plan[0].mails...)
}
