package dash

import "daybook/views"

// PictureField is the name of a form's file input for a picture.
const PictureField = "picture"

// PictureCard is a form that uploads a picture and one that removes it. The zero card shows nothing.
type PictureCard struct {
	Title     string
	Action    string
	RemoveURL string      // "" without a picture
	Image     views.Image // the present one
}
