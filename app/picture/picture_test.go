package picture_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/picture"
	"daybook/app/setup"
)

type world struct{ *apptest.Salon }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{apptest.New(t, apptest.Options{})}
}

func (w *world) upload(file []byte) picture.Picture {
	w.T.Helper()
	p, made, err := w.Pictures.Upload(w.T.Context(), w.Owner, file)
	if w.Must(err); !made {
		w.T.Error("the picture was there")
	}
	return p
}

// stored are the widths of a picture as anybody gets them.
func (w *world) stored(p picture.Picture) (format catalog.PictureFormat, all [][]byte) {
	w.T.Helper()
	hash := strings.Split(p.URL, "/")[4]
	for _, width := range p.Widths {
		f, data, err := w.Pictures.Data(w.T.Context(), hash, width)
		w.Must(err)
		format, all = f, append(all, data)
	}
	return format, all
}

func (w *world) decode(data []byte) image.Image {
	w.T.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	w.Must(err)
	return m
}

// A file is what its bytes say. What isn't taken is refused before it is decoded, and nothing of it stays.
func TestWhatIsNoPicture(t *testing.T) {
	w := newWorld(t)
	good := pngOf(t, photo(40, 30))
	scans := jpegOf(t, photo(40, 30))
	scans = append(scans[:len(scans)-2], bytes.Repeat(segment(0xda, "\x01\x01\x00\x00\x3f\x00"), 100)...)
	for name, c := range map[string]struct {
		file   []byte
		code   fault.Code
		reason string
	}{
		"nothing":               {nil, fault.BadRequest, "not_a_picture"},
		"HTML":                  {[]byte("<!doctype html><script>alert(1)</script>"), fault.BadRequest, "not_a_picture"},
		"SVG":                   {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), fault.BadRequest, "not_a_picture"},
		"GIF":                   {decoded(t, "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), fault.BadRequest, "not_a_picture"},
		"HTML behind a header":  {append([]byte("\x89PNG\r\n\x1a\n"), "<script>"...), fault.BadRequest, "not_a_picture"},
		"half a PNG":            {good[:len(good)/2], fault.BadRequest, "not_a_picture"},
		"half a JPEG's head":    {jpegOf(t, photo(40, 30))[:100], fault.BadRequest, "not_a_picture"},
		"half a WebP":           {decoded(t, webpLossless)[:24], fault.BadRequest, "not_a_picture"},
		"10 MB and a byte":      {append(bytes.Clone(good), make([]byte, picture.MaxFile+1-len(good))...), fault.PayloadTooLarge, ""},
		"a PNG bomb":            {pngHead(50_000, 50_000), fault.BadRequest, "too_many_pixels"},
		"a PNG of 2³¹ × 2³¹":    {pngHead(1<<31-1, 1<<31-1), fault.BadRequest, "not_a_picture"},
		"a line too many":       {pngHead(6000, 4001), fault.BadRequest, "too_many_pixels"},
		"a JPEG bomb":           {jpegHead(65_500, 65_500), fault.BadRequest, "too_many_pixels"},
		"a WebP bomb":           {riff("VP8X", "\x00\x00\x00\x00\xff\x7f\x00\xff\x7f\x00"), fault.BadRequest, "too_many_pixels"},
		"a JPEG of 100 scans":   {scans, fault.BadRequest, "not_a_picture"},
		"an animated PNG":       {pngOf(t, photo(40, 30), chunk("acTL", "\x00\x00\x00\x02\x00\x00\x00\x00")), fault.BadRequest, "animated"},
		"an animated WebP":      {riff("VP8X", "\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00", "ANIM", "\x00\x00\x00\x00\x00\x00"), fault.BadRequest, "animated"},
		"a lying WebP":          {riff("VP8X", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "VP8L", "\x2f\xff\xff\xff\x0f"), fault.BadRequest, "not_a_picture"},
		"a PNG in a PNG's name": {[]byte("photo.png"), fault.BadRequest, "not_a_picture"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := w.Pictures.Upload(t.Context(), w.Owner, c.file)
		runtime.ReadMemStats(&after)
		if e := fault.As(err); e == nil || e.Code != c.code || e.Reason != c.reason {
			t.Errorf("%s: %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
			t.Errorf("%s took %d bytes of memory", name, n)
		}
	}
	page, err := w.Pictures.Pictures(t.Context(), w.Owner, nil, "")
	if w.Must(err); len(page.Data) > 0 {
		t.Errorf("kept %v", page.Data)
	}
}

// jpegHead is the beginning of a JPEG of that size.
func jpegHead(w, h uint16) []byte {
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, h), w)
	return slices.Concat([]byte{0xff, 0xd8}, segment(0xc0, string(size)+"\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00"),
		segment(0xda, "\x03\x01\x00\x02\x00\x03\x00\x00\x3f\x00"))
}

// A JPEG stands upright, whatever its Exif orientation. The oracle are the words of Exif: where the first row and the
// first column are to be seen.
func TestOrientation(t *testing.T) {
	w := newWorld(t)
	for o, seen := range map[int]string{ // where the file's first corner and its second one are to be seen
		1: "above left, above right", 2: "above right, above left", 3: "below right, below left", 4: "below left, below right",
		5: "above left, below left", 6: "above right, below right", 7: "below right, above right", 8: "below left, above left",
	} {
		order := binary.AppendByteOrder(binary.BigEndian)
		if o%2 == 0 {
			order = binary.LittleEndian
		}
		p := w.upload(jpegOf(t, photo(120, 80), segment(0xe1, "Exif\x00\x00"+string(exif(order, o)))))
		_, all := w.stored(p)
		m := w.decode(all[0])
		wide, high := 120, 80
		if o >= 5 {
			wide, high = high, wide
		}
		if m.Bounds().Dx() != wide || m.Bounds().Dy() != high || p.Width != wide || p.Height != high {
			t.Errorf("orientation %d: %v, %+v", o, m.Bounds(), p)
		}
		at := map[string]image.Point{"above left": {5, 5}, "above right": {wide - 6, 5}, "below left": {5, high - 6}, "below right": {wide - 6, high - 6}}
		first, second, _ := strings.Cut(seen, ", ")
		r, _, _, _ := m.At(at[first].X, at[first].Y).RGBA()
		_, g, _, _ := m.At(at[second].X, at[second].Y).RGBA()
		if r < 0xc000 || g < 0xc000 {
			t.Errorf("orientation %d: red %x is not %s, or green %x not %s", o, r, first, g, second)
		}
	}
}

// Nothing but pixels is kept: no position, text, thumbnail or second file, in none of the widths.
func TestMetadataIsGone(t *testing.T) {
	w := newWorld(t)
	clear := photo(1700, 400)
	clear.Pix[3] = 100
	position := string(exif(binary.BigEndian, 1))
	for name, c := range map[string]struct {
		file   []byte
		format catalog.PictureFormat
	}{
		"JPEG": {append(jpegOf(t, photo(1700, 400), segment(0xe1, "Exif\x00\x00"+position), segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+secret),
			segment(0xe2, "ICC_PROFILE\x00\x01\x01"+secret), segment(0xed, "Photoshop 3.0\x00"+secret), segment(0xfe, secret)), "<script>"+secret...), catalog.JPEG},
		"PNG": {append(pngOf(t, clear, chunk("eXIf", position), chunk("tEXt", "Comment\x00"+secret), chunk("iTXt", "XML:com.adobe.xmp\x00\x00\x00\x00\x00"+secret)),
			"<script>"+secret...), catalog.PNG},
		"opaque PNG": {pngOf(t, photo(1700, 401), chunk("eXIf", position)), catalog.JPEG},
	} {
		format, all := w.stored(w.upload(c.file))
		if format != c.format || len(all) != 3 {
			t.Errorf("%s: %d widths as %s", name, len(all), format)
		}
		for _, data := range all {
			for _, bad := range []string{"secret", "Exif", "eXIf", "tEXt", "iTXt", "ICC", "adobe", "script", "GPS"} {
				if bytes.Contains(data, []byte(bad)) {
					t.Errorf("%s: kept %q", name, bad)
				}
			}
			if parts := partsOf(data); parts != "IHDR IDAT IEND" && parts != "db c0 c4 da" {
				t.Errorf("%s: kept the parts %s", name, parts)
			}
		}
	}
}

// partsOf are the kinds of chunks or segments of a file, each once.
func partsOf(data []byte) string {
	var all []string
	add := func(name string) {
		if len(all) == 0 || all[len(all)-1] != name {
			all = append(all, name)
		}
	}
	if data[0] == 0x89 {
		for at := 8; at < len(data); at += 12 + int(binary.BigEndian.Uint32(data[at:])) {
			add(string(data[at+4 : at+8]))
		}
		return strings.Join(all, " ")
	}
	for at := 2; at < len(data); at += 2 + int(binary.BigEndian.Uint16(data[at+2:])) {
		if add(fmt.Sprintf("%x", data[at+1])); data[at+1] == 0xda {
			break
		}
	}
	return strings.Join(all, " ")
}

// What is transparent stays so, in every width; a WebP is taken as any other.
func TestAlphaIsKept(t *testing.T) {
	w := newWorld(t)
	logo := image.NewNRGBA(image.Rect(0, 0, 900, 300))
	for i := range logo.Pix {
		if i/4%900 < 450 { // the left half
			logo.Pix[i] = []byte{200, 30, 30, 128}[i%4]
		}
	}
	p := w.upload(pngOf(t, logo))
	format, all := w.stored(p)
	if format != catalog.PNG || fmt.Sprint(p.Widths) != "[320 800 900]" || !strings.HasSuffix(p.URL, "/900.png") {
		t.Fatalf("%s %+v", format, p)
	}
	for _, data := range all {
		m := w.decode(data)
		left := color.NRGBAModel.Convert(m.At(10, 10)).(color.NRGBA)
		_, _, _, right := m.At(m.Bounds().Dx()-10, 10).RGBA()
		if left.A != 128 || left.R < 195 || right != 0 {
			t.Errorf("%v: %v and %v", m.Bounds(), left, right)
		}
	}
	for _, text := range []string{webpLossless, webpLossy} {
		if p := w.upload(decoded(t, text)); p.Width != 1 || p.Height != 1 || len(p.Widths) != 1 {
			t.Errorf("%+v", p)
		}
	}
}

// The widths are small, whatever the picture.
func TestWidthsAreSmall(t *testing.T) {
	w := newWorld(t)
	clear := noise(900, 700)
	for i := 3; i < len(clear.Pix); i += 4 {
		clear.Pix[i] = 254
	}
	strip := image.NewPaletted(image.Rect(0, 0, 30, 20_000), palette.Plan9)
	huge := image.NewGray(image.Rect(0, 0, 6000, 4000)) // 24 million pixels
	for name, c := range map[string]struct {
		file []byte
		most int // widths
	}{
		"noise":       {jpegOf(t, noise(1700, 900)), 3},
		"clear noise": {pngOf(t, clear), 3},
		"a strip":     {pngOf(t, strip), 3},
		"24 Mpx":      {pngOf(t, huge), 3},
	} {
		p := w.upload(c.file)
		_, all := w.stored(p)
		if len(all) == 0 || len(all) > c.most {
			t.Errorf("%s: %v", name, p.Widths)
		}
		for i, data := range all {
			size := w.decode(data).Bounds().Size()
			if len(data) > 300_000 || size.X != p.Widths[i] || size.Y > 3200 || i > 0 && p.Widths[i] <= p.Widths[i-1] {
				t.Errorf("%s: %d bytes of %v, one of %v", name, len(data), size, p.Widths)
			}
		}
		if last := len(all) - 1; w.decode(all[last]).Bounds().Dy() != p.Height {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// The same picture again is the same one, and takes no more space. Another workspace has its own.
func TestSamePictureAgain(t *testing.T) {
	w := newWorld(t)
	file := jpegOf(t, photo(400, 300))
	first := w.upload(file)
	again, made, err := w.Pictures.Upload(t.Context(), w.Owner, file)
	if err != nil || made || again.ID != first.ID || again.URL != first.URL {
		t.Errorf("%+v, then %+v, %v, %v", first, again, made, err)
	}
	other := &world{w.Beside("barber", "dan")}
	if theirs := other.upload(file); theirs.ID == first.ID || theirs.URL != first.URL {
		t.Errorf("%+v and %+v", first, theirs)
	}
	_, err = w.Pictures.Picture(t.Context(), other.Owner, first.ID.String())
	w.Refused(err, fault.NotFound, "")
	w.Refused(w.Pictures.Delete(t.Context(), other.Owner, first.ID.String()), fault.NotFound, "")
	w.Must(w.Pictures.Delete(t.Context(), other.Owner, other.only().ID.String()))
	if _, all := w.stored(first); len(all) != 2 {
		t.Error("the picture of one workspace went with that of another")
	}
}

// only is the workspace's only picture.
func (w *world) only() picture.Picture {
	w.T.Helper()
	page, err := w.Pictures.Pictures(w.T.Context(), w.Owner, nil, "")
	if w.Must(err); len(page.Data) != 1 {
		w.T.Fatalf("%d pictures", len(page.Data))
	}
	return page.Data[0]
}

// Eight uploads at once never take more than the 50 MB that there are, and a refused one leaves nothing.
func TestQuota(t *testing.T) {
	w := newWorld(t)
	var files [8][]byte
	for i := range files {
		m := photo(330, 200)
		m.Pix[0] = byte(10 * i) // no two are the same
		m.Pix[len(m.Pix)-4] = byte(10 * i)
		files[i] = pngOf(t, m)
	}
	one := w.upload(jpegOf(t, photo(331, 200)))
	w.Must(w.SQL(`UPDATE pictures SET bytes = 49980000`)) // about three more fit
	var wait sync.WaitGroup
	var mu sync.Mutex
	var ids []catalog.PictureID
	full := 0
	for _, file := range files {
		wait.Go(func() {
			p, _, err := w.Pictures.Upload(t.Context(), w.Owner, file)
			mu.Lock()
			defer mu.Unlock()
			if e := fault.As(err); e != nil && e.Code == fault.Conflict && e.Reason == "too_many_pictures" {
				full++
			} else if err != nil {
				t.Error(err)
			} else {
				ids = append(ids, p.ID)
			}
		})
	}
	wait.Wait()
	var total, rows int
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) (err error) {
		total, rows, err = tx.(picture.Tx).PicturesTotal(w.Workspace.ID)
		return err
	}))
	if total > 50_000_000 || len(ids) == 0 || full == 0 || rows != len(ids)+1 {
		t.Errorf("%d were taken and %d refused; %d rows of %d bytes", len(ids), full, rows, total)
	}
	for full > 0 { // what was deleted makes room
		w.Must(w.Pictures.Delete(t.Context(), w.Owner, one.ID.String()))
		one, full = w.upload(jpegOf(t, photo(332, 200))), 0
	}
}

// In the night what nothing shows is deleted, a day after its upload; what is shown stays, and so does what was
// uploaded again or is as yet unused.
func TestNight(t *testing.T) {
	w := newWorld(t)
	file := func(n int) []byte { return jpegOf(t, photo(100+n, 100)) }
	logo, unused, again := w.upload(file(0)), w.upload(file(1)), w.upload(file(2))
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.Logo = logo.ID })
	w.Must(err)
	half := catalog.Picture{ID: id.New[catalog.PictureIDKind](w.Clock.Now()), WorkspaceID: w.Workspace.ID, Hash: "half", Format: catalog.JPEG,
		Sizes: []catalog.PictureSize{{Width: 1, Height: 1}}, Bytes: 1000}
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.(picture.Tx).InsertPicture(&half) })) // of a server that was killed
	has := func(when string, want ...picture.Picture) {
		t.Helper()
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(t.Context()))
			}
		}
		page, err := w.Pictures.Pictures(t.Context(), w.Owner, nil, "")
		w.Must(err)
		var got, wanted []catalog.PictureID
		for i := range page.Data {
			got = append(got, page.Data[len(page.Data)-1-i].ID)
		}
		for _, p := range want {
			wanted = append(wanted, p.ID)
		}
		if fmt.Sprint(got) != fmt.Sprint(wanted) {
			t.Errorf("%s: %v, want %v", when, got, wanted)
		}
	}
	at := func(day, hour int) {
		w.Clock.Set(time.Date(2026, 11, 30+day, hour, 0, 0, 0, time.UTC))
	}
	at(0, 12)
	has("on the day", logo, unused, again)
	at(1, 4)
	has("in the first night", logo, unused, again)
	at(1, 23)
	if _, made, err := w.Pictures.Upload(t.Context(), w.Owner, file(2)); err != nil || made {
		t.Errorf("uploaded again: %v, %v", made, err)
	}
	fresh := w.upload(file(3))
	has("a day later, by day", logo, unused, again, fresh)
	at(2, 4)
	has("in the second night", logo, again, fresh)
	_, err = w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.Logo = fresh.ID })
	w.Must(err)
	at(3, 4)
	has("in the third night", fresh)
	var rows int
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) (err error) {
		_, rows, err = tx.(picture.Tx).PicturesTotal(w.Workspace.ID)
		return err
	}))
	if rows != 1 {
		t.Errorf("%d rows are left", rows)
	}
}

// What is shown can't be deleted, and what isn't there can't be shown.
func TestShownPicturesStay(t *testing.T) {
	w := newWorld(t)
	p := w.upload(jpegOf(t, photo(1000, 500)))
	show := func(id catalog.PictureID) error {
		_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.Logo = id })
		return err
	}
	w.Must(show(p.ID))
	w.Refused(w.Pictures.Delete(t.Context(), w.Owner, p.ID.String()), fault.Conflict, "picture_in_use")
	w.Refused(show(p.ID+1), fault.BadRequest, "invalid")
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	shown := setup.Picture(p.ID)
	if shown == nil || setup.Picture(0) != nil || setup.Logo() != shown.Path(320) || !strings.HasSuffix(shown.SrcSet(), "1000w") {
		t.Errorf("%+v, %q", shown, setup.Logo())
	}
	shows := func(all ...catalog.Photo) error {
		_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) {
			ws.Settings.Logo, ws.Settings.Photos = 0, all
		})
		return err
	}
	w.Must(shows(catalog.Photo{Picture: p.ID}))
	w.Refused(w.Pictures.Delete(t.Context(), w.Owner, p.ID.String()), fault.Conflict, "picture_in_use")
	w.Refused(shows(catalog.Photo{Picture: p.ID + 1}), fault.BadRequest, "invalid")
	w.Refused(shows(catalog.Photo{Picture: p.ID}, catalog.Photo{Picture: p.ID}), fault.BadRequest, "invalid")
	w.Must(shows())
	w.Must(w.Pictures.Delete(t.Context(), w.Owner, p.ID.String()))
	_, _, err = w.Pictures.Data(t.Context(), shown.Hash, 320)
	w.Refused(err, fault.NotFound, "")
	w.Refused(show(p.ID), fault.BadRequest, "invalid")
}

// With its workspace a picture is gone at once, and its rows soon after.
func TestPicturesGoWithTheWorkspace(t *testing.T) {
	w := newWorld(t)
	p := w.upload(jpegOf(t, photo(1000, 500)))
	hash := strings.Split(p.URL, "/")[4]
	w.Must(w.Shop.DeleteWorkspace(t.Context(), w.Owner, "salon"))
	_, _, err := w.Pictures.Data(t.Context(), hash, 320)
	w.Refused(err, fault.NotFound, "")
	_, _, err = w.Pictures.Upload(t.Context(), w.Owner, jpegOf(t, photo(100, 50)))
	if !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("uploaded to a workspace that is gone: %v", err)
	}
	for more := true; more; {
		more, err = w.Upkeep.Sweep(t.Context(), 1000)
		w.Must(err)
	}
	for _, table := range []string{"pictures", "picture_widths"} {
		if n := w.rows(table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
}

func (w *world) rows(table string) (n int) {
	w.T.Helper()
	w.Must(w.Store.Reader(w.T.Context()).(interface {
		Scan(query string, args []any, dest ...any) error
	}).Scan("SELECT COUNT(*) FROM "+table, nil, &n))
	return n
}

// A set-up file names pictures by id. One of another workspace is told of, and changes nothing.
func TestPicturesInSetupFiles(t *testing.T) {
	w := newWorld(t)
	p := w.upload(jpegOf(t, photo(100, 50)))
	w.Offer("cut", 30, nil)
	apply := func(id string) setup.Report {
		t.Helper()
		doc, err := setup.Parse([]byte("workspace: {slug: salon}\nhosts: [{email: ana@salon.example, picture: " + id + "}]\n" +
			"eventTypes: [{slug: cut, picture: " + id + "}]\n"))
		w.Must(err)
		report, err := w.SetupFile.ApplySetup(t.Context(), app.Operator(0), doc, false)
		w.Must(err)
		return report
	}
	for _, id := range []string{p.ID.String(), (p.ID + 1).String()} {
		report := apply(id)
		if known := id == p.ID.String(); known && len(report.Warnings) > 0 || !known && (len(report.Warnings) != 2 || len(report.Differences) > 0) {
			t.Errorf("%s: %+v", id, report)
		}
		setup, err := w.Setup(w.Workspace.ID)
		w.Must(err)
		if setup.HostByEmail("ana@salon.example").Picture != p.ID || setup.EventType("cut").Picture != p.ID {
			t.Errorf("%s: %v, %v", id, setup.Hosts[0].Picture, setup.EventTypes[0].Picture)
		}
	}
	apply(`""`)
	w.Must(w.Pictures.Delete(t.Context(), w.Owner, p.ID.String()))
}

// An export of everything has each picture, and what is known of it.
func TestPicturesAreExported(t *testing.T) {
	w := newWorld(t)
	p := w.upload(jpegOf(t, photo(1000, 500)))
	var out bytes.Buffer
	w.Must(w.Report.ExportAll(t.Context(), w.Owner, false, &out))
	files, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	w.Must(err)
	read := func(name string) []byte {
		t.Helper()
		file, err := files.Open(name)
		w.Must(err)
		data, err := io.ReadAll(file)
		w.Must(err)
		return data
	}
	if m := w.decode(read("pictures/" + p.ID.String() + ".jpg")); m.Bounds().Dx() != 1000 {
		t.Errorf("%v", m.Bounds())
	}
	if list := string(read("pictures.jsonl")); !strings.Contains(list, `"id":"`+p.ID.String()+`"`) || strings.Count(list, "\n") != 1 {
		t.Error(list)
	}
}

var _ = []any{jpeg.Decode, png.Decode} // registered for image.Decode

// A preview is what a program that shows links cuts a picture to: the middle of a wide one, the upper part of a high one;
// never larger than the picture, and never of one that is transparent.
func TestPreview(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name          string
		size, preview image.Point
		from          image.Point // of the preview's corner in the picture, in its widest width
	}{
		{"wide", image.Pt(1600, 400), image.Pt(761, 400), image.Pt(419, 0)},
		{"high", image.Pt(800, 1600), image.Pt(800, 420), image.Pt(0, 295)},
		{"large", image.Pt(3200, 1680), image.Pt(1200, 630), image.Pt(0, 0)},
		{"tiny", image.Pt(1, 1), image.Pt(1, 1), image.Pt(0, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := image.NewRGBA(image.Rectangle{Max: c.size})
			for y := range c.size.Y {
				for x := range c.size.X {
					m.SetRGBA(x, y, color.RGBA{uint8(255 * x / c.size.X), uint8(255 * y / c.size.Y), 40, 255})
				}
			}
			var file bytes.Buffer
			w.Must(jpeg.Encode(&file, m, &jpeg.Options{Quality: 95}))
			p := w.upload(file.Bytes())
			widest := p.Widths[len(p.Widths)-1]
			data, err := w.Pictures.Preview(t.Context(), strings.Split(p.URL, "/")[4], widest)
			w.Must(err)
			got, err := jpeg.Decode(bytes.NewReader(data))
			w.Must(err)
			if got.Bounds().Size() != c.preview {
				t.Fatalf("it is %v, want %v", got.Bounds().Size(), c.preview)
			}
			height := c.size.Y * widest / c.size.X
			r, g, _, _ := got.At(0, 0).RGBA()
			wantR, wantG := 255*c.from.X/widest, 255*c.from.Y/max(1, height)
			if near := func(a uint32, b int) bool { d := int(a>>8) - b; return -8 < d && d < 8 }; !near(r, wantR) || !near(g, wantG) {
				t.Errorf("its corner is %d %d, want %d %d", r>>8, g>>8, wantR, wantG)
			}
		})
	}
	var logo bytes.Buffer
	w.Must(png.Encode(&logo, image.NewNRGBA(image.Rect(0, 0, 40, 40))))
	p := w.upload(logo.Bytes())
	_, err := w.Pictures.Preview(t.Context(), strings.Split(p.URL, "/")[4], 40)
	w.Refused(err, fault.NotFound, "")
}
