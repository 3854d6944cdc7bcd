package agent_test

import (
	"strings"
	"testing"

	"daybook/app/catalog"
)

// An answer to a question that nobody asks is refused, with the one that was probably meant, so that the agent asks again.
func TestAnswersThatNobodyAsksForAreRefused(t *testing.T) {
	w := newWorld(t)
	w.Offer("asked", 60, func(e *catalog.EventType) {
		e.Questions = []catalog.Question{{Key: "colour", Label: "Which?", Type: "text"}}
	})
	const book = `{"eventType":"asked","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":"mei@x.example"},"answers":{"color":"red"}}`
	if got := w.call("create_booking", book).failure(); got.Message != "answers.color: is no question of this service; did you mean answers.colour?" {
		t.Errorf("%+v", got)
	}
	if a := w.call("create_booking", strings.Replace(book, `"color"`, `"colour"`, 1)); a.IsError {
		t.Errorf("%+v", a)
	}
}
