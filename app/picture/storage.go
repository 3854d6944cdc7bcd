package picture

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Reads finds pictures. Only PictureByHash and OldPictures find incomplete ones.
type Reads interface {
	// Pictures lists the workspace's, the newest first, from before that id; 0 begins with the newest.
	Pictures(ws catalog.WorkspaceID, before catalog.PictureID, limit int) ([]catalog.Picture, error)
	PictureByHash(ws catalog.WorkspaceID, hash string) (p catalog.Picture, complete bool, err error)
	// PictureData returns one width of a picture of any workspace.
	PictureData(hash string, width int) (catalog.PictureFormat, []byte, error)
	// PicturesTotal counts the workspace's pictures and the bytes of their widths.
	PicturesTotal(ws catalog.WorkspaceID) (bytes, count int, err error)
	// OldPictures lists pictures that were uploaded before that time, by workspace and hash, from behind the one that
	// is given.
	OldPictures(before when.Instant, after Old, limit int) ([]Old, error)
	// ProductPictures lists those that products show, which are no part of a Setup.
	ProductPictures(ws catalog.WorkspaceID) ([]catalog.PictureID, error)
}

// Writes saves pictures.
type Writes interface {
	InsertPicture(p *catalog.Picture) error // not complete; ErrTaken: the workspace has the hash
	// InsertPictureWidth adds a width, unless the picture has it already or was deleted.
	InsertPictureWidth(p *catalog.Picture, width int, data []byte) error
	CompletePicture(p *catalog.Picture) error // ErrNotFound: it is gone
	TouchPicture(p *catalog.Picture) error    // saves UploadedAt
	// DeletePicture deletes a picture with its widths, unless it was uploaded at or after that time, and reports
	// whether it did.
	DeletePicture(ws catalog.WorkspaceID, id catalog.PictureID, before when.Instant) (bool, error)
}

// Old is a picture that was not uploaded lately.
type Old struct {
	WorkspaceID catalog.WorkspaceID
	Hash        string
	ID          catalog.PictureID
	Complete    bool
}
