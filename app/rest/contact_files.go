package rest

import (
	"net/http"
	"slices"

	"daybook/app"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/picture"
	"daybook/app/rest/openapi"
)

// filesMedia are the media types of customers' files.
var filesMedia = append(slices.Clone(picture.MediaTypes), "application/pdf")

var listFiles = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}/files", ID: "listContactFiles", Tag: "Contacts",
	Summary:   "List a customer's files",
	Text:      "Lists the photographs and PDF files of a customer, the latest first.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of files.", Body: fault.Page[contact.File]{}, Lists: "files"}},
	Errors:    []openapi.Error{missing("contact"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.People.Files(c.ctx, c.actor, c.id(), c.query.number("limit"), c.query.text("cursor")))
},
}

var uploadFile = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/contacts/{id}/files", ID: "uploadContactFile", Tag: "Contacts",
	Summary: "Upload a photograph or file of a customer",
	Text: "Takes a JPEG, PNG or WebP picture of at most 10 MB and 24 million pixels as the body, and keeps it upright, " +
		"without metadata, re-encoded to at most 300 kB; or a PDF file of at most 5 MB, which is kept as it is. It gets no " +
		"public address. A customer has at most 50 files, a workspace 200 MB of them unless whoever runs the server allows more.",
	Params: []openapi.Param{
		{Name: "name", MaxLength: contact.MaxFileName, Text: "Name of the file, for saving it.", Example: "after.jpg"},
		{Name: "kind", Enum: []string{string(contact.BeforePhoto), string(contact.AfterPhoto)},
			Text: "Whether the photograph was taken before or after.", Example: "after"},
		{Name: "booking", MaxLength: maxID, Text: "Id of the booking that it is of, one of this contact."},
		dryRunParam,
	},
	Media: filesMedia, MaxBytes: picture.MaxFile, Another: true,
	Successes: []openapi.Success{{Status: 201, Text: "The new file.", Body: contact.File{}, Location: "The file."}},
	Errors: []openapi.Error{missing("contact"), lacks("contacts"),
		{Code: fault.BadRequest, Text: "`details.reason` is `not_a_picture`: the file is of another kind, whatever its " +
			"Content-Type says, or damaged; `animated`; or `too_many_pixels`."},
		{Code: fault.Conflict, Text: "`details.reason` is `too_many_files`: `details.limit` says how many a customer may have, or " +
			"how many bytes the workspace."},
		{Code: fault.PayloadTooLarge, Text: "The picture is larger than 10 MB, or the PDF file than 5 MB."},
		{Code: fault.UnsupportedMediaType, Text: "The Content-Type is none of those that are taken."},
		{Code: fault.Unavailable, Text: "Nothing was done: `details.reason` is `busy` where too many pictures are being " +
			"uploaded, or `database`. Wait `Retry-After` seconds, then try again."},
	},
}, prepare: func(d *door, c *call) (err error) {
	if len(c.body) == 0 {
		return fault.Invalid("body", "send the file as the body")
	}
	c.file, err = d.People.ReadFile(c.ctx, c.actor, c.body)
	return err
}, handle: func(d *door, c *call) (app.Response, error) {
	f, err := d.People.AddFile(c.ctx, c.actor, c.id(), contact.FileInput{Name: c.query.text("name"),
		Kind: contact.PhotoKind(c.query.text("kind")), Booking: c.query.text("booking")}, c.file)
	answer, err := encoded(f, err)
	if err == nil {
		answer.Status = http.StatusCreated
		answer.Location = d.BaseURL() + prefix + "/v1/contacts/" + c.id() + "/files/" + f.ID.String()
	}
	return answer, err
},
}

var getFile = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}/files/{file}", ID: "getContactFile", Tag: "Contacts",
	Summary:   "Retrieve what is known of a customer's file",
	Text:      "Answers what a file is. Its bytes are at its `content`.",
	Successes: []openapi.Success{{Status: 200, Text: "The file.", Body: contact.File{}}},
	Errors:    []openapi.Error{missing("contact or file"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.People.FileInfo(c.ctx, c.actor, c.id(), c.part("file")))
},
}

var getFileContent = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/contacts/{id}/files/{file}/content", ID: "getContactFileContent", Tag: "Contacts",
	Summary: "Download a customer's file",
	Text:    "Answers the bytes of a file, as an attachment.",
	Params: []openapi.Param{{Name: "small", Kind: "boolean", Default: false,
		Text: "A picture at most 320 pixels wide. A PDF file has none: 404."}},
	Successes: []openapi.Success{{Status: 200, Text: "The bytes of the file.",
		Media: []string{"image/jpeg", "image/png", "application/pdf"}}},
	Errors: []openapi.Error{missing("contact or file"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	f, data, err := d.People.File(c.ctx, c.actor, c.id(), c.part("file"), c.query.flag("small"))
	return app.Response{Status: http.StatusOK, Body: data, Media: f.MediaType, Name: f.Name}, err
},
}

var deleteFile = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/contacts/{id}/files/{file}", ID: "deleteContactFile", Tag: "Contacts",
	Summary:   "Delete a customer's file",
	Text:      "Deletes a photograph or file: whoever uploaded it within 24 hours, owners and managers always, so a key always.",
	Successes: []openapi.Success{{Status: 204, Text: "It is gone."}},
	Errors:    []openapi.Error{missing("contact or file"), lacks("contacts")},
}, handle: func(d *door, c *call) (app.Response, error) {
	return gone, d.People.DeleteFile(c.ctx, c.actor, c.id(), c.part("file"))
},
}
