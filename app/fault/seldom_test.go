package fault_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"daybook/app/fault"
)

func TestSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s fault.Seldom
		said := 0
		for range 6000 { // ten minutes, ten times a second
			if _, say := s.Say(errors.New("the disk is full")); say {
				said++
			}
			time.Sleep(100 * time.Millisecond) // of the bubble's clock
		}
		if said != 10 {
			t.Errorf("said %d times in ten minutes", said)
		}
		if _, say := s.Say(errors.New("another")); !say {
			t.Error("another failure is kept back")
		}
		if !s.Over() || s.Over() {
			t.Error("it was over once")
		}
		if _, say := s.Say(errors.New("another")); !say {
			t.Error("the first failure after a success is kept back")
		}
	})
}
