package web

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/picture"
	"daybook/views"
	"daybook/views/dash"
)

// PictureCard returns the part of a page by which a picture is uploaded and removed; the zero card for who may not,
// which shows nothing. action is the path that the file is posted to, name is what the picture shows.
func (c *Call) PictureCard(title, name, action string, id catalog.PictureID) dash.PictureCard {
	if !c.May(app.MayManagePictures) {
		return dash.PictureCard{}
	}
	card := dash.PictureCard{Title: title, Action: action}
	if p := c.Setup.Picture(id); p != nil {
		card.RemoveURL = action + "/remove"
		card.Image = Image(p, name)
	}
	return card
}

// Image shows a picture; alt says what it shows, and is "" beside its name.
func Image(p *catalog.Picture, alt string) views.Image {
	widest := p.Widest()
	return views.Image{Src: p.Src(320), SrcSet: p.SrcSet(), Width: widest.Width, Height: widest.Height, Alt: alt}
}

// Portrait returns the picture of a host, or their initials.
func (c *Call) Portrait(h *catalog.Host) dash.Portrait {
	p := dash.Portrait{Initials: views.Monogram(h.Name)}
	if picture := c.Setup.Picture(h.Picture); picture != nil {
		p.Image = Image(picture, "")
	}
	return p
}

// HostPortrait returns that of the host who leads a booking; none of one who has left.
func (c *Call) HostPortrait(b *booking.Booking) dash.Portrait {
	if h := c.Setup.Host(b.Host.ID); h != nil {
		return c.Portrait(h)
	}
	return dash.Portrait{}
}

// TakePicture keeps the picture in the posted form, and has show save which one it is. An error that the form can show
// is kept in PictureWrong, and then it is false.
func (c *Call) TakePicture(show func(catalog.PictureID) error) (taken bool, err error) {
	id, err := c.uploadedPicture()
	if err == nil {
		err = show(id)
	}
	if e := fault.As(err); e != nil && e.Code != fault.NotFound && e.Code != fault.Forbidden {
		c.PictureWrong = e
		return false, nil
	}
	return err == nil, err
}

func (c *Call) uploadedPicture() (catalog.PictureID, error) {
	data, _, err := c.Uploaded(dash.PictureField)
	if err != nil {
		return 0, err
	}
	if data == nil {
		return 0, fault.Invalid(dash.PictureField, "choose a picture")
	}
	p, _, err := c.Subjects.Pictures.Upload(c.Context(), c.Actor, data)
	return p.ID, err
}

// Uploaded returns the first file of a field of the posted form, with the name that it was chosen by; nil where none was,
// or the form is none.
func (c *Call) Uploaded(field string) (data []byte, name string, err error) {
	file, header, err := c.FormFile(field)
	if errors.As(err, new(*http.MaxBytesError)) {
		return nil, "", picture.ErrTooLarge
	}
	if fault.As(err) != nil { // such as a body that stopped coming
		return nil, "", err
	}
	if err != nil {
		return nil, "", nil
	}
	defer file.Close()
	data, err = io.ReadAll(file)
	return data, header.Filename, err
}

// PictureProblem returns what was wrong with an uploaded picture, in words; "" is nothing.
func (c *Call) PictureProblem() string {
	if c.PictureWrong == nil {
		return ""
	}
	return c.Sentence(c.PictureWrong)
}

// PostedFile returns the content of the posted form and of its file, which may be the last field only; nil is none. A
// file that is too large is told of in PictureWrong, with which no file is read: what stands before it comes anyway.
func (c *Call) PostedFile() (form url.Values, file []byte, err error) {
	parts, err := c.MultipartReader()
	if err != nil {
		form, err = c.Posted()
		return oneLineEnd(form), nil, err
	}
	form = url.Values{}
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			c.PictureWrong = nil // there was no room for a file, and none came
			return oneLineEnd(form), file, nil
		}
		isFile := err == nil && p.FileName() != ""
		if isFile && c.PictureWrong != nil {
			return oneLineEnd(form), nil, nil
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(p)
		}
		switch {
		case isFile && (errors.As(err, new(*http.MaxBytesError)) || len(content) > picture.MaxFile):
			c.PictureWrong = picture.ErrTooLarge
			return oneLineEnd(form), nil, nil
		case fault.As(err) != nil: // such as a body that stopped coming
			return nil, nil, err
		case err != nil:
			return nil, nil, fault.New(fault.BadRequest, "", "The form could not be read, or is too large.")
		case isFile:
			file = content
		default:
			form.Add(p.FormName(), string(content))
		}
	}
}

// oneLineEnd returns the form with lines that end as others than browsers write them, so that a text comes back as it was.
func oneLineEnd(form url.Values) url.Values {
	for _, all := range form {
		for i := range all {
			all[i] = strings.ReplaceAll(all[i], "\r\n", "\n")
		}
	}
	return form
}
