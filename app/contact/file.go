package contact

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/picture"
	"daybook/app/when"
)

type (
	// FileID is the id of a File.
	FileID = id.ID[FileIDKind]
	// FileIDKind gives the ids of files their prefix.
	FileIDKind struct{ id.Many }
)

// Prefix implements id.Kind.
func (FileIDKind) Prefix() string { return "cf_" }

// PhotoKind says what a photograph shows. The words are stored, so none may be renamed.
type PhotoKind string

// The kinds of photographs. A file that is none has none.
const (
	BeforePhoto PhotoKind = "before"
	AfterPhoto  PhotoKind = "after"
)

const (
	// MaxFiles is the most photographs and files of a contact. Merging may exceed it.
	MaxFiles = 50
	// MaxPDF is the most bytes of a PDF file.
	MaxPDF = 5_000_000
	// FilesOfWorkspace is the most bytes of all files of a workspace, unless the operator says another number.
	FilesOfWorkspace = 200_000_000
)

// File is a photograph or a PDF file of a customer. It is only served to those who may see the card, as an attachment.
type File struct {
	ID        FileID            `json:"id"`
	Name      string            `json:"name"`      // as it was uploaded, for saving it
	MediaType string            `json:"mediaType"` // image/jpeg, image/png, application/pdf
	Bytes     int               `json:"bytes"`
	Width     int               `json:"width"`  // in pixels; 0 of a PDF
	Height    int               `json:"height"` // in pixels; 0 of a PDF
	Kind      PhotoKind         `json:"kind"`   // null
	Booking   booking.BookingID `json:"booking"`
	TakenAt   when.Instant      `json:"takenAt"` // when it was uploaded
	Author    Author            `json:"author"`
	Deletable bool              `json:"-"` // by the actor, now: their own for 24 hours, owners and managers always
}

// FileFields describes files.
var FileFields = field.Resource{}

// FileInput says what an uploaded file is.
type FileInput struct {
	Name    string    // of the file; "" takes one of its kind
	Kind    PhotoKind // only of a picture
	Booking string    // the visit that it is of; "" is none
}

// ReadFile makes what is kept of an uploaded file: a picture is decoded and encoded anew as package picture does it,
// upright and without metadata, at most 300 kB large; a PDF file stays as it is. It is the slow half of an upload and
// changes nothing. Errors: forbidden, bad_request (not_a_picture, animated, too_many_pixels), payload_too_large,
// unavailable (busy).
func (s *Service) ReadFile(ctx context.Context, a app.Actor, body []byte) (*FileData, error) {
	return nil, a.May(app.MayWriteCard)
}

// FileData is what is kept of an uploaded file.
type FileData struct {
	mediaType string
	picture   *picture.Converted // nil of a PDF
	body      []byte
}

// AddFile saves a file that ReadFile made. Errors: forbidden, not_found, bad_request, conflict too_many_files.
func (s *Service) AddFile(ctx context.Context, a app.Actor, contact string, in FileInput, data *FileData) (File, error) {
	return File{}, a.May(app.MayWriteCard)
}

// Files lists the files of a contact whose card the actor may see, the latest first. Errors: forbidden, not_found,
// bad_request (the cursor).
func (s *Service) Files(ctx context.Context, a app.Actor, contact string, limit *int, cursor string) (fault.Page[File], error) {
	return fault.Page[File]{}, a.May(app.MaySeeCard)
}

// File returns a file with its bytes; small returns a picture at most 320 pixels wide. Errors: forbidden, not_found.
func (s *Service) File(ctx context.Context, a app.Actor, contact, file string, small bool) (File, []byte, error) {
	return File{}, nil, a.May(app.MaySeeCard)
}

// DeleteFile deletes a file. Its author may for 24 hours, owners and managers always. Errors: forbidden, not_found.
func (s *Service) DeleteFile(ctx context.Context, a app.Actor, contact, file string) error {
	return a.May(app.MayWriteCard)
}
