package contact

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/id"
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
	// MaxFileName is the most characters of the name of a file.
	MaxFileName = 120
	// FilesOfWorkspace is the most bytes of all files of a workspace, unless the operator says another number.
	FilesOfWorkspace = 200_000_000
)

// File is a photograph or a PDF file of a customer. It is only served to those who may see the card, as an attachment.
type File struct {
	ID        FileID            `json:"id"`
	Name      string            `json:"name"`      // as it was uploaded, for saving it
	MediaType string            `json:"mediaType"` // image/jpeg, image/png, application/pdf
	Bytes     int               `json:"bytes"`
	Width     int               `json:"width"`            // in pixels; 0 of a PDF
	Height    int               `json:"height"`           // in pixels; 0 of a PDF
	Kind      PhotoKind         `json:"kind"`             // null
	Booking   booking.BookingID `json:"booking,omitzero"` // the visit that it is of
	TakenAt   when.Instant      `json:"takenAt"`          // when it was uploaded
	Author    Author            `json:"author"`
	Deletable bool              `json:"-"` // by the actor, now: their own for 24 hours, owners and managers always
}

// FileFields describes files.
var FileFields = field.Resource{
	Text: "A photograph or a PDF file of a customer. It has no public address: its bytes are at its `content`, for those " +
		"who may see the card.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the file.", Example: "cf_1p4s8ywa0g0q2"},
		{Name: "name", Text: "Its name, for saving it, which ends as what it is.", Example: "after.jpg"},
		{Name: "mediaType", Text: "What its bytes are.", Enum: field.Values("image/jpeg", "image/png", "application/pdf")},
		{Name: "bytes", Text: "How large it is, in bytes."},
		{Name: "width", Text: "Its width in pixels; 0 of a PDF file."},
		{Name: "height", Text: "Its height in pixels; 0 of a PDF file."},
		{Name: "kind", Text: "Whether a photograph was taken before or after; null where nobody said so.", Null: true,
			Enum: field.Values(BeforePhoto, AfterPhoto)},
		{Name: "booking", Text: "Id of the booking that it is of; left out where it is of none."},
		{Name: "takenAt", Text: "When it was uploaded."},
		{Name: "author", Text: "Who uploaded it."},
	},
}

// MarshalJSON writes null for none.
func (k PhotoKind) MarshalJSON() ([]byte, error) {
	if k == "" {
		return []byte("null"), nil
	}
	return []byte(`"` + string(k) + `"`), nil
}

// FileInput says what an uploaded file is.
type FileInput struct {
	Name    string    // of the file; "" takes one of its kind
	Kind    PhotoKind // only of a picture
	Booking string    // the visit that it is of; "" is none
}

// FileData is what is kept of an uploaded file.
type FileData struct {
	mediaType string
	body      []byte
	small     []byte // a picture made small; nil of one that is small, and of a PDF file
	size      catalog.PictureSize
}
