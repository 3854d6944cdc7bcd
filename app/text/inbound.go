package text

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/phone"
	"daybook/app/push"
	"daybook/app/text/sms"
	"daybook/app/when"
)

// Message is a text between somebody and the business: one that came in, or one that a member has written.
type Message struct {
	ID          MessageID           `json:"id"`
	WorkspaceID catalog.WorkspaceID `json:"-"`
	ContactID   booking.ContactID   `json:"contactId,omitzero"` // 0: nobody is known by the number
	Phone       string              `json:"phone"`              // theirs, in E.164
	Text        string              `json:"text"`
	Media       int                 `json:"media"` // pictures that came with it and were dropped
	CreatedAt   when.Instant        `json:"createdAt"`
	SeenAt      when.Instant        `json:"seenAt"` // 0: nobody of the team has seen it
	Ours        State               `json:"ours"`   // of one that a member has written: what became of it; "" of one that came in

	SenderID string `json:"-"` // the sender's own id of it, by which a second post of it is known; "" where it gives none
}

// MessageFilter says which messages that came in to list. Zero fields do not filter.
type MessageFilter struct {
	Contact booking.ContactID
	New     bool // that nobody has seen
	Limit   int
}

// InboundReads finds what came in.
type InboundReads interface {
	// TextMessage returns a message that came in. Errors: ErrNotFound.
	TextMessage(ws catalog.WorkspaceID, id MessageID) (Message, error)
	// TextMessages lists messages that came in, the newest first.
	TextMessages(ws catalog.WorkspaceID, f MessageFilter) ([]Message, error)
	// TextMessageKnown reports whether a message with the sender's id came in before.
	TextMessageKnown(ws catalog.WorkspaceID, senderID string) (bool, error)
	// CountTextMessages counts the messages of a number, beginning with an id.
	CountTextMessages(ws catalog.WorkspaceID, phone string, from MessageID) (int, error)
}

// InboundWrites saves what came in.
type InboundWrites interface {
	// InsertTextMessage reports false, and saves nothing, where the sender's id of it is known already.
	InsertTextMessage(m *Message) (bool, error)
	// SeeTextMessages notes that somebody has seen all messages of a number.
	SeeTextMessages(ws catalog.WorkspaceID, phone string, now when.Instant) error
	// PruneTextMessages deletes at most limit messages older than before, and says how many.
	PruneTextMessages(before MessageID, limit int) (int, error)
}

const (
	// lookedBack is how many of the newest texts to a number are looked at to find out what its owner answers.
	lookedBack = 50
	// messagesADay is how many messages of one number are kept in 24 hours. Answers, STOP and START always count.
	messagesADay = 100
	// leastDigits is the length of the shortest number of a person. Short codes and names, such as banks', write to the phone
	// that sends, of its owner's business alone.
	leastDigits = 7
	// stoppedOnce is for how long no second text says that no more will come, and linkedOnce for how long none brings the
	// link to several questions.
	stoppedOnce, linkedOnce = when.Day, time.Hour
)

// Inbound takes what the sender of a workspace posts: what became of a text, or what a person wrote. address is the whole
// address that it called. The same post twice does nothing a second time. Errors: not_found, sms.ErrUnverified,
// sms.ErrStale and sms.ErrTooLong.
func (s *Service) Inbound(ctx context.Context, ws catalog.WorkspaceID, r *http.Request, address string, body []byte) error {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return fault.OrMissing(err, fault.Missing("workspace", ws.String()))
	}
	sender, err := s.sender(ctx, ws)
	if err != nil {
		return err
	}
	if sender == nil {
		return sms.ErrUnverified
	}
	in, err := sms.Read(sender, r, address, body, s.Now())
	if err != nil {
		return err
	}
	switch in.Kind {
	case sms.ReportKind:
		return s.reported(ctx, ws, &in)
	case sms.MessageKind:
		return s.wrote(ctx, setup, sender, &in)
	}
	return nil
}

// reported saves what the sender reports of a text. One that it has lost is replaced by the mail of the same thing.
func (s *Service) reported(ctx context.Context, ws catalog.WorkspaceID, in *sms.Incoming) error {
	state := Delivered
	switch in.State {
	case sms.Delivered:
	case sms.Failed:
		state = Failed
	default: // it is on its way
		return nil
	}
	ref, err := id.Parse[TextIDKind](in.Reference)
	if err != nil && in.ID == "" {
		return nil
	}
	if err != nil {
		ref = 0
	}
	return s.Write(ctx, func(tx Tx) error {
		now := when.At(s.Core.Now())
		t, changed, err := tx.ReportText(ws, ref, in.ID, state, in.Why, now)
		if errors.Is(err, fault.ErrNotFound) || err == nil && !changed {
			return nil
		}
		if err == nil && state == Failed {
			err = s.fallBack(tx, &t, in.Why, now)
		}
		return err
	})
}

// reply is what a message says by itself; "" is something for a person to read.
type reply string

const (
	replyYes   reply = "1"
	replyNo    reply = "2"
	replyStop  reply = "STOP"
	replyStart reply = "START"
)

// replies are the words that count, in capitals and without spaces. YES and the like are left to senders (OptOut), since
// people answer anything with them.
var replies = map[string]reply{"1": replyYes, "2": replyNo, "START": replyStart, "UNSTOP": replyStart,
	"STOP": replyStop, "STOPALL": replyStop, "UNSUBSCRIBE": replyStop, "CANCEL": replyStop, "END": replyStop, "QUIT": replyStop,
	"STOPP": replyStop, "ARRET": replyStop, "ARRÊT": replyStop, "ALTO": replyStop, "BAJA": replyStop}

// replyOf reads a whole message as one of the replies: case, spaces, full stops and exclamation marks are ignored. What the
// sender itself took for STOP or START is that.
func replyOf(in *sms.Incoming) reply {
	switch in.OptOut {
	case "STOP":
		return replyStop
	case "START":
		return replyStart
	}
	return replyIn(in.Text)
}

func replyIn(text string) reply {
	return replies[strings.Map(func(r rune) rune {
		if r == '.' || r == '!' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, text)]
}

// wrote does what a person's message asks for, or keeps it for the team.
func (s *Service) wrote(ctx context.Context, setup *catalog.Setup, sender *sms.Sender, in *sms.Incoming) error {
	number, ok := phone.Parse(in.From, setup.Workspace.PhoneCountry())
	if !ok || len(in.From) < leastDigits || in.Text == "" && in.Media == 0 && in.OptOut == "" {
		return nil
	}
	return s.Write(ctx, func(tx Tx) error {
		x := arrival{Service: s, tx: tx, setup: setup, sender: sender, number: number, said: replyOf(in), now: when.At(s.Core.Now())}
		if in.ID != "" {
			if known, err := tx.TextMessageKnown(setup.Workspace.ID, in.ID); err != nil || known {
				return err
			}
		}
		if err := x.look(); err != nil {
			return err
		}
		// Bookings are locked before the number, as everywhere.
		if err := x.answer(ctx); err != nil {
			return err
		}
		if fresh, err := x.keep(in); err != nil || !fresh {
			return err
		}
		return x.act()
	})
}

// arrival is a person's message on its way into the database.
type arrival struct {
	*Service
	tx      Tx
	setup   *catalog.Setup
	sender  *sms.Sender
	number  string
	said    reply
	now     when.Instant
	sent    []Text            // the newest to the number
	contact booking.ContactID // who wrote, as far as that is known
	several bool              // it could answer several questions
	kept    bool              // for the team to read
}

// look finds out whose number it is, and what was sent to it.
func (x *arrival) look() (err error) {
	ws := x.setup.Workspace.ID
	if x.sent, err = x.tx.Texts(ws, Filter{Phone: x.number, Limit: lookedBack}); err != nil {
		return err
	}
	having, err := x.tx.ContactsOf(ws, booking.Identity{Phone: x.number, Country: x.setup.Workspace.PhoneCountry()}, mostOfNumber)
	if err != nil {
		return err
	}
	has := func(c booking.ContactID) bool {
		return slices.ContainsFunc(having, func(k booking.Contact) bool { return k.ID == c })
	}
	for i := range x.sent { // of several the one who was texted last
		if c := x.sent[i].ContactID; c != 0 && (has(c) || len(having) == 0) {
			x.contact = c
			return nil
		}
	}
	if len(having) > 0 {
		x.contact = having[0].ID
	}
	return nil
}

// answer notes a reply of 1 or 2 where one question is open. Where none is, it is a message.
func (x *arrival) answer(ctx context.Context) error {
	if x.said != replyYes && x.said != replyNo {
		return nil
	}
	open, err := questions(x.tx, x.sent, x.number, x.now)
	if err != nil {
		return err
	}
	switch len(open) {
	case 0:
		x.said = ""
		return nil
	case 1:
		system := app.Actor{Kind: booking.BySystem, Workspace: x.setup.Workspace.ID}
		core, b := x.Core.In(x.tx), &open[0].Bookings[0]
		if b.InVisit() {
			_, err = core.AnswerVisitComing(ctx, system, b.Visit.ID.String(), x.said == replyYes, booking.ComingByText)
		} else {
			_, err = core.AnswerComing(ctx, system, b.ID.String(), x.said == replyYes, booking.ComingByText)
		}
		if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) { // it has begun or was cancelled meanwhile
			x.said, err = "", nil
		}
		return err
	}
	x.several = true
	return nil
}

// keep saves the message: one that says something by itself as seen, so that a second post of it is known. It reports
// false where it was posted before.
func (x *arrival) keep(in *sms.Incoming) (fresh bool, err error) {
	ws := x.setup.Workspace.ID
	n, err := x.tx.CountTextMessages(ws, x.number, id.First[MessageIDKind](x.now.Add(-when.Day).Time()))
	if err != nil || n >= messagesADay {
		return err == nil, err
	}
	m := Message{ID: id.New[MessageIDKind](x.now.Time()), WorkspaceID: ws, ContactID: x.contact, Phone: x.number, Text: in.Text,
		Media: in.Media, SenderID: in.ID}
	if x.said != "" {
		m.SeenAt = x.now
	}
	fresh, err = x.tx.InsertTextMessage(&m)
	x.kept = fresh && x.said == ""
	return fresh, err
}

// act does the rest behind the lock of the number: STOP, START, the link to several questions, and telling the team.
func (x *arrival) act() error {
	ws := x.setup.Workspace.ID
	stopped, err := x.tx.LockTextNumber(ws, x.number)
	if err != nil {
		return err
	}
	if err := x.tx.NumberWrote(ws, x.number, x.now); err != nil {
		return err
	}
	switch {
	case x.said == replyStop && stopped == 0:
		if err := x.Stop(x.tx, ws, x.number); err != nil || x.sender.AnswersStop() || x.had(catalog.TextStopped, stoppedOnce) {
			return err
		}
		return x.queue(catalog.TextStopped)
	case x.said == replyStart:
		_, err := x.Start(x.tx, x.setup, x.number)
		return err
	case x.several && stopped == 0 && !x.had(catalog.TextAnswer, linkedOnce):
		return x.queue(catalog.TextAnswer)
	case x.kept:
		return push.TellOfMessage(x.tx, ws, x.now)
	}
	return nil
}

// had reports whether a text of the kind was queued for the number that recently.
func (x *arrival) had(k catalog.TextKind, span time.Duration) bool {
	return slices.ContainsFunc(x.sent, func(t Text) bool { return t.Kind == k && t.CreatedAt > x.now.Add(-span) })
}

// queue queues a text that answers the person, in the language in which they were texted last.
func (x *arrival) queue(k catalog.TextKind) error {
	t := Text{ID: id.New[TextIDKind](x.now.Time()), WorkspaceID: x.setup.Workspace.ID, ContactID: x.contact, Kind: k, To: x.number,
		CreatedAt: x.now, DueAt: x.now, Until: x.now.Add(life), Facts: Facts{Own: true}}
	for i := range x.sent {
		if x.sent[i].BookingID == 0 {
			continue
		}
		b, err := x.tx.BookingByID(x.sent[i].BookingID)
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
		t.Facts.Locale = b.Invitee.Locale
		break
	}
	return x.tx.InsertTexts(t)
}

// Question is one that was put to a number by text, of a booking, or of all of a visit at once, and that is open still.
type Question struct {
	Bookings []booking.Booking // that are live and haven't begun
}

// OpenQuestions lists what the owner of a number was asked by text and can still answer, the latest asked first.
func (s *Service) OpenQuestions(ctx context.Context, ws catalog.WorkspaceID, number string) ([]Question, error) {
	r := s.Reader(ctx)
	sent, err := r.Texts(ws, Filter{Phone: number, Limit: lookedBack})
	if err != nil {
		return nil, err
	}
	return questions(r, sent, number, when.At(s.Core.Now()))
}

// questions finds the open ones among the texts to a number: of bookings of which it was reminded, and whose person was asked.
func questions(r app.BookingReader, sent []Text, number string, now when.Instant) (open []Question, err error) {
	looked := map[booking.BookingID]bool{}
	for i := range sent {
		t := &sent[i]
		if t.Kind != catalog.TextReminder || t.Begun == 0 || t.State == Failed || t.State == Dropped || looked[t.BookingID] {
			continue
		}
		of := []booking.BookingID{t.BookingID}
		b, err := r.BookingByID(t.BookingID)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if b.InVisit() {
			of = append(of, b.Visit.Bookings...)
		}
		var q Question
		for _, one := range of {
			if looked[one] {
				continue
			}
			looked[one] = true
			if one != b.ID {
				if b, err = r.BookingByID(one); err != nil && !errors.Is(err, fault.ErrNotFound) {
					return nil, err
				}
			}
			if err == nil && asked(&b, number, now) {
				q.Bookings = append(q.Bookings, b)
			}
		}
		if len(q.Bookings) > 0 {
			open = append(open, q)
		}
	}
	return open, nil
}

// asked reports whether the person of a booking was asked whether they come, and can say so from that number.
func asked(b *booking.Booking, number string, now when.Instant) bool {
	return app.MayAnswerComing(b, now) == nil && b.Coming != nil && b.Coming.AskedAt != 0 && !b.Invitee.Erased() &&
		(b.Invitee.Phone == "" || b.Invitee.Phone == number)
}
