package dash

import "daybook/views"

// PhotosCard has the photographs of the business, and a form for another one. The zero card shows nothing.
type PhotosCard struct {
	Action string // "" where there are as many as there may be
	Most   int
	Rows   []PhotoRow
}

// PhotoRow is one of them.
type PhotoRow struct {
	ID, Name  string
	Text      string // what it shows
	Image     views.Image
	Place, Of int
}

const (
	PhotosPath      = SettingsBrandPath + "/photos"
	PhotoUploadPath = PhotosPath + "/picture"
)

// PhotoPath says what a photo shows.
func PhotoPath(id string) string { return PhotosPath + "/" + id }

// PhotoMovePath moves a photo by so many places.
func PhotoMovePath(id string) string { return PhotoPath(id) + "/move" }

// PhotoRemovePath removes a photo.
func PhotoRemovePath(id string) string { return PhotoPath(id) + "/remove" }
