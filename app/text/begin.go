package text

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/phone"
	"daybook/app/text/gsm"
	"daybook/app/when"
)

// What strangers can make a workspace pay is bounded, besides the countries that it allows.
const (
	// visitorsADay is how many texts that visitors caused a number gets in 24 hours.
	visitorsADay = 3
	// visitorsShare is the part of the month's cap that they have together: a third.
	visitorsShare = 3
	// wroteLately is for how long somebody who wrote may be answered, whatever they agreed to.
	wroteLately = 24 * time.Hour
)

// verdict is what begin has found.
type verdict struct {
	lost  bool         // the claim: another server has the text
	why   string       // it may not be sent; "" it may
	waits when.Instant // it is quiet time until then; 0 it goes now
}

// begin decides, behind the lock of the number, whether a claimed text is sent now, and notes that it is: from then on
// nobody sends it again unless the sender says that it never got it. Its segments count for the month.
func (s *Service) begin(ctx context.Context, t *Text, a *subject, words string) (v verdict, err error) {
	setup, start := a.Setup, a.start()
	n := gsm.Segments(words).Segments
	err = s.Quietly(ctx, func(tx Tx) error {
		v = verdict{}
		stopped, err := tx.LockTextNumber(t.WorkspaceID, t.To)
		if err != nil {
			return err
		}
		held, err := tx.TextHeld(t)
		if v.lost = !held; err != nil || v.lost {
			return err
		}
		now := when.At(s.Core.Now())
		if v.why, err = s.refusal(tx, t, setup, stopped, now); err != nil || v.why != "" {
			return err
		}
		var tooLate bool
		if v.waits, tooLate = quietOf(setup).waits(t, start, now); tooLate {
			v.why = whyNight
		}
		if v.waits != 0 || tooLate {
			return nil
		}
		most := setup.Workspace.Settings.TextRules().MonthlyCap()
		in := month(now, setup)
		fits, err := tx.CountSegments(t.WorkspaceID, in, n, t.Visitor, most, most/visitorsShare)
		if err != nil {
			return err
		}
		if !fits {
			v.why = whyCap
			return s.warn(tx, setup, in, most)
		}
		if err := s.warn(tx, setup, in, most); err != nil {
			return err
		}
		if err := tx.DropTexts(a.told, whyTold, now); err != nil {
			return err
		}
		if err := tx.BeginText(t, n, now); err != nil {
			return err
		}
		t.Begun, t.Segments = now, n
		return nil
	})
	return v, err
}

// Why a text is not sent. They stand in the log.
const (
	whyCap     = "text_cap: the month's segments are used up"
	whyLater   = "a later text tells of it"
	whyTold    = "an earlier text tells of it"
	whyNight   = "it is night, and too late for a reminder in the morning"
	whyStopped = "they sent STOP"
	whyNo      = "they have not agreed to texts"
	whyCountry = "visitors' texts don't go to numbers of that country"
	whyNumber  = "it is not a mobile number"
	whyOften   = "visitors caused enough texts to that number today"
	whySender  = "texts are not sent any more"
)

// refusal returns why the text may not be sent to its number now, or "".
func (s *Service) refusal(tx Tx, t *Text, setup *catalog.Setup, stopped, now when.Instant) (string, error) {
	country, mobile := phone.Mobile(t.To)
	switch {
	case t.Kind == catalog.TextStopped:
		return "", nil
	case stopped != 0:
		return whyStopped, nil
	case t.Kind == catalog.TextReply, t.Kind == catalog.TextAnswer:
		wrote, err := tx.WroteAt(t.WorkspaceID, t.To)
		if err != nil && !errors.Is(err, fault.ErrNotFound) || wrote > now.Add(-wroteLately) {
			return "", err
		}
	case !mobile:
		return whyNumber, nil
	}
	if slices.Contains([]catalog.TextKind{catalog.TextConfirmed, catalog.TextMoved, catalog.TextCancelled, catalog.TextReminder,
		catalog.TextOffered, catalog.TextReceipt, catalog.TextReply, catalog.TextAnswer}, t.Kind) {
		r, err := tx.Reach(t.WorkspaceID, t.ContactID, t.To)
		if err != nil || r.State != booking.TextsYes {
			return whyNo, err
		}
	}
	if !t.Visitor {
		return "", nil
	}
	if !slices.Contains(setup.Workspace.TextPlaces(), country) {
		return whyCountry, nil
	}
	n, err := tx.VisitorTexts(t.WorkspaceID, t.To, now.Add(-when.Day))
	if err != nil || n >= visitorsADay {
		return whyOften, err
	}
	return "", nil
}

// warn tells the owners once when 80 % of the month's segments are used, and once when all are.
func (s *Service) warn(tx Tx, setup *catalog.Setup, month string, most int) error {
	m, err := tx.TextMonth(setup.Workspace.ID, month)
	if err != nil {
		return err
	}
	at := 0
	switch {
	case m.Segments >= most:
		at = 100
	case m.Segments*100 >= most*80:
		at = 80
	}
	if at <= m.Told {
		return nil
	}
	if err := tx.SetTextMonthTold(setup.Workspace.ID, month, at); err != nil {
		return err
	}
	return s.warnOwners(tx, setup, at, most)
}
