package health

import "syscall"

// The answer of adjtimex(2) while nothing keeps the clock, and the bit of its status that says the same.
const timeError, unsynchronised = 5, 0x40

// clockSynced asks the kernel, which NTP programs tell while they keep its clock.
func clockSynced() (bool, error) {
	var t syscall.Timex // changes nothing
	state, err := syscall.Adjtimex(&t)
	if err != nil {
		return false, ErrUnknown // forbidden in a container
	}
	return state != timeError && t.Status&unsynchronised == 0, nil
}
