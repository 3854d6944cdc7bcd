package text

import (
	"context"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/phone"
	"daybook/app/when"
)

// ConsentReads finds out who agreed to texts.
type ConsentReads interface {
	booking.TextsReader
	// ContactsNoted lists contacts of whom something is noted about texts to a number.
	ContactsNoted(ws catalog.WorkspaceID, phone string, limit int) ([]booking.ContactID, error)
	// WroteAt returns when a number wrote last; 0 is never.
	WroteAt(ws catalog.WorkspaceID, phone string) (when.Instant, error)
}

// ConsentWrites notes who agrees to texts.
type ConsentWrites interface {
	booking.TextsWriter
	// SetTextStop saves since when a number wants no texts; 0 is that it wants them again.
	SetTextStop(ws catalog.WorkspaceID, phone string, at when.Instant) error
	NumberWrote(ws catalog.WorkspaceID, phone string, at when.Instant) error
}

// startWord is what brings texts back, and stands as the wording of the consent that it is.
const startWord = "START"

// mostOfNumber is how many contacts with one number START is for.
const mostOfNumber = 200

// Tick notes that a person has ticked, on a page, that they want texts at a number: TextsYes, unless the number has stopped
// them. It returns the state as it is then. A number that no text can go to is left alone.
func (s *Service) Tick(tx app.Tx, ws catalog.WorkspaceID, c booking.ContactID, number, wording string) (booking.TextsState, error) {
	if _, ok := phone.Parse(number, ""); !ok || c == 0 {
		return booking.TextsUnknown, nil
	}
	w := tx.(Tx)
	stopped, err := w.LockTextNumber(ws, number)
	if err != nil {
		return booking.TextsUnknown, err
	}
	if stopped != 0 {
		return booking.TextsStopped, nil
	}
	return booking.TextsYes, w.SetTexts(ws, c, number, booking.Texts{State: booking.TextsYes, At: when.At(s.Now()), By: booking.ByInvitee,
		Wording: wording})
}

// TextsState returns whether a contact wants texts at a number.
func (s *Service) TextsState(ctx context.Context, ws catalog.WorkspaceID, c booking.ContactID, number string) (booking.TextsState, error) {
	t, err := s.Reader(ctx).TextsOf(ws, c, number)
	return t.State, err
}

// Number returns the number from which a workspace's texts come, where people can answer to it; "" where it isn't known.
func (s *Service) Number(ctx context.Context, ws catalog.WorkspaceID) (string, error) {
	x, err := s.sender(ctx, ws)
	if err != nil || x == nil || !x.TakesReplies() || !strings.HasPrefix(x.From, "+") {
		return "", err
	}
	return x.From, nil
}

// Stop notes that a number wants no texts: every contact with it is stopped, those who come to have it, too.
func (s *Service) Stop(tx app.Tx, ws catalog.WorkspaceID, number string) error {
	w := tx.(Tx)
	stopped, err := w.LockTextNumber(ws, number)
	if err != nil || stopped != 0 {
		return err
	}
	return w.SetTextStop(ws, number, when.At(s.Now()))
}

// Start ends what Stop began: the contacts with the number, whom Stop had stopped, want texts. It reports whether there was
// anything to end; else nobody's state changes.
func (s *Service) Start(tx app.Tx, setup *catalog.Setup, number string) (bool, error) {
	w, ws := tx.(Tx), setup.Workspace.ID
	stopped, err := w.LockTextNumber(ws, number)
	if err != nil || stopped == 0 {
		return false, err
	}
	if err := w.SetTextStop(ws, number, 0); err != nil {
		return false, err
	}
	having, err := w.ContactsOf(ws, booking.Identity{Phone: number, Country: setup.Workspace.PhoneCountry()}, mostOfNumber)
	if err != nil {
		return false, err
	}
	noted, err := w.ContactsNoted(ws, number, mostOfNumber)
	if err != nil {
		return false, err
	}
	for i := range having {
		noted = append(noted, having[i].ID)
	}
	agreed := booking.Texts{State: booking.TextsYes, At: when.At(s.Now()), By: booking.ByInvitee, Wording: startWord}
	for _, c := range noted {
		if err := w.SetTexts(ws, c, number, agreed); err != nil {
			return false, err
		}
	}
	return true, nil
}
