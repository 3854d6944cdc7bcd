package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest"
	"daybook/app/catalog"
)

// Without scripts: photos are added, said what they show, moved and removed; the same one is refused, and a thirteenth.
func TestPhotoForms(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	const page = "/dashboard/settings/brand"
	photos := func() []catalog.Photo {
		t.Helper()
		setup, err := w.Setup(w.Workspace.ID)
		w.Must(err)
		return setup.Workspace.Settings.Photos
	}
	for i := range 3 {
		b.wants(b.uploadPicture(page+"/photos/picture", "photo.png", pictureFile(t, 40+i, 30)), 303)
	}
	b.wants(b.uploadPicture(page+"/photos/picture", "photo.png", pictureFile(t, 40, 30)), 422, "This photo is there already.")
	b.wants(b.uploadPicture(page+"/photos/picture", "photo.png", []byte("no picture")), 422, "no JPEG, PNG or WebP picture")
	first, third := photos()[0].Picture, photos()[2].Picture
	at := page + "/photos/" + third.String()
	b.wants(b.post(at, "text", "Chairs by the window"), 303)
	b.wants(b.post(at+"/move", "by", "-2"), 303)
	if got := photos(); len(got) != 3 || got[0].Picture != third || got[0].Text != "Chairs by the window" || got[1].Picture != first {
		t.Errorf("%+v", got)
	}
	b.wants(b.post(at, "text", strings.Repeat("x", 201)), 422, "200")
	b.wants(b.get(page), 200, `value="Chairs by the window"`, "What Photo 1 shows", "Remove Photo 3")
	b.wants(b.post(at+"/remove"), 303)
	if got := photos(); len(got) != 2 || got[0].Picture != first {
		t.Errorf("%+v", got)
	}
	for i := range catalog.MaxPhotos - 2 {
		b.wants(b.uploadPicture(page+"/photos/picture", "photo.png", pictureFile(t, 50+i, 30)), 303)
	}
	if full := b.get(page); strings.Contains(full.body, `id="photo-file"`) {
		t.Error("a photo more is asked for")
	}
	b.wants(b.uploadPicture(page+"/photos/picture", "photo.png", pictureFile(t, 90, 30)), 422, "At most 12")
	b.wants(b.post(page, "color", "#2f5d50", "reviewsUrl", "http://reviews.example"), 422, "beginning with https://")
	b.wants(b.post(page, "color", "#2f5d50", "reviewsUrl", "https://reviews.example/salon"), 303)
	if len(photos()) != catalog.MaxPhotos {
		t.Errorf("%d photos", len(photos()))
	}
}

// In a browser: photos are uploaded, the second is moved to the head by its handle, and stands first on the booking page.
func TestPhotosInTheBrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	for i := range 2 {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("photo-%d.png", i))
		w.Must(os.WriteFile(file, pictureFile(t, 700+i, 500), 0o600))
		b.open("/dashboard/settings/brand")
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#photo-file"), []string{file}))
		b.click("#photos .picture-form button")
		b.until(fmt.Sprintf(`document.querySelectorAll(".photo-row").length===%d`, i+1))
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	second := setup.Workspace.Settings.Photos[1].Picture
	b.do(chromedp.Focus(chromedp.CSS(".photo-row:nth-child(2) [data-handle]")), chromedp.KeyEvent(kb.ArrowUp))
	b.until(fmt.Sprintf(`document.querySelector(".photo-row").dataset.item.includes(%q)`, second))
	apptest.Eventually(t, "the second photo to be saved as the first", func() bool { // leaving the page may be faster
		setup, err = w.Setup(w.Workspace.ID)
		w.Must(err)
		return setup.Workspace.Settings.Photos[0].Picture == second
	})
	b.open("/" + w.Workspace.Slug)
	b.until(fmt.Sprintf(`(i=>i.complete&&i.naturalWidth>0&&i.src.includes(%q))(document.querySelector(".shop-photo img"))`, setup.Picture(second).Hash))
}
