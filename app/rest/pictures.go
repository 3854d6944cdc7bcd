package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/picture"
	"daybook/app/rest/openapi"
)

var uploadPicture = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/pictures", ID: "uploadPicture", Tag: "Pictures",
	Summary: "Upload a picture",
	Text: "Takes a JPEG, PNG or WebP file of at most 10 MB and 24 million pixels as the body, and keeps it upright, " +
		"without metadata, in up to three widths of at most 300 kB: as JPEG, or as PNG where it is transparent. Name its " +
		"`id` as the `picture` of a host, an event type or a product, or as the logo; a picture that nothing shows is deleted in the " +
		"night, once it is a day old. A workspace has at most 50 MB of pictures. The same picture again is the one that " +
		"there is, with 200.",
	Params: []openapi.Param{dryRunParam},
	Media:  picture.MediaTypes, MaxBytes: picture.MaxFile,
	Successes: []openapi.Success{
		{Status: 201, Text: "The new picture.", Body: picture.Picture{}, Location: "The picture."},
		{Status: 200, Text: "The workspace has this picture already.", Body: picture.Picture{}},
	},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "`details.reason` is `not_a_picture`: the file is of another kind, whatever its " +
			"Content-Type says, or damaged; `animated`; or `too_many_pixels`."},
		{Code: fault.Conflict, Text: "`details.reason` is `too_many_pictures`: the workspace has as many as it may."},
		{Code: fault.PayloadTooLarge, Text: "The file is larger than 10 MB."},
		{Code: fault.UnsupportedMediaType, Text: "The Content-Type is none of `image/jpeg`, `image/png` and `image/webp`."},
		{Code: fault.Unavailable, Text: "Nothing was done: `details.reason` is `busy` where too many pictures are being " +
			"uploaded, or `database`. Wait `Retry-After` seconds, then try again."},
	},
}, prepare: func(d *door, c *call) (err error) {
	if len(c.body) == 0 {
		return fault.Invalid("body", "send the file as the body")
	}
	c.picture, err = d.Pictures.Convert(c.ctx, c.actor, c.body)
	return err
}, handle: func(d *door, c *call) (app.Response, error) {
	p, made, err := d.Pictures.Save(c.ctx, c.actor, c.picture)
	answer, err := encoded(p, err)
	if made && err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/pictures/"+p.ID.String()
	}
	return answer, err
},
}

var listPictures = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/pictures", ID: "listPictures", Tag: "Pictures",
	Summary:   "List pictures",
	Text:      "Lists the workspace's uploaded pictures, the latest first.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of pictures.", Body: fault.Page[picture.Picture]{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Pictures.Pictures(c.ctx, c.actor, c.query.number("limit"), c.query.text("cursor")))
},
}

var getPicture = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/pictures/{id}", ID: "getPicture", Tag: "Pictures",
	Summary:   "Retrieve a picture",
	Text:      "Answers one picture. The picture itself is at its `url`, for everybody.",
	Successes: []openapi.Success{{Status: 200, Text: "The picture.", Body: picture.Picture{}}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such picture in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Pictures.Picture(c.ctx, c.actor, c.id()))
},
}

var deletePicture = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/pictures/{id}", ID: "deletePicture", Tag: "Pictures",
	Summary:   "Delete a picture",
	Text:      "Deletes a picture that nothing shows. Browsers that have seen it may keep it.",
	Successes: []openapi.Success{{Status: 204, Text: "It is gone."}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such picture in the workspace."},
		{Code: fault.Conflict, Text: "`details.reason` is `picture_in_use`: it is the logo, a photo, or that of a host, an event " +
			"type or a product."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	return app.Response{Status: http.StatusNoContent}, d.Pictures.Delete(c.ctx, c.actor, c.id())
},
}
