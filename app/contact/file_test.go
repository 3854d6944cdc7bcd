package contact_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// photo is a picture that compresses badly.
func photo(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	source := rand.NewChaCha8([32]byte{1})
	source.Read(m.Pix)
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	return m
}

// plain is a picture that compresses well.
func plain(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	m.Set(1, 1, color.Black)
	return m
}

func jpegOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// located is a JPEG with a position in its Exif data.
func located(t testing.TB, file []byte) []byte {
	t.Helper()
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x88\x25\x00\x04\x00\x00\x00\x01\x00\x00\x00\x1a\x00\x00\x00\x00" + secret
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	return bytes.Join([][]byte{file[:2], append(segment, exif...), file[2:]}, nil)
}

const secret = "52 deg 31' 12.03 N secret"

// pdf is the beginning of a PDF file of that many bytes, which differ.
func pdf(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{2}).Read(b)
	copy(b, "%PDF-1.7\n")
	return b
}

func (w *world) adds(a app.Actor, ref string, in contact.FileInput, body []byte) (contact.File, error) {
	w.T.Helper()
	data, err := w.People.ReadFile(w.T.Context(), a, body)
	if err != nil {
		return contact.File{}, err
	}
	return w.People.AddFile(w.T.Context(), a, ref, in, data)
}

// count counts rows of a table.
func (w *world) count(table string) (n int) {
	w.T.Helper()
	w.Must(enginetest.Raw(w.T, w.Store.Engine).QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n))
	return n
}

// A photograph is made anew, without what its file says of the place; a PDF file comes back as it was.
func TestFiles(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	before, err := w.adds(w.ana, w.mias, contact.FileInput{Name: `C:\Users\Ana\before "1".jpg`, Kind: contact.BeforePhoto,
		Booking: w.mia.ID.String()}, append(located(t, jpegOf(t, photo(2000, 1500))), "%PDF-<script>"+secret...))
	w.Must(err)
	if before.Name != `before "1".jpg` || before.MediaType != "image/jpeg" || before.Kind != contact.BeforePhoto || before.Booking != w.mia.ID ||
		before.Width < 400 || before.Width > 1600 || before.TakenAt != when.At(w.Clock.Now()) || !before.Deletable || before.Author.By != w.ana.ID() {
		t.Errorf("%+v", before)
	}
	clear := image.NewNRGBA(image.Rect(0, 0, 300, 100))
	small, err := w.adds(w.Owner, w.mias, contact.FileInput{Kind: contact.AfterPhoto}, pngOf(t, clear))
	if w.Must(err); small.MediaType != "image/png" || small.Name != "photo.png" || small.Width != 300 {
		t.Errorf("%+v", small)
	}
	narrow, err := w.adds(w.Owner, w.mias, contact.FileInput{}, pngOf(t, photo(320, 640)))
	if w.Must(err); narrow.Width != 320 || narrow.Bytes <= 50_000 {
		t.Errorf("a narrow picture is kept like a small one: %+v", narrow)
	}
	w.Must(w.People.DeleteFile(ctx, w.Owner, w.mias, narrow.ID.String()))
	paper := pdf(700_000)
	sheet, err := w.adds(w.Owner, w.mias, contact.FileInput{Name: "../../etc/consent.pdf"}, paper)
	if w.Must(err); sheet.MediaType != "application/pdf" || sheet.Name != "consent.pdf" || sheet.Width != 0 {
		t.Errorf("%+v", sheet)
	}
	one := 1
	page, err := w.People.Files(ctx, w.ana, w.mias, &one, "")
	w.Must(err)
	var listed []contact.File
	for listed = page.Data; page.HasMore; listed = append(listed, page.Data...) {
		page, err = w.People.Files(ctx, w.ana, w.mias, &one, *page.NextCursor)
		w.Must(err)
	}
	if len(listed) != 3 || listed[0].ID != sheet.ID || listed[2].ID != before.ID || listed[0].Deletable || !listed[2].Deletable ||
		listed[0].Bytes != len(paper) {
		t.Errorf("%+v", listed)
	}
	_, data, err := w.People.File(ctx, w.ana, w.mias, sheet.ID.String(), false)
	if w.Must(err); !bytes.Equal(data, paper) {
		t.Error("the PDF file is another one")
	}
	_, _, err = w.People.File(ctx, w.ana, w.mias, sheet.ID.String(), true)
	w.Refused(err, fault.NotFound, "")
	info, err := w.People.FileInfo(ctx, w.ana, w.mias, before.ID.String())
	if w.Must(err); info != before {
		t.Errorf("%+v", info)
	}
	total := 0
	for _, x := range []struct {
		of    contact.File
		small bool
		most  int
	}{{before, false, 1600}, {before, true, 320}, {small, true, 300}, {small, false, 300}} {
		f, data, err := w.People.File(ctx, w.ana, w.mias, x.of.ID.String(), x.small)
		w.Must(err)
		m, format, err := image.Decode(bytes.NewReader(data))
		if w.Must(err); m.Bounds().Dx() > x.most || "image/"+format != f.MediaType || !x.small && len(data) != f.Bytes {
			t.Errorf("%v %v: %v %s, %d of %d bytes", f.ID, x.small, m.Bounds(), format, len(data), f.Bytes)
		}
		for _, hidden := range []string{"secret", "Exif", "script", "%PDF"} {
			if bytes.Contains(data, []byte(hidden)) {
				t.Errorf("%q is kept", hidden)
			}
		}
		if x.of.ID == before.ID {
			total += len(data)
		}
	}
	if total > 300_000 {
		t.Errorf("%d bytes", total)
	}

	w.Refused(w.People.DeleteFile(ctx, w.ana, w.mias, sheet.ID.String()), fault.Forbidden, "role")
	w.Must(w.People.DeleteFile(ctx, w.manager, w.mias, sheet.ID.String()))
	_, _, err = w.People.File(ctx, w.Owner, w.mias, sheet.ID.String(), false)
	w.Refused(err, fault.NotFound, "")
	w.Clock.Advance(24 * time.Hour)
	w.Refused(w.People.DeleteFile(ctx, w.ana, w.mias, before.ID.String()), fault.Forbidden, "role")
	later, err := w.adds(w.ana, w.mias, contact.FileInput{Name: strings.Repeat("x", 200) + ".pdf"}, pdf(100))
	w.Must(err)
	if len(later.Name) != contact.MaxFileName || !strings.HasSuffix(later.Name, ".pdf") {
		t.Errorf("%q", later.Name)
	}
	if later.TakenAt != when.At(w.Clock.Now()) {
		t.Errorf("uploaded at %s, taken at %s", w.Clock.Now(), later.TakenAt)
	}
	w.Must(w.People.DeleteFile(ctx, w.ana, w.mias, later.ID.String()))
	if n := w.count("contact_file_parts"); n != 3 {
		t.Errorf("%d parts are left", n)
	}
	for name, x := range map[string]struct {
		in    contact.FileInput
		field string
	}{
		"a name of two lines": {contact.FileInput{Name: "a\r\nb"}, "name"}, "no UTF-8": {contact.FileInput{Name: "\xff"}, "name"},
		"an unknown kind": {contact.FileInput{Kind: "during"}, "kind"}, "a PDF file as a photograph": {contact.FileInput{Kind: "after"}, "kind"},
		"another's booking": {contact.FileInput{Booking: w.cy.ID.String()}, "booking"},
	} {
		_, err := w.adds(w.Owner, w.mias, x.in, pdf(100))
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != x.field {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file is saved under a name that ends as what it is, whatever it was called: what else its bytes may be doesn't count.
func TestNamesOfFiles(t *testing.T) {
	w := newWorld(t, nil)
	page := append(pdf(20), "<script>alert(1)</script>"...)
	picture := jpegOf(t, photo(40, 30))
	for _, x := range []struct {
		name string
		file []byte
		want string
	}{
		{"", page, "file.pdf"}, {"Consent.PDF", page, "Consent.PDF"}, {"consent.html", page, "consent.html.pdf"},
		{"consent", page, "consent.pdf"}, {"consent.jpg", page, "consent.pdf"}, {"a.pdf.exe", page, "a.pdf.exe.pdf"},
		{"consent\u202efdp.exe", page, "consentfdp.exe.pdf"}, {"\u202e", page, "file.pdf"}, {".htaccess", page, "htaccess.pdf"}, {"..", page, "file.pdf"},
		{"C:\\x\\..\\con.svg ", page, "con.svg.pdf"}, {strings.Repeat("x", 130) + ".html", page, strings.Repeat("x", 115) + ".pdf"},
		{"", picture, "photo.jpg"}, {"IMG.JPEG", picture, "IMG.JPEG"}, {"IMG.webp", picture, "IMG.jpg"}, {"IMG.png", picture, "IMG.jpg"}, {"x.svg", picture, "x.svg.jpg"},
	} {
		f, err := w.adds(w.Owner, w.mias, contact.FileInput{Name: x.name}, x.file)
		if w.Must(err); f.Name != x.want || len([]rune(f.Name)) > contact.MaxFileName {
			t.Errorf("%q is kept as %q, want %q", x.name, f.Name, x.want)
		}
	}
}

// What isn't a picture or a PDF file by its bytes is refused, whatever its name says.
func TestWhatIsNoFile(t *testing.T) {
	w := newWorld(t, nil)
	bomb := pngOf(t, plain(8, 8))
	binary.BigEndian.PutUint32(bomb[16:], 50_000)
	binary.BigEndian.PutUint32(bomb[20:], 50_000)
	for name, x := range map[string]struct {
		file   []byte
		code   fault.Code
		reason string
	}{
		"nothing":              {nil, fault.BadRequest, "not_a_picture"},
		"SVG":                  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), fault.BadRequest, "not_a_picture"},
		"HTML called a PDF":    {[]byte("<html>%PDF-1.7"), fault.BadRequest, "not_a_picture"},
		"a PDF file behind":    {append([]byte("\x00"), pdf(100)...), fault.BadRequest, "not_a_picture"},
		"an archive":           {[]byte("PK\x03\x04 word/document.xml"), fault.BadRequest, "not_a_picture"},
		"half a JPEG":          {jpegOf(t, photo(400, 300))[:100], fault.BadRequest, "not_a_picture"},
		"a bomb":               {bomb, fault.BadRequest, "not_a_picture"},
		"a PDF file too large": {pdf(contact.MaxPDF + 1), fault.PayloadTooLarge, ""},
		"a picture too large":  {append(jpegOf(t, plain(10, 10)), make([]byte, 10_000_000)...), fault.PayloadTooLarge, ""},
	} {
		_, err := w.adds(w.Owner, w.mias, contact.FileInput{Name: "photo.jpg"}, x.file)
		if e := fault.As(err); e == nil || e.Code != x.code || e.Reason != x.reason {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := w.count("contact_files"); n != 0 {
		t.Errorf("%d files are kept", n)
	}
	_, err := w.adds(w.Owner, w.mias, contact.FileInput{}, pdf(contact.MaxPDF))
	w.Must(err)
}

// However many are uploaded at once, a customer has 50 files, and the files of a workspace the bytes that they may have.
func TestFilesAreBounded(t *testing.T) {
	room := 0
	w := newWorld(t, func(c *subjects.Config) { c.Contact.FilesOfWorkspace = 1_000_000; room = c.Contact.FilesOfWorkspace })
	data, err := w.People.ReadFile(t.Context(), w.Owner, pdf(2000))
	w.Must(err)
	add := func(ref string, d *contact.FileData) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.People.AddFile(ctx, w.Owner, ref, contact.FileInput{}, d)
			if e := fault.As(err); e != nil && e.DetailsObject()["limit"] != contact.MaxFiles && e.DetailsObject()["limit"] != room {
				return fmt.Errorf("no limit is told: %v", e.DetailsObject())
			}
			return err
		}
	}
	if done, full := w.together(64, add(w.mias, data), "too_many_files"); done != contact.MaxFiles || full != 14 {
		t.Errorf("%d were kept, %d refused", done, full)
	}
	if n := w.count("contact_files WHERE complete = 1"); n != contact.MaxFiles {
		t.Errorf("%d files", n)
	}
	large, err := w.People.ReadFile(t.Context(), w.Owner, pdf(300_000))
	w.Must(err)
	if done, full := w.together(8, add(w.cys, large), "too_many_files"); done != 3 || full != 5 {
		t.Errorf("of the workspace: %d were kept, %d refused", done, full)
	}
	w.noted(w.cys, "an entry") // nothing else is refused
	page, err := w.People.Files(t.Context(), w.Owner, w.cys, nil, "")
	w.Must(err)
	w.Must(w.People.DeleteFile(t.Context(), w.Owner, w.cys, page.Data[0].ID.String()))
	w.Must(add(w.cys, large)(t.Context()))
}

// dying is a store whose server is killed after some writes, or that refuses only the next one.
type dying struct {
	app.Store
	left     atomic.Int32
	recovers bool
}

var errKilled = errors.New("killed")

func (d *dying) Write(ctx context.Context, change func(app.Tx) error) error {
	if left := d.left.Add(-1); left == -1 || left < 0 && !d.recovers {
		return errKilled
	}
	return d.Store.Write(ctx, change)
}

// A server that is killed during an upload leaves a file that is neither listed nor served, and that is gone an hour later.
func TestKilledUploads(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	data, err := w.People.ReadFile(ctx, w.Owner, jpegOf(t, photo(800, 600)))
	w.Must(err)
	paper, err := w.People.ReadFile(ctx, w.Owner, pdf(600_000))
	w.Must(err)
	for writes := range 4 { // a picture has two parts, this PDF file three
		for _, d := range []*contact.FileData{data, paper} {
			store := &dying{Store: w.Store}
			store.left.Store(int32(writes))
			s := w.Subjects(func(c *subjects.Config) { c.Store = store })
			if _, err := s.People.AddFile(ctx, w.Owner, w.mias, contact.FileInput{}, d); !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
		}
	}
	page, err := w.People.Files(ctx, w.Owner, w.mias, nil, "")
	if w.Must(err); len(page.Data) != 0 || w.count("contact_files") != 6 {
		t.Fatalf("%+v, %d rows", page.Data, w.count("contact_files"))
	}
	var n int64
	w.Must(enginetest.Raw(t, w.Store.Engine).QueryRow(`SELECT MAX(id) FROM contact_files`).Scan(&n))
	_, _, err = w.People.File(ctx, w.Owner, w.mias, contact.FileID(n).String(), false)
	w.Refused(err, fault.NotFound, "")
	whole, err := w.adds(w.Owner, w.mias, contact.FileInput{}, pdf(100))
	w.Must(err)
	tidy := func() {
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(ctx))
			}
		}
	}
	w.Clock.Advance(50 * time.Minute)
	if tidy(); w.count("contact_files") != 7 {
		t.Error("an upload is given up too early")
	}
	w.Clock.Advance(50 * time.Hour) // another test's ids are a day ahead
	if tidy(); w.count("contact_files") != 1 || w.count("contact_file_parts") != 1 {
		t.Errorf("%d files with %d parts are left", w.count("contact_files"), w.count("contact_file_parts"))
	}
	_, _, err = w.People.File(ctx, w.Owner, w.mias, whole.ID.String(), false)
	w.Must(err)
}

// An upload that fails midway takes nobody's place, even if whoever sent it is gone.
func TestFailedUploadsLeaveNothing(t *testing.T) {
	w := newWorld(t, nil)
	paper, err := w.People.ReadFile(t.Context(), w.Owner, pdf(600_000))
	w.Must(err)
	for writes := 1; writes < 5; writes++ { // its place, three parts, and that they are all there
		store := &dying{Store: w.Store, recovers: true}
		store.left.Store(int32(writes))
		s := w.Subjects(func(c *subjects.Config) { c.Store = store })
		if _, err := s.People.AddFile(t.Context(), w.Owner, w.mias, contact.FileInput{}, paper); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		if files, parts := w.count("contact_files"), w.count("contact_file_parts"); files != 0 || parts != 0 {
			t.Errorf("after %d writes %d files with %d parts are left", writes, files, parts)
		}
	}
}

// Many uploads at once need the memory of the pictures that are decoded, two at a time.
func TestUploadsShareMemory(t *testing.T) {
	w := newWorld(t, nil)
	file := jpegOf(t, plain(4000, 3000)) // 18 MB once decoded
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	over := make(chan struct{})
	var watch, all sync.WaitGroup
	watch.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
				runtime.ReadMemStats(&now)
				most.Store(max(most.Load(), now.HeapInuse))
				time.Sleep(time.Millisecond)
			}
		}
	})
	for range 24 {
		all.Go(func() {
			_, err := w.adds(w.Owner, w.mias, contact.FileInput{}, file)
			if e := fault.As(err); err != nil && (e == nil || e.Reason != "busy") {
				t.Error(err)
			}
		})
	}
	all.Wait()
	close(over)
	watch.Wait()
	if n := int64(most.Load()) - int64(before.HeapInuse); n > 160<<20 {
		t.Errorf("they took %d MB", n>>20)
	}
}

// Whoever may not see the card finds none of its entries and files, and changes nothing on it.
func TestRightsOfCards(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	e := w.noted(w.mias, "of Mia")
	f, err := w.adds(w.Owner, w.mias, contact.FileInput{}, pdf(100))
	w.Must(err)
	other := w.Beside("other", "eve")
	key := func(change func(*app.Actor)) app.Actor {
		a := app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 9}
		change(&a)
		return a
	}
	member := func(role app.Role) app.Actor {
		return app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 8, Role: role}
	}
	const none, sees, writes, manages = "none", "sees", "writes", "manages"
	actors := map[string]struct {
		a     app.Actor
		may   string
		error fault.Code // of what they may not
	}{
		"owner":                    {member(app.OwnerRole), manages, ""},
		"manager":                  {member(app.ManagerRole), manages, ""},
		"the operator":             {app.Operator(w.Workspace.ID), manages, ""},
		"staff who serve":          {w.ana, writes, fault.Forbidden},
		"staff who don't":          {w.bob, none, fault.NotFound},
		"staff without a host":     {member(app.StaffRole), none, fault.NotFound},
		"a full key":               {key(func(*app.Actor) {}), none, fault.Forbidden},
		"a read-only key":          {key(func(a *app.Actor) { a.ReadOnly = true }), none, fault.Forbidden},
		"a full key with the area": {key(func(a *app.Actor) { a.Areas = right.Contacts }), manages, ""},
		"a reading key with it":    {key(func(a *app.Actor) { a.Areas = right.Contacts; a.ReadOnly = true }), none, fault.Forbidden},
		"a key that sees contacts": {key(func(a *app.Actor) { a.Areas = right.Contacts; a.Limits = &right.Limits{Rights: right.SeeContacts} }), sees, fault.Forbidden},
		"a key that writes them": {key(func(a *app.Actor) {
			a.Areas = right.Contacts
			a.Limits = &right.Limits{Rights: right.SeeContacts | right.AddContacts}
		}), manages, ""},
		"a key that sees bookings":   {key(func(a *app.Actor) { a.Areas = right.Contacts; a.Limits = &right.Limits{Rights: right.SeeBookings} }), none, fault.Forbidden},
		"an agent":                   {key(func(a *app.Actor) { a.Kind = booking.ByAgent }), none, fault.Forbidden},
		"an owner's agent":           {app.Actor{Kind: booking.ByAgent, Workspace: w.Workspace.ID, User: 8, Role: app.OwnerRole}, none, fault.Forbidden},
		"the invitee":                {app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: w.mia.ID}, none, fault.Forbidden},
		"an approver":                {app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Booking: w.mia.ID}, none, fault.Forbidden},
		"the system":                 {app.Actor{Kind: booking.BySystem, Workspace: w.Workspace.ID}, none, fault.Forbidden},
		"nobody":                     {app.Actor{Workspace: w.Workspace.ID}, none, fault.Forbidden},
		"the owner of another salon": {other.Owner, none, fault.NotFound},
	}
	small, err := w.People.ReadFile(ctx, w.Owner, pdf(50))
	w.Must(err)
	for who, x := range actors {
		check := func(what string, needs string, err error) {
			t.Helper()
			rank := map[string]int{none: 0, sees: 1, writes: 2, manages: 3}
			if may := rank[x.may] >= rank[needs]; may != (err == nil) ||
				!may && !fault.Is(err, x.error) && (needs != manages || !fault.Is(err, fault.Forbidden)) {
				t.Errorf("%s by %s: %v", what, who, err)
			}
		}
		_, err := w.People.Card(ctx, x.a, w.mias)
		check("the card", sees, err)
		entries, err := w.People.Entries(ctx, x.a, w.mias, nil, "")
		check("entries", sees, err)
		files, err := w.People.Files(ctx, x.a, w.mias, nil, "")
		check("files", sees, err)
		_, data, err := w.People.File(ctx, x.a, w.mias, f.ID.String(), false)
		check("a file", sees, err)
		if x.may == none && len(entries.Data)+len(files.Data)+len(data) > 0 {
			t.Errorf("%s is told %v %v", who, entries, files)
		}
		_, err = w.People.PinEntry(ctx, x.a, w.mias, e.ID.String(), false)
		check("pin", writes, err)
		added, err := w.People.AddEntry(ctx, x.a, w.mias, contact.EntryInput{Kind: contact.NoteEntry, Text: "by " + who})
		check("write", writes, err)
		up, err := w.People.AddFile(ctx, x.a, w.mias, contact.FileInput{}, small)
		check("upload", writes, err)
		mine, err := w.People.AddEntry(ctx, w.Owner, w.mias, contact.EntryInput{Kind: contact.NoteEntry, Text: "to be deleted"})
		w.Must(err)
		check("delete an entry", manages, w.People.DeleteEntry(ctx, x.a, w.mias, mine.ID.String()))
		sheet, err := w.People.AddFile(ctx, w.Owner, w.mias, contact.FileInput{}, small)
		w.Must(err)
		check("delete a file", manages, w.People.DeleteFile(ctx, x.a, w.mias, sheet.ID.String()))
		if up.ID != 0 {
			w.Must(w.People.DeleteFile(ctx, w.Owner, w.mias, up.ID.String()))
			w.Must(w.People.DeleteEntry(ctx, w.Owner, w.mias, added.ID.String()))
		}
		// By the name of somebody whom the actor sees, what is another's is not found.
		if x.may != none {
			w.theirsStay(x.a, e, f)
		}
	}

	// It ends with what lets staff see the customer: the booking, and the workspace's word.
	_, err = w.Cancel(ctx, w.Owner, w.mia.ID.String(), booking.CancelInput{})
	w.Must(err)
	_, err = w.People.Entries(ctx, w.ana, w.mias, nil, "")
	w.Refused(err, fault.NotFound, "")
	_, err = w.People.AddEntry(ctx, w.ana, w.mias, contact.EntryInput{Kind: contact.NoteEntry, Text: "x"})
	w.Refused(err, fault.NotFound, "")
	w.Refused(w.People.DeleteFile(ctx, w.ana, w.mias, f.ID.String()), fault.NotFound, "")
}

// theirsStay asks for what is Mia's by the name of another customer.
func (w *world) theirsStay(a app.Actor, e contact.Entry, f contact.File) {
	w.T.Helper()
	ctx := w.T.Context()
	_, _, err := w.People.File(ctx, a, w.cys, f.ID.String(), false)
	w.Refused(err, fault.NotFound, "")
	for _, err := range []error{w.People.DeleteFile(ctx, a, w.cys, f.ID.String()), w.People.DeleteEntry(ctx, a, w.cys, e.ID.String())} {
		if !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Forbidden) {
			w.T.Errorf("of another customer: %v", err)
		}
	}
}
