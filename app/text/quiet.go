package text

import (
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
)

// quiet is the time of each day in which nothing is sent that can wait: minutes of the day on the clock of a zone, from one
// until the other, over midnight where it is earlier. It is none where they are the same.
type quiet struct {
	from, to int
	zone     *time.Location
}

func quietOf(setup *catalog.Setup) quiet {
	from, to := setup.Workspace.Settings.TextRules().Quiet()
	return quiet{from, to, setup.Zone}
}

// around returns when the quiet time that at lies in begins and ends; in is false where it lies in none.
func (q quiet) around(at when.Instant) (begins, ends when.Instant, in bool) {
	local := at.Time().In(q.zone)
	minute := 60*local.Hour() + local.Minute()
	y, m, d := local.Date()
	on := func(days, minute int) when.Instant {
		return when.At(when.Wall(time.Date(y, m, d+days, minute/60, minute%60, 0, 0, time.UTC), q.zone))
	}
	switch {
	case q.from == q.to:
	case q.from < q.to:
		if minute >= q.from && minute < q.to {
			return on(0, q.from), on(0, q.to), true
		}
	case minute >= q.from:
		return on(0, q.from), on(1, q.to), true
	case minute < q.to:
		return on(-1, q.from), on(0, q.to), true
	}
	return 0, 0, false
}

// beforeStart is how long before the start a reminder that waited for the end of the quiet time comes at the latest.
const beforeStart = time.Hour

// reminder returns when a reminder is sent that is due at a time; ok is false where it isn't. One that is due in quiet time
// is sent at its end if that is an hour before the start, else at its beginning, unless the booking is younger than that.
func (q quiet) reminder(due, start, booked, now when.Instant) (at when.Instant, ok bool) {
	begins, ends, in := q.around(due)
	switch {
	case !in:
		return due, true
	case ends <= start.Add(-beforeStart):
		return ends, true
	case begins > booked && begins > now:
		return begins, true
	}
	return 0, false
}

const (
	// actLasts is for how long a text answers what the person has just done.
	actLasts = 10 * time.Minute
	// atOnceWithin is how soon something must begin that the business changes, so that its person is told in quiet time.
	atOnceWithin = 12 * time.Hour
	// beginning is for how long after quiet time began a reminder goes that was to go then.
	beginning = 30 * time.Minute
)

// waits returns until when a text waits since it is quiet time, or 0. It is too late for a reminder that would have gone at
// the beginning of the quiet time, or before, and can't wait for its end.
func (q quiet) waits(t *Text, start, now when.Instant) (until when.Instant, tooLate bool) {
	begins, ends, in := q.around(now)
	switch {
	case !in, t.urgent():
		return 0, false
	case t.Kind == catalog.TextReminder && now < begins.Add(beginning):
		return 0, false
	case t.Kind == catalog.TextReminder && ends > start.Add(-beforeStart):
		return 0, true
	case t.Facts.Own && now < t.CreatedAt.Add(actLasts):
		return 0, false
	case (t.Kind == catalog.TextMoved || t.Kind == catalog.TextCancelled) && start > now && start < now.Add(atOnceWithin):
		return 0, false
	case t.Kind == catalog.TextConfirmed && start < ends: // it would come after what it confirms
		return 0, false
	}
	return ends, false
}

// urgent reports whether somebody asked for the text and waits for it now.
func (t *Text) urgent() bool {
	switch t.Kind {
	case catalog.TextCode, catalog.TextOwn, catalog.TextWaits, catalog.TextAnswer, catalog.TextStopped, catalog.TextReply, catalog.TextTest:
		return true
	}
	return t.Resends > 0 || t.Facts.Told.Asks // a member asked for it
}
