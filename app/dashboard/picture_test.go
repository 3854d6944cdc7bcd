package dashboard

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/catalog"
)

// pictureFile is a red PNG of that size, transparent in a corner.
func pictureFile(t testing.TB, width, height int) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := 4; i < len(m.Pix); i += 4 {
		m.Set(i/4%width, i/4/width, color.NRGBA{R: 200, G: 30, B: 30, A: 255})
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// uploadPicture sends a form as a browser does: of several parts, the picture as the last, nil for none.
func (b *visitor) uploadPicture(path, name string, content []byte, pairs ...string) response {
	b.w.T.Helper()
	return b.uploadAs("picture", path, name, content, pairs...)
}

// uploadAs is uploadPicture with a field of another name.
func (b *visitor) uploadAs(field, path, name string, content []byte, pairs ...string) response {
	b.w.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i+1 < len(pairs); i += 2 {
		b.w.Must(form.WriteField(pairs[i], pairs[i+1]))
	}
	if content != nil {
		part, err := form.CreateFormFile(field, name)
		b.w.Must(err)
		part.Write(content)
	}
	form.Close()
	r, err := http.NewRequest("POST", b.w.server.URL+path, &body)
	b.w.Must(err)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

// Without scripts: a refused file is told of on the page, a good one is shown, and it can be removed. Staff upload none.
func TestPictureForms(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	host := setup.Hosts[0].ID
	for _, page := range []string{"/dashboard/settings/brand", "/dashboard/hosts/" + host.String()} {
		b.wants(b.get(page), 200, `enctype="multipart/form-data"`, "JPEG, PNG or WebP", `type="file"`)
		b.wants(b.uploadPicture(page+"/picture", "photo.png", []byte("<script>alert(1)</script>")), 422, "no JPEG, PNG or WebP picture")
		b.wants(b.uploadPicture(page+"/picture", "photo.jpg", make([]byte, 10_000_001)), 413, "larger than 10 MB")
		if r := b.get(page); strings.Contains(r.body, "picture-shown") {
			t.Errorf("%s shows a picture", page)
		}
		b.wants(b.uploadPicture(page+"/picture", "photo.png", pictureFile(t, 400, 300)), 303)
		b.wants(b.get(page), 200, `srcset="/_p/`, "400w", `width="400" height="300"`, "picture-shown")
	}
	setup, err = w.Setup(w.Workspace.ID)
	w.Must(err)
	logo := setup.Workspace.Settings.Logo
	if logo == 0 || setup.Host(host).Picture != logo { // the same file
		t.Errorf("logo %v, host %v", logo, setup.Host(host).Picture)
	}
	for _, page := range []string{"/dashboard/settings/brand", "/dashboard/hosts/" + host.String()} {
		b.wants(b.post(page+"/picture/remove"), 303)
	}
	setup, err = w.Setup(w.Workspace.ID)
	w.Must(err)
	if all := setup.ShownPictures(); len(all) > 0 {
		t.Errorf("still shows %v", all)
	}
}

// In a browser: the logo and a host's picture are chosen, uploaded and seen; the booking page shows the logo.
func TestPicturesInTheBrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	file := filepath.Join(t.TempDir(), "photo.png")
	w.Must(os.WriteFile(file, pictureFile(t, 700, 500), 0o600))
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	host := setup.Hosts[0]
	const seen = `(()=>{const x=document.querySelector(".picture-shown");x?.scrollIntoView();return x&&x.complete&&x.naturalWidth>0})()`
	for _, page := range []string{"/dashboard/settings/brand", "/dashboard/hosts/" + host.ID.String()} {
		b.open(page)
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#picture-file"), []string{file}))
		b.click("#picture .picture-form button")
		b.until(seen)
	}
	b.until(`document.querySelector(".picture-shown").alt==` + `"` + host.Name + `"`)
	b.open("/" + w.Workspace.Slug)
	b.until(`(()=>{const x=document.querySelector("img.logo");return x&&x.complete&&x.naturalWidth>0&&x.src.includes("/_p/")})()`)
	setup, err = w.Setup(w.Workspace.ID)
	w.Must(err)
	if p := setup.Picture(setup.Host(host.ID).Picture); p == nil || p.Format != catalog.PNG {
		t.Errorf("%+v", p)
	}
}
