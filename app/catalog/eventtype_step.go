package catalog

import (
	"fmt"
)

// StepAdvice tells the owner that the step between starts wastes time on a full day, and which step would not; "" if it
// wastes none. Bookings can begin only on steps: 45 minutes with a buffer of 10, on a step of 45, take 90.
func (e *EventType) StepAdvice() string {
	taken := e.BufferBeforeMinutes + e.DurationMinutes + e.BufferAfterMinutes
	if e.SlotStepMinutes < 1 || taken < 1 || !wastes(taken, e.SlotStepMinutes) {
		return ""
	}
	advice := fmt.Sprintf("a start every %d minutes leaves %d minutes empty after each booking on a full day, as one "+
		"takes %d with its buffers; ",
		e.SlotStepMinutes, idle(taken, e.SlotStepMinutes), taken)
	for _, step := range []int{60, 30, 20, 15, 10, 5} {
		if step < taken && !wastes(taken, step) {
			if left := idle(taken, step); left > 0 {
				return advice + fmt.Sprintf("every %d minutes leaves %d, every %d none", step, left, taken)
			}
			return advice + fmt.Sprintf("every %d minutes leaves none", step)
		}
	}
	return advice + fmt.Sprintf("every %d minutes leaves none", taken)
}

// idle is how many minutes are lost between the end of one booking with its buffers and the next start.
func idle(taken, step int) int { return (step - taken%step) % step }

// wastes reports whether more than an eighth of a booking's time is lost after it.
func wastes(taken, step int) bool { return 8*idle(taken, step) > taken }
