package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// Picture is an uploaded picture as it is stored: upright, without metadata, in one to three widths. It never changes;
// another one has another id and hash.
type Picture struct {
	ID          PictureID
	WorkspaceID WorkspaceID
	Hash        string // of all that is stored of it: letters and digits, its name in addresses
	Format      PictureFormat
	Sizes       []PictureSize // the narrowest first; at least one
	Bytes       int           // of all widths
	UploadedAt  when.Instant  // the last time
}

// PictureFormat is how the widths of a picture are stored.
type PictureFormat string

const (
	JPEG PictureFormat = "jpeg"
	PNG  PictureFormat = "png" // of pictures that are transparent somewhere
)

// Extension returns the end of the format's file names.
func (f PictureFormat) Extension() string {
	if f == PNG {
		return "png"
	}
	return "jpg"
}

// MediaType returns the format's name in HTTP.
func (f PictureFormat) MediaType() string { return "image/" + string(f) }

// PictureSize is one width of a picture, in pixels.
type PictureSize struct{ Width, Height int }

// PicturePath is the beginning of the paths of pictures. No workspace has a slug with an underscore.
const PicturePath = "/_p/"

// Widest returns the largest size.
func (p *Picture) Widest() PictureSize { return p.Sizes[len(p.Sizes)-1] }

// Path returns the path of one width on this server.
func (p *Picture) Path(width int) string {
	return PicturePath + p.Hash + "/" + strconv.Itoa(width) + "." + p.Format.Extension()
}

// PreviewExtension is the end of the paths of previews.
const PreviewExtension = "preview.jpg"

// PreviewPath returns the path of the picture as previews of links show it. What is transparent somewhere is most likely
// a logo, and isn't cut.
func (p *Picture) PreviewPath() string {
	width := p.Widest().Width
	if p.Format != JPEG {
		return p.Path(width)
	}
	return PicturePath + p.Hash + "/" + strconv.Itoa(width) + "." + PreviewExtension
}

// Src returns the path of the narrowest width that has at least so many pixels, or of the widest.
func (p *Picture) Src(pixels int) string {
	for _, size := range p.Sizes {
		if size.Width >= pixels {
			return p.Path(size.Width)
		}
	}
	return p.Path(p.Widest().Width)
}

// SrcSet returns the value of the HTML attribute srcset, with all widths.
func (p *Picture) SrcSet() string {
	var all []string
	for _, size := range p.Sizes {
		all = append(all, fmt.Sprintf("%s %dw", p.Path(size.Width), size.Width))
	}
	return strings.Join(all, ", ")
}

// Picture returns a picture that the workspace shows: its logo, a photo, or that of a host or an event type. It returns
// nil for 0 and for a deleted picture.
func (s *Setup) Picture(id PictureID) *Picture { return s.pictures[id] }

// Logo returns the path or the https address of the workspace's logo; "" if it has none.
func (s *Setup) Logo() string {
	if p := s.Picture(s.Workspace.Settings.Logo); p != nil {
		return p.Src(320)
	}
	return s.Workspace.Settings.LogoURL
}

// ShownPictures returns the ids of the pictures that the workspace shows.
func (s *Setup) ShownPictures() (all []PictureID) {
	add := func(id PictureID) {
		if id != 0 {
			all = append(all, id)
		}
	}
	add(s.Workspace.Settings.Logo)
	for _, p := range s.Workspace.Settings.Photos {
		add(p.Picture)
	}
	for i := range s.Hosts {
		add(s.Hosts[i].Picture)
	}
	for i := range s.EventTypes {
		add(s.EventTypes[i].Picture)
	}
	return all
}

// ShowPictures makes the pictures known to Picture.
func (s *Setup) ShowPictures(all []Picture) {
	s.pictures = make(map[PictureID]*Picture, len(all))
	for i := range all {
		s.pictures[all[i].ID] = &all[i]
	}
}

// PictureFields describes the fields of pictures.
var PictureFields = field.Resource{
	Text: "An uploaded picture.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the picture.", Example: "pic_1p4s8yvz00n1b"},
		{Name: "url", Text: "Address of its widest size. It never changes and may be kept for ever."},
		{Name: "width", Text: "Width of the widest size, in pixels."},
		{Name: "height", Text: "Height of the widest size, in pixels."},
		{Name: "widths", Text: "All widths that it has. The address of another one is `url` with that width as the name of " +
			"the file."},
		{Name: "createdAt", Text: "When it was uploaded."},
	},
}

// CheckPicture returns bad_request for a picture unless the workspace has it; 0 means none. A caller that saves a
// reference to the picture must have locked the workspace, so that it isn't deleted meanwhile.
func CheckPicture(r interface {
	Picture(ws WorkspaceID, id PictureID) (Picture, error)
}, ws WorkspaceID, field string, id PictureID) error {
	if id == 0 {
		return nil
	}
	_, err := r.Picture(ws, id)
	return fault.OrMissing(err, fault.Invalid(field, "there is no picture %s in this workspace: upload it first", id))
}
