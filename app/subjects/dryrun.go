package subjects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/push"
)

// DryRun says what a command would do that was carried out and then undone.
type DryRun struct {
	DryRun bool     `json:"dryRun"` // true
	Result any      `json:"result"` // what the command would answer, but for what was made up: see invented
	Told   []Told   `json:"told"`
	Money  DryMoney `json:"money"`
}

// Told is a recipient who would be informed at once.
type Told struct {
	Who string `json:"who"`
	By  string `json:"by"`
	To  string `json:"to,omitempty"`
}

// The kinds of recipients, besides the roles of mails, and the channels.
const (
	toldRecipient, toldMember, toldEndpoint = "recipient", "member", "endpoint"

	byMail, byText, byWebhook, byNotification = "mail", "text", "webhook", "notification"
)

// DryMoney says which amounts a command would make due, now, on site or as a fee, and which it would refund; nil means
// none.
type DryMoney struct {
	Now    *money.Money `json:"now"`
	OnSite *money.Money `json:"onSite"`
	Fee    *money.Money `json:"fee"`
	Refund *money.Money `json:"refund"`
}

// The descriptions of the types.
var (
	DryRunFields = field.Resource{
		Text: "What a call with `dryRun` would do. Nothing was changed, nobody was told, nothing was charged.",
		Fields: []field.Field{
			{Name: "dryRun", Text: "Always true."},
			{Name: "result", Text: "What the call would answer, without the ids, links and secrets of what it would make: " +
				"there are none before the call itself."},
			{Name: "told", Text: "Who would be told at once."},
			{Name: "money", Text: "What would be paid, charged and given back."},
		},
	}
	ToldFields = field.Resource{
		Text: "Somebody who would be told.",
		Fields: []field.Field{
			{Name: "who", Text: "Who it is: the invitee, the booking's host, an owner of the workspace, a member with " +
				"notifications on a device, a webhook endpoint, or another recipient of a mail.",
				Enum: field.Values(string(mail.ToInvitee), string(mail.ToHost), string(mail.ToOwner), toldMember, toldEndpoint,
					toldRecipient)},
			{Name: "by", Text: "How.", Enum: field.Values(byMail, byText, byWebhook, byNotification)},
			{Name: "to", Text: "The address or telephone number of an invitee or recipient, or the id of a host or an endpoint, where the caller " +
				"may see it.", Example: "mia@example.com"},
		},
	}
	DryMoneyFields = field.Resource{
		Text: "What a call would cost; null is nothing.",
		Fields: []field.Field{
			{Name: "now", Text: "What the invitee would have to pay online now: the price, or the deposit.", Null: true},
			{Name: "onSite", Text: "What would be due on site then, with its tax.", Null: true},
			{Name: "fee", Text: "The fee that would be charged to the invitee's saved card.", Null: true},
			{Name: "refund", Text: "What would be given back, online or at the counter.", Null: true},
		},
	}
)

// errUndone ends the transaction of a dry run that went well.
var errUndone = errors.New("subjects: a dry run is undone")

// errLeft is the error of a dry run that tried to reach beyond the database, whatever it made of that.
var errLeft = fmt.Errorf("subjects: a dry run: %w", address.ErrWithin)

// dryAgain is how often a dry run is carried out at most, each time with the names resolved that it asked for.
const dryAgain = 5

// DryRun runs do with services that are bound to a transaction, finds out what it changed, and undoes it. do must
// change data only through those services and with that context, and may run more than once. Its errors are returned
// unchanged. If do tries to reach beyond the database, it fails: see address.Within. Nothing outside the database is
// asked: other calendars count as they were last read. The addresses of host names are looked up between two runs.
func (s *Set) DryRun(ctx context.Context, a app.Actor,
	do func(ctx context.Context, s *Set) (any, error)) (run DryRun, err error) {
	within, questions := address.Within(ctx)
	for range dryAgain {
		run, err = s.dryRun(within, a, do)
		if questions.Left() {
			return DryRun{}, errLeft
		}
		if !questions.Ask(ctx) {
			break
		}
	}
	if e := fault.Refusal(err); e != nil && e.Later != nil {
		if err := e.Later(ctx); err != nil {
			return DryRun{}, err
		}
	}
	return run, err
}

func (s *Set) dryRun(ctx context.Context, a app.Actor,
	do func(ctx context.Context, s *Set) (any, error)) (DryRun, error) {
	var run DryRun
	err := s.Write(ctx, func(tx app.Tx) error {
		// It undoes itself: who shares its transaction needn't be written again.
		return tx.Try(func() (err error) {
			run = DryRun{DryRun: true, Told: []Told{}}
			made := id.NewWatch()
			defer made.Close()
			rows := tx.Watch()
			in := s.In(tx)
			result, err := do(ctx, in)
			if err != nil {
				return err
			}
			undone := invented{made.Close(), s.BaseURL()}
			if run.Result, err = undone.without(result); err != nil {
				return err
			}
			seen := &sight{Set: in, ctx: ctx, actor: a, run: &run}
			if err := seen.look(*rows); err != nil {
				return err
			}
			return errUndone
		})
	})
	if err == errUndone {
		return run, nil
	}
	return DryRun{}, err
}

// sight finds what a command did, within its transaction.
type sight struct {
	*Set
	ctx   context.Context
	actor app.Actor
	run   *DryRun
}

// look reads the rows that were written, in their order.
func (s *sight) look(rows []any) error {
	if _, err := s.Reader(s.ctx).SetupRevision(s.actor.Workspace); err != nil { // what was to run later has run then
		return err
	}
	var saved []booking.Saved // one of each booking, as it is now
	for _, r := range rows {
		var err error
		switch r := r.(type) {
		case booking.Saved:
			i := slices.IndexFunc(saved, func(b booking.Saved) bool { return b.Booking.ID == r.Booking.ID })
			if i < 0 {
				saved = append(saved, r)
				continue
			}
			saved[i] = booking.Saved{Booking: r.Booking, Steps: saved[i].Steps + r.Steps}
		case booking.Event:
			for _, to := range r.To {
				s.tell(toldEndpoint, byWebhook, to.Endpoint.String(), app.MaySeeEndpoints)
			}
		case *mail.Mail:
			s.mail(r)
		case push.Message:
			s.tell(toldMember, byNotification, "", app.MaySeeEndpoints)
		case payment.Record:
			if r.Kind.Fee() {
				add(&s.run.Money.Fee, r.Amount, r.Currency)
			} else {
				add(&s.run.Money.Now, r.Amount, r.Currency)
			}
		case payment.Job:
			err = s.job(&r)
		case counter.Entry:
			if r.GivesBack != 0 {
				add(&s.run.Money.Refund, -r.Amount-r.Tip, r.Currency)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := s.bookings(saved); err != nil {
		return err
	}
	slices.SortStableFunc(s.run.Told, func(a, b Told) int { return cmp.Compare(order(a), order(b)) })
	return nil
}

// order returns that of the answer: people before programs.
func order(t Told) int {
	return slices.Index([]string{byMail, byText, byNotification, byWebhook}, t.By)
}

// bookings adds whom the changes of bookings tell, and what is due for them on site. The changes are looked at together, as
// followers do: those of the dates of a series need all of it, each.
func (s *sight) bookings(saved []booking.Saved) error {
	var changes []app.Followed
	for i := range saved {
		b := &saved[i]
		history, err := s.Reader(s.ctx).History(b.Booking.WorkspaceID, b.Booking.ID)
		if err != nil {
			return err
		}
		for i := max(0, len(history)-b.Steps); i < len(history); i++ {
			changes = append(changes, app.FollowedIn(&b.Booking, history, i))
		}
		if err := s.due(b.Booking); err != nil {
			return err
		}
	}
	mails, texts, err := s.Mail.Foretell(s.ctx, changes)
	if err != nil {
		return err
	}
	for i := range mails {
		s.mail(&mails[i])
	}
	for _, t := range texts {
		if !t.Later {
			s.tell(string(mail.ToInvitee), byText, t.To, app.MaySeeContacts)
		}
	}
	notes, err := s.Push.Foretell(s.ctx, changes)
	if err != nil {
		return err
	}
	for range notes {
		s.tell(toldMember, byNotification, "", app.MaySeeEndpoints)
	}
	return nil
}

// due adds what is due for a booking on site.
func (s *sight) due(k booking.Booking) error {
	setup, err := s.Setup(k.WorkspaceID)
	if err != nil {
		return err
	}
	if k.ShowMoney(setup); k.Due == nil {
		return nil
	}
	left := k.Due.Amount
	if k.NeedsPay && k.Payment != nil {
		left -= k.Payment.Amount
	}
	if left > 0 {
		add(&s.run.Money.OnSite, left, k.Due.Currency)
	}
	return nil
}

// mail adds who gets a mail, unless it is one for later.
func (s *sight) mail(m *mail.Mail) {
	who, to := cmp.Or(string(m.Facts.For), toldRecipient), m.To
	if m.BookingID == 0 {
		who = toldRecipient
	}
	switch {
	case m.Kind == catalog.MailReminder:
		return
	case who == string(mail.ToHost):
		to = m.Facts.Host.String()
	case who == string(mail.ToOwner):
		to = ""
	}
	s.tell(who, byMail, to, app.MaySeeContacts)
}

// job adds what a refund gives back.
func (s *sight) job(j *payment.Job) error {
	if j.Action != payment.DoRefund {
		return nil
	}
	p, err := s.Payment.Reader(s.ctx).Payment(j.PaymentID)
	add(&s.run.Money.Refund, j.Amount, p.Currency)
	return err
}

// tell adds somebody once; to is for those who may do what shows it.
func (s *sight) tell(who, by, to string, shown app.Command) {
	if s.actor.May(shown) != nil {
		to = ""
	}
	if t := (Told{who, by, to}); !slices.Contains(s.run.Told, t) {
		s.run.Told = append(s.run.Told, t)
	}
}

// add adds an amount; what is in another currency than the first is left out, as a booking has one.
func add(sum **money.Money, amount int64, currency string) {
	if *sum == nil {
		*sum = &money.Money{Currency: currency}
	}
	if (*sum).Currency == currency {
		(*sum).Amount += amount
	}
}
