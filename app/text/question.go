package text

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// lookedBack is how many of the newest texts to a number are looked at to find out what its owner answers.
const lookedBack = 50

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

// questions finds the open ones among the texts to a number.
func questions(r app.BookingReader, sent []Text, number string, now when.Instant) (open []Question, err error) {
	looked := map[booking.BookingID]bool{}
	for i := range sent {
		t := &sent[i]
		if t.Kind != catalog.TextReminder || !t.Facts.Asks || t.Begun == 0 || t.State == Failed || t.State == Dropped || looked[t.BookingID] {
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
