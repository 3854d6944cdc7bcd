package settings

import (
	"net/url"
	"slices"

	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/views/dash"
)

const pdf = "application/pdf"

// pictured fills in the photographs and files of the customer, and the form that adds one.
func (k *card) pictured(v *dash.ContactPage, s *cardState) error {
	n := fault.MaxPage
	page, err := k.Subjects.People.Files(k.Context(), k.Actor, k.id, &n, "")
	if err != nil {
		return err
	}
	for i := range page.Data {
		f := &page.Data[i]
		if f.MediaType == pdf {
			v.Files = append(v.Files, k.file(f))
		} else {
			v.Photos = append(v.Photos, k.photo(f))
		}
	}
	for from, to := 0, 0; from < len(v.Photos); from = to { // those of one day as they were taken: before, then after
		for to = from + 1; to < len(v.Photos) && v.Photos[to].Day == v.Photos[from].Day; to++ {
		}
		slices.Reverse(v.Photos[from:to])
	}
	if !k.writes {
		return nil
	}
	form := &dash.FileForm{Action: dash.CardFilesPath(k.id), Problem: k.Sentence(s.fileWrong)}
	if len(page.Data) >= contact.MaxFiles {
		form.Full = k.T("card_files_full", "Count", contact.MaxFiles)
	}
	if k.today != nil {
		form.VisitID, form.Visit = k.today.ID.String(), k.TypeTitle(k.today)+", "+k.Clock(k.today.Start)
		form.Kind = string(contact.BeforePhoto) // the first of a visit; the next shows what was done
		if slices.ContainsFunc(page.Data, func(f contact.File) bool { return f.Booking == k.today.ID && f.Width > 0 }) {
			form.Kind = string(contact.AfterPhoto)
		}
	}
	if s.file != nil {
		form.Kind = s.file.Get("kind")
	}
	v.Upload = form
	return nil
}

func (k *card) photo(f *contact.File) dash.Photo {
	id := f.ID.String()
	v := dash.Photo{ID: id, Small: dash.CardSmallPath(k.id, id), URL: dash.CardFilePath(k.id, id), Width: f.Width, Height: f.Height,
		Kind: k.T("card_photo"), Day: k.Day(k.At(f.TakenAt)), Author: k.Author(f.Author)}
	v.Visit, _ = k.visitOf(f.Booking)
	switch f.Kind {
	case contact.BeforePhoto:
		v.Kind = k.T("card_before")
	case contact.AfterPhoto:
		v.Kind = k.T("card_after")
	}
	if f.Deletable {
		v.Delete = &dash.Danger{Title: k.T("card_delete"), Text: k.T("card_photo_delete_text"), Submit: k.T("card_photo_delete_do"),
			Action: dash.CardFileDeletePath(k.id, id)}
	}
	return v
}

func (k *card) file(f *contact.File) dash.CardFile {
	id := f.ID.String()
	v := dash.CardFile{Name: f.Name, URL: dash.CardFilePath(k.id, id), Day: k.Day(k.At(f.TakenAt)), Author: k.Author(f.Author)}
	v.Visit, _ = k.visitOf(f.Booking)
	if f.Deletable {
		v.Delete = &dash.Danger{Title: k.T("card_delete"), Text: k.T("card_file_delete_text", "Name", f.Name),
			Submit: k.T("card_file_delete_do"), Action: dash.CardFileDeletePath(k.id, id)}
	}
	return v
}

func (c call) addFile() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	body, name, err := c.Uploaded(dash.FileField)
	if err == nil && body == nil {
		err = fault.Invalid(dash.FileField, "choose a photo or a file")
	}
	var data *contact.FileData
	if err == nil {
		data, err = c.Subjects.People.ReadFile(c.Context(), c.Actor, body)
	}
	in := contact.FileInput{Name: name, Kind: contact.PhotoKind(c.FormValue("kind")), Booking: c.FormValue("booking")}
	if err == nil {
		_, err = c.Subjects.People.AddFile(c.Context(), c.Actor, c.PathValue("id"), in, data)
	}
	if e := fault.As(err); e != nil && e.Code != fault.NotFound && e.Code != fault.Forbidden {
		return c.showCard(&x, cardState{file: url.Values{"kind": {string(in.Kind)}}, fileWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(x.ID.String()), "saved")
}

// sendFile sends a file as one to be saved, whatever a browser takes it for, which doesn't matter to the pictures of a card.
func (c call) sendFile() error {
	f, body, err := c.Subjects.People.File(c.Context(), c.Actor, c.PathValue("id"), c.PathValue("file"),
		c.URL.Query().Has("small"))
	if err != nil {
		return err
	}
	serve.Attach(c.Header(), f.MediaType, f.Name)
	c.Header().Set("Cache-Control", "private, no-store")
	_, err = c.ResponseWriter.Write(body)
	return err
}

func (c call) deleteFile() error {
	id := c.PathValue("id")
	if err := c.Subjects.People.DeleteFile(c.Context(), c.Actor, id, c.PathValue("file")); err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(id), "deleted")
}
