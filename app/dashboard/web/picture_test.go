package web

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"
	"testing"

	"daybook/app/fault"
	"daybook/views/dash"
)

// While no more uploads are taken, a form is refused only if it has a file.
func TestNoRoomForAFile(t *testing.T) {
	for file, refused := range map[string]bool{"": false, "cut.jpg": true} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		if err := w.WriteField("title", "Cut"); err != nil {
			t.Fatal(err)
		}
		if _, err := w.CreateFormFile(dash.PictureField, file); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", "/", &body)
		r.Header.Set("Content-Type", w.FormDataContentType())
		c := &Call{Request: r, PictureWrong: fault.New(fault.Unavailable, "busy", "Wait.")}
		form, data, err := c.PostedFile()
		if err != nil || len(data) > 0 || form.Get("title") != "Cut" || (c.PictureWrong != nil) != refused {
			t.Errorf("%q: %v, %v, refused %v", file, form, err, c.PictureWrong)
		}
	}
}
