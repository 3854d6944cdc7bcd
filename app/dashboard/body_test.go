package dashboard

import (
	"net/http"
	"strings"
	"testing"
)

// Forms that are open to everybody are read up to 16 KiB only, others up to a mebibyte.
func TestOpenFormsAreShort(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("a", 20<<10)
	body := strings.NewReader("email=" + long)
	r, err := http.NewRequest(http.MethodPost, w.server.URL+"/login", struct{ *strings.Reader }{body})
	w.Must(err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.ContentLength = int64(body.Len())
	answer, err := http.DefaultClient.Do(r)
	w.Must(err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusUnprocessableEntity {
		t.Error(answer.StatusCode)
	}
	for _, path := range []string{"/login", "/invite/x", "/setup/x"} {
		b := w.browser()
		if got := b.post(path, "email", long, "password", long); got.status < 400 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	b := w.browser()
	b.wants(b.post("/login", "email", w.salon.Email, "password", w.salon.Password), http.StatusSeeOther)
	b.wants(b.post("/dashboard/bookings/new", "notes", long), http.StatusUnprocessableEntity, "!too large")
}
