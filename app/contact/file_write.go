package contact

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/picture"
	"daybook/app/when"
)

const (
	pdfType  = "application/pdf"
	pdfBegin = "%PDF-"
	// filePart is how many bytes of a file are written in one transaction.
	filePart = 256 << 10
	// ownFile is how long the author of a file may delete it.
	ownFile = 24 * time.Hour
	// staleFile is how long an upload may take, at the very most.
	staleFile = time.Hour
	// dropWait is how long an upload that failed waits for its place to be given back.
	dropWait = 5 * time.Second
	// staleMost is how many files are deleted in one call of prune.
	staleMost = 50
)

// photoWidths are those of photographs: small ones for lists, large ones to look at; together they have at most 300 kB.
var photoWidths = []picture.Width{{Pixels: 320, Bytes: 50e3}, {Pixels: 1600, Bytes: 250e3}}

var (
	errNoFile = fault.New(fault.BadRequest, "not_a_picture",
		"This file is neither a JPEG, PNG or WebP picture nor a PDF file, or it is damaged.")
	errLargePDF = fault.New(fault.PayloadTooLarge, "", "The PDF file is larger than 5 MB.").With("maxBytes", MaxPDF)
)

// ReadFile makes what is kept of an uploaded file: a picture is decoded and encoded anew as package picture does it,
// upright and without metadata, at most 300 kB large; a PDF file stays as it is. It is the slow half of an upload and
// changes nothing. Errors: forbidden, bad_request (not_a_picture, animated, too_many_pixels), payload_too_large,
// unavailable (busy).
func (s *Service) ReadFile(ctx context.Context, a app.Actor, body []byte) (*FileData, error) {
	if err := a.May(app.MayWriteCard); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(body, []byte(pdfBegin)) {
		if len(body) > MaxPDF {
			return nil, errLargePDF
		}
		return &FileData{mediaType: pdfType, body: body}, nil
	}
	found, err := picture.Shrink(ctx, body, photoWidths)
	if e := fault.Refusal(err); e != nil && e.Reason == errNoFile.Reason {
		return nil, errNoFile
	}
	if err != nil {
		return nil, err
	}
	large := found.Widths[len(found.Widths)-1]
	data := &FileData{mediaType: found.Format.MediaType(), body: large.Data, size: large.Size}
	if len(found.Widths) > 1 {
		data.small = found.Widths[0].Data
	}
	return data, nil
}

// AddFile saves a file that ReadFile made. Errors: forbidden, not_found, bad_request, conflict too_many_files.
func (s *Service) AddFile(ctx context.Context, a app.Actor, contact string, in FileInput, data *FileData) (f File, err error) {
	if err := a.May(app.MayWriteCard); err != nil {
		return f, err
	}
	if data == nil {
		return f, errNoFile
	}
	if err := in.check(data); err != nil {
		return f, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		f, err = s.reserve(tx, a, contact, in, data)
		return err
	})
	if err != nil {
		return f, err
	}
	ctx = context.WithoutCancel(ctx) // what was begun is ended, whether somebody waits for it or not
	if err := s.writeFile(ctx, a, f.ID, data); err != nil {
		late, cancel := context.WithTimeout(ctx, dropWait)
		defer cancel()
		drop := func(tx Tx) error { return tx.DropIncompleteFile(IncompleteFile{Workspace: a.Workspace, ID: f.ID}) }
		return f, errors.Join(fault.OrMissing(err, fault.Missing("contact", contact)), s.Write(late, drop))
	}
	return f, nil
}

// writeFile saves the parts of a file that has its place, and then that they are all there. Errors: ErrNotFound.
func (s *Service) writeFile(ctx context.Context, a app.Actor, file FileID, data *FileData) error {
	write := func(part int, bytes []byte) error {
		return s.Write(ctx, func(tx Tx) error { return tx.InsertFilePart(a.Workspace, file, part, bytes) })
	}
	if data.small != nil {
		if err := write(0, data.small); err != nil {
			return err
		}
	}
	part := 0
	for bytes := range slices.Chunk(data.body, filePart) {
		part++
		if err := write(part, bytes); err != nil {
			return err
		}
	}
	return s.Write(ctx, func(tx Tx) error { return tx.CompleteFile(a.Workspace, file) })
}

// reserve counts the file among the contact's and the workspace's before its data is written, so that no two uploads
// take the same place.
func (s *Service) reserve(tx Tx, a app.Actor, contact string, in FileInput, data *FileData) (f File, err error) {
	if err := tx.LockWorkspace(a.Workspace); err != nil {
		return f, err
	}
	c, err := s.cardLocked(tx, a, contact)
	if err != nil {
		return f, err
	}
	f = File{ID: id.New[FileIDKind](s.Now()), Name: in.Name, MediaType: data.mediaType, Bytes: len(data.body),
		Width: data.size.Width, Height: data.size.Height, Kind: in.Kind, Author: Author{Actor: a.Kind, By: a.ID()}}
	f.TakenAt = when.At(f.ID.MadeAt())
	if f.Booking, err = bookingOf(tx, a, c, in.Booking); err != nil {
		return f, err
	}
	count, bytes, err := tx.FilesTotal(a.Workspace, c)
	if err != nil {
		return f, err
	}
	if count >= MaxFiles {
		return f, fault.Conflictf("too_many_files", "A customer has at most %d photographs and files. Delete one first.",
			MaxFiles).With("limit", MaxFiles)
	}
	if bytes+len(data.body)+len(data.small) > s.config.FilesOfWorkspace {
		return f, fault.Conflictf("too_many_files", "The photographs and files of all customers may have %d MB together, and "+
			"this one is too much. Delete some, or ask whoever runs the server for more room.",
			s.config.FilesOfWorkspace/1_000_000).With("limit", s.config.FilesOfWorkspace)
	}
	if err := tx.InsertFile(a.Workspace, c, &f, len(data.small)); err != nil {
		return f, err
	}
	s.presentFile(a, &f)
	return f, s.written(tx, a, c, &f.Author)
}

// check normalises the input. Errors: bad_request.
func (in *FileInput) check(data *FileData) (err error) {
	if in.Name, err = fault.CheckLine("name", baseName(in.Name), 0, MaxFileName); err != nil {
		return err
	}
	in.Name = named(in.Name, data.mediaType)
	switch {
	case in.Kind == "":
	case in.Kind != BeforePhoto && in.Kind != AfterPhoto:
		return fault.Invalid("kind", "must be before or after, or empty")
	case data.mediaType == pdfType:
		return fault.Invalid("kind", "is only for pictures")
	}
	return nil
}

// baseName returns what a program that sends a whole path calls the file, without characters that no file name may have
// anywhere, cut to what is kept.
func baseName(name string) string {
	if !utf8.ValidString(name) {
		return name
	}
	if at := strings.LastIndexAny(name, `/\`); at >= 0 {
		name = name[at+1:]
	}
	name = strings.Trim(name, ". ")
	if runes := []rune(name); len(runes) > MaxFileName { // with its end, which says what it is
		name = string(slices.Concat(runes[:MaxFileName-nameEnd], runes[len(runes)-nameEnd:]))
	}
	return name
}

// fileEnds are the endings of the names of what is kept, and of what that is made of.
var fileEnds = map[string]string{".pdf": pdfType, ".jpg": catalog.JPEG.MediaType(), ".jpeg": catalog.JPEG.MediaType(),
	".png": catalog.PNG.MediaType(), ".webp": "", ".heic": ""}

// named returns a name that ends as what the file is, so that whoever saves and opens it gets nothing else: a PDF file may
// be a page, too, for whatever opens it as one.
func named(name, mediaType string) string {
	usual := map[string]string{pdfType: "file.pdf", catalog.JPEG.MediaType(): "photo.jpg", catalog.PNG.MediaType(): "photo.png"}[mediaType]
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) { // it would show the end elsewhere
			return -1
		}
		return r
	}, name)
	if name == "" {
		return usual
	}
	end := path.Ext(name)
	is, known := fileEnds[strings.ToLower(end)]
	if is == mediaType {
		return name
	}
	if known {
		name = strings.TrimSuffix(name, end)
	}
	end = path.Ext(usual)
	if runes := []rune(name); len(runes)+len(end) > MaxFileName {
		name = strings.TrimRight(string(runes[:MaxFileName-len(end)]), ". ")
	}
	return name + end
}

// nameEnd is how many characters of the end of a long name are kept.
const nameEnd = 10

// presentFile says what the actor may do with the file.
func (s *Service) presentFile(a app.Actor, f *File) {
	f.Deletable = s.mayDeleteFile(a, f) == nil
}

func (s *Service) mayDeleteFile(a app.Actor, f *File) error {
	if a.May(app.MayWriteCard) == nil && f.Author.By != "" && f.Author.By == a.ID() && f.Author.Actor == a.Kind &&
		when.At(s.Now()) < f.TakenAt.Add(ownFile) {
		return nil
	}
	return a.May(app.MayManageContacts)
}

// Files lists the files of a contact whose card the actor may see, the latest first. Errors: forbidden, not_found,
// bad_request (the cursor).
func (s *Service) Files(ctx context.Context, a app.Actor, contact string, limit *int, cursor string) (fault.Page[File], error) {
	none := fault.Page[File]{Data: []File{}}
	if err := a.May(app.MaySeeCard); err != nil {
		return none, err
	}
	r := s.Reader(ctx)
	p, err := s.cardPage(r, a, contact, limit, MaxFiles, cursor, "files")
	if err != nil {
		return none, err
	}
	rows, err := r.Files(a.Workspace, p.of, FileID(p.before), p.n+1)
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, p.n, func(f *File) string { return p.list.Cursor(int64(f.ID)) })
	authors := make([]*Author, len(page.Data))
	for i := range page.Data {
		s.presentFile(a, &page.Data[i])
		authors[i] = &page.Data[i].Author
	}
	return page, nameAuthors(r, a.Workspace, authors)
}

// FileInfo returns what is known of a file, without its bytes. Errors: forbidden, not_found.
func (s *Service) FileInfo(ctx context.Context, a app.Actor, contact, file string) (f File, err error) {
	if err := a.May(app.MaySeeCard); err != nil {
		return f, err
	}
	return s.fileInfo(s.Reader(ctx), a, contact, file)
}

func (s *Service) fileInfo(r Reader, a app.Actor, contact, file string) (f File, err error) {
	c, err := s.carded(r, a, contact)
	if err != nil {
		return f, err
	}
	if f, err = findFile(r, a, c.ID, file); err != nil {
		return f, err
	}
	s.presentFile(a, &f)
	return f, nameAuthors(r, a.Workspace, []*Author{&f.Author})
}

// File returns a file with its bytes; small returns a picture at most 320 pixels wide, which a PDF file doesn't have.
// Errors: forbidden, not_found.
func (s *Service) File(ctx context.Context, a app.Actor, contact, file string, small bool) (f File, data []byte, err error) {
	if err := a.May(app.MaySeeCard); err != nil {
		return f, nil, err
	}
	r := s.Reader(ctx)
	if f, err = s.fileInfo(r, a, contact, file); err != nil {
		return f, nil, err
	}
	if small && f.MediaType == pdfType {
		return f, nil, fault.Missing("file", file)
	}
	if small {
		if data, err = r.SmallFileData(a.Workspace, f.ID); err != nil || len(data) > 0 {
			return f, data, err
		}
	}
	if data, err = r.FileData(a.Workspace, f.ID, f.Bytes); err == nil && len(data) != f.Bytes { // deleted meanwhile
		err = fault.Missing("file", file)
	}
	return f, data, err
}

// DeleteFile deletes a file. Its author may for 24 hours, owners and managers always. Errors: forbidden, not_found.
func (s *Service) DeleteFile(ctx context.Context, a app.Actor, contact, file string) error {
	if err := a.May(app.MayWriteCard); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		c, err := s.cardLocked(tx, a, contact)
		if err != nil {
			return err
		}
		f, err := findFile(tx, a, c, file)
		if err != nil {
			return err
		}
		if err := s.mayDeleteFile(a, &f); err != nil {
			return err
		}
		if err := tx.DeleteFile(a.Workspace, f.ID); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.FileDeleted, Subject: f.ID.String()})
	})
}

func findFile(r CardReads, a app.Actor, c booking.ContactID, ref string) (File, error) {
	missing := fault.Missing("file", ref)
	wanted, err := id.Parse[FileIDKind](ref)
	if err != nil {
		return File{}, missing
	}
	f, err := r.File(a.Workspace, c, wanted)
	return f, fault.OrMissing(err, missing)
}

// tidyFiles deletes files whose upload ended before it was over, some at a time.
func (s *Service) tidyFiles(ctx context.Context) error {
	old, err := s.Reader(ctx).IncompleteFiles(id.First[FileIDKind](s.Now().Add(-staleFile)), staleMost)
	for _, f := range old {
		err = errors.Join(err, s.Quietly(ctx, func(tx Tx) error { return tx.DropIncompleteFile(f) }))
	}
	return err
}
