package dash

import "daybook/views"

// PictureField is the name of a form's file input for a picture.
const PictureField = "picture"

// Portrait is the picture of somebody of the team, or the initials that stand for it. The zero Portrait shows nothing.
type Portrait struct {
	Image    views.Image
	Initials string
}

// PictureCard is a form that uploads a picture and one that removes it. The zero card shows nothing.
type PictureCard struct {
	Title     string
	Action    string
	RemoveURL string      // "" without a picture
	Image     views.Image // the present one
}
