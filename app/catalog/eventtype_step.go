package catalog

import (
	"fmt"
)

// StepWaste says how many minutes a step between starts wastes on a full day.
type StepWaste struct {
	Step, Taken, Idle  int // a booking takes Taken with its buffers, after which Idle pass until the next start
	Better, BetterIdle int // another step, and what it leaves idle; a step of Taken leaves nothing
}

// StepWaste returns how much time the step wastes, and false if that is little. Bookings can begin only on steps: 45
// minutes with a buffer of 10, on a step of 45, take 90.
func (e *EventType) StepWaste() (StepWaste, bool) {
	taken := e.BufferBeforeMinutes + e.DurationMinutes + e.BufferAfterMinutes
	if e.SlotStepMinutes < 1 || taken < 1 || !wastes(taken, e.SlotStepMinutes) {
		return StepWaste{}, false
	}
	w := StepWaste{Step: e.SlotStepMinutes, Taken: taken, Idle: idle(taken, e.SlotStepMinutes), Better: taken}
	for _, step := range []int{60, 30, 20, 15, 10, 5} {
		if step < taken && !wastes(taken, step) {
			w.Better, w.BetterIdle = step, idle(taken, step)
			break
		}
	}
	return w, true
}

// StepAdvice returns a sentence for the owner with what StepWaste found, and which step would waste nothing; "" if
// little is wasted.
func (e *EventType) StepAdvice() string {
	w, found := e.StepWaste()
	if !found {
		return ""
	}
	advice := fmt.Sprintf("a start every %d minutes leaves %d minutes empty after each booking on a full day, as one "+
		"takes %d with its buffers; ", w.Step, w.Idle, w.Taken)
	if w.BetterIdle > 0 {
		return advice + fmt.Sprintf("every %d minutes leaves %d, every %d none", w.Better, w.BetterIdle, w.Taken)
	}
	return advice + fmt.Sprintf("every %d minutes leaves none", w.Better)
}

// idle returns how many minutes are lost between the end of one booking with its buffers and the next start.
func idle(taken, step int) int { return (step - taken%step) % step }

// wastes reports whether more than an eighth of a booking's time is lost after it.
func wastes(taken, step int) bool { return 8*idle(taken, step) > taken }
