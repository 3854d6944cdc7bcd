package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"daybook/app/contact"
)

// An import that takes long goes on when the request that began it has ended, says how far it has come, and ends with the
// loop that it goes on in, which waits for it. Without such a loop it ends with its request.
func TestImportsGoOnWithoutTheirRequests(t *testing.T) {
	w := newWorld(t)
	var file strings.Builder
	file.WriteString("name,email\n")
	for i := range 120 {
		fmt.Fprintf(&file, "Ada %d,ada%d@mail.example\n", i, i)
	}
	imports := func(request context.Context, waits chan bool) (alone contact.ImportID, ended chan error) {
		t.Helper()
		ended = make(chan error, 1)
		alone, err := w.People.GoOn(request, func(ctx context.Context, begun func(contact.ImportID)) {
			_, err := w.People.ImportContacts(ctx, w.Owner, contact.ImportInput{File: []byte(file.String()), Begun: func(id contact.ImportID) {
				begun(id)
				select {
				case <-waits:
				case <-ctx.Done():
				}
			}})
			ended <- err
		})
		w.Must(err)
		return alone, ended
	}
	over := make(chan bool)
	close(over)
	gone, leave := context.WithCancel(t.Context())
	leave()
	alone, ended := imports(gone, over)
	if err := <-ended; alone != 0 || err == nil {
		t.Errorf("without a loop: %v, %v", alone, err)
	}

	loop, stop := context.WithCancel(t.Context())
	stopped := make(chan bool)
	go func() { w.Must(w.People.Run(loop)); close(stopped) }()
	request, leave := context.WithCancel(t.Context())
	waits := make(chan bool)
	for runs := false; !runs; {
		_, err := w.People.GoOn(request, func(ctx context.Context, _ func(contact.ImportID)) { runs = ctx != request })
		w.Must(err)
	}
	alone, ended = imports(request, waits)
	if im, _, err := w.People.Import(t.Context(), w.Owner, alone.String()); err != nil || im.State != contact.Importing || im.Lines != 0 {
		t.Errorf("%+v, %v", im, err)
	}
	leave()
	close(waits)
	w.Must(<-ended)
	im, _, err := w.People.Import(t.Context(), w.Owner, alone.String())
	if w.Must(err); im.State != contact.ImportDone || im.Lines != 120 || im.Come != 120 || im.Created != 120 {
		t.Errorf("%+v", im)
	}

	alone, ended = imports(t.Context(), make(chan bool)) // the same again, which changes nothing
	stop()
	if <-stopped; len(ended) != 1 || <-ended == nil {
		t.Error("the loop has not waited for the import, or that was not ended")
	}
	if im, _, err := w.People.Import(t.Context(), w.Owner, alone.String()); err != nil || im.State != contact.ImportDone || im.Lines != 0 {
		t.Errorf("the page to which somebody was sent: %+v, %v", im, err)
	}
}
