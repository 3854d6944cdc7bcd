package shop

import (
	"daybook/app"
	"daybook/app/catalog"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	ProductReads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	ProductReads
	ProductWrites
}

// ProductReads finds products.
type ProductReads interface {
	// Product returns a product, whether it is on sale or not. Errors: ErrNotFound.
	Product(ws catalog.WorkspaceID, id catalog.ProductID) (catalog.Product, error)
	ProductByNumber(ws catalog.WorkspaceID, number string) (catalog.Product, error) // ErrNotFound
	ProductByName(ws catalog.WorkspaceID, name string) (catalog.Product, error)     // ErrNotFound
	// Products lists those of a workspace, by name. Errors: bad_request, where f.After is gone.
	Products(ws catalog.WorkspaceID, f catalog.ProductFilter) ([]catalog.Product, error)
	CountProducts(ws catalog.WorkspaceID) (int, error) // of those that are on sale
	PicturesWithin(ws catalog.WorkspaceID, ids []catalog.PictureID) ([]catalog.Picture, error)
}

// ProductWrites saves products. A change of one begins with the lock of the workspace.
type ProductWrites interface {
	InsertProduct(p *catalog.Product) error // ErrTaken: name or number
	// UpdateProduct saves all of it but the stock. Errors: ErrNotFound; ErrTaken: name or number.
	UpdateProduct(p *catalog.Product) error
	SetStock(ws catalog.WorkspaceID, id catalog.ProductID, stock *int64) error // nil isn't counted any more
	// DeleteProduct deletes one that was never sold, and reports whether it did.
	DeleteProduct(ws catalog.WorkspaceID, id catalog.ProductID) (bool, error)
	// AddToStock adds so many pieces to what there is, below zero for what is sold, which keeps the product from being
	// deleted. It counts nothing where the stock isn't counted, and does nothing where the product is gone. Its row is
	// locked until the transaction ends: who sells several goes by their ids.
	AddToStock(ws catalog.WorkspaceID, id catalog.ProductID, delta int64) error
}
