package store

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/shop"
	"daybook/store/engine"
)

// What package shop reads and writes besides what the core does is here.
var (
	_ shop.Reader = queries{}
	_ shop.Reader = tx{}
	_ shop.Tx     = tx{}
)

const (
	products = `SELECT id, name, number, amount, currency, tax_rate, picture_id, stock, active, sold, created_ms, pass FROM products
		WHERE workspace_id = ?`
	oneProduct      = products + ` AND id = ?`
	numberedProduct = products + ` AND number_key = ?`
	namedProduct    = products + ` AND name_key = ?`
	productPictures = `SELECT DISTINCT picture_id FROM products WHERE workspace_id = ? AND picture_id IS NOT NULL`
	countProducts   = `SELECT COUNT(*) FROM products WHERE workspace_id = ? AND active = 1`
	insertProduct   = `INSERT INTO products (workspace_id, id, created_ms, name, name_key, number, number_key, sought, amount,
		currency, tax_rate, picture_id, active, pass, stock) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	updateProduct = `UPDATE products SET name = ?, name_key = ?, number = ?, number_key = ?, sought = ?, amount = ?,
		currency = ?, tax_rate = ?, picture_id = ?, active = ?, pass = ? WHERE workspace_id = ? AND id = ?`
	// One that isn't counted is written only when it is sold for the first time.
	addToStock = `UPDATE products SET stock = stock + CAST(? AS BIGINT), sold = CASE WHEN CAST(? AS BIGINT) < 0 THEN 1 ELSE sold END
		WHERE workspace_id = ? AND id = ? AND (stock IS NOT NULL OR sold = 0)`
)

// sought returns the name and the number of a product as a search finds them. Lists are in their order.
func sought(p *catalog.Product) string {
	return contact.FoldSearch(p.Name) + "\n" + contact.FoldSearch(p.Number)
}

func scanProduct(ws catalog.WorkspaceID) func(func(...any) error) (catalog.Product, error) {
	return func(scan func(...any) error) (catalog.Product, error) {
		p, pass := catalog.Product{WorkspaceID: ws}, ""
		err := scan(&p.ID, &p.Name, &p.Number, &p.Price.Amount, &p.Price.Currency, &p.TaxRate, engine.OrZero(&p.Picture), &p.Stock,
			&p.Active, &p.Sold, &p.CreatedAt, engine.OrZero(&pass))
		if err == nil && pass != "" {
			err = json.Unmarshal([]byte(pass), &p.Pass)
		}
		return p, engine.Found(err)
	}
}

// Product returns a product, whether it is on sale or not. Errors: ErrNotFound.
func (q queries) Product(ws catalog.WorkspaceID, id catalog.ProductID) (catalog.Product, error) {
	return scanProduct(ws)(q.One(oneProduct, ws, id))
}

func (q queries) ProductByNumber(ws catalog.WorkspaceID, number string) (catalog.Product, error) {
	return scanProduct(ws)(q.One(numberedProduct, ws, catalog.ProductKey(number)))
}

func (q queries) ProductByName(ws catalog.WorkspaceID, name string) (catalog.Product, error) {
	return scanProduct(ws)(q.One(namedProduct, ws, catalog.ProductKey(name)))
}

func (q queries) Products(ws catalog.WorkspaceID, f catalog.ProductFilter) ([]catalog.Product, error) {
	var after string
	if f.After != 0 {
		last, err := q.Product(ws, f.After)
		if err != nil {
			if errors.Is(err, fault.ErrNotFound) {
				err = fault.BadCursor()
			}
			return nil, err
		}
		after = sought(&last)
	}
	query, args := listProducts(ws, f, after)
	return engine.List(q, scanProduct(ws), query, args...)
}

// listProducts writes the SELECT of Products; after is what sought returns for f.After.
func listProducts(ws catalog.WorkspaceID, f catalog.ProductFilter, after string) (string, []any) {
	query, args := products+` AND active = ?`, []any{ws, engine.Bit(!f.Archived)}
	if f.Number != "" {
		query, args = query+` AND number_key = ?`, append(args, catalog.ProductKey(f.Number))
	}
	for word := range strings.FieldsSeq(contact.FoldSearch(f.Text)) {
		query, args = query+` AND sought LIKE ? ESCAPE '\'`, append(args, "%"+literally.Replace(word)+"%")
	}
	if f.After != 0 {
		query, args = query+` AND (sought, id) > (?, ?)`, append(args, after, f.After)
	}
	return query + ` ORDER BY sought, id LIMIT ?`, append(args, f.Limit)
}

// literally takes from the signs of LIKE what they mean.
var literally = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// ProductPictures implements picture.Reads.
func (q queries) ProductPictures(ws catalog.WorkspaceID) ([]catalog.PictureID, error) {
	return engine.List(q, func(scan func(...any) error) (id catalog.PictureID, err error) { return id, scan(&id) },
		productPictures, ws)
}

// HasOtherRate implements counter.Reads.
func (q queries) HasOtherRate(ws catalog.WorkspaceID, than money.Rate) (has bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM products WHERE workspace_id = ? AND active = 1 AND pass IS NULL AND tax_rate <> ?)`, []any{ws, int64(than)}, &has)
	return has, err
}

func (q queries) CountProducts(ws catalog.WorkspaceID) (n int, err error) {
	err = q.Scan(countProducts, []any{ws}, &n)
	return n, err
}

func (t tx) InsertProduct(p *catalog.Product) error {
	_, err := t.Exec(insertProduct, slices.Concat([]any{p.WorkspaceID, p.ID, p.CreatedAt}, productColumns(p), []any{countOrNull(p.Stock)})...)
	return engine.Free(err)
}

func (t tx) UpdateProduct(p *catalog.Product) error {
	n, err := t.Exec(updateProduct, append(productColumns(p), p.WorkspaceID, p.ID)...)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return engine.Free(err)
}

// SetStock is apart from UpdateProduct, which would undo what is sold meanwhile.
func (t tx) SetStock(ws catalog.WorkspaceID, id catalog.ProductID, stock *int64) error {
	_, err := t.Exec(`UPDATE products SET stock = ? WHERE workspace_id = ? AND id = ?`, countOrNull(stock), ws, id)
	return err
}

// productColumns returns what a change may change.
func productColumns(p *catalog.Product) []any {
	return []any{p.Name, catalog.ProductKey(p.Name), p.Number, engine.OrNull(catalog.ProductKey(p.Number)), sought(p),
		p.Price.Amount, p.Price.Currency, countOrNull(p.TaxRate), engine.OrNull(p.Picture), engine.Bit(p.Active), termsOrNull(p.Pass)}
}

func termsOrNull(p *catalog.PassTerms) any {
	if p == nil {
		return nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it has numbers only
	}
	return string(text)
}

func countOrNull[T ~int64](n *T) any {
	if n == nil {
		return nil
	}
	return int64(*n)
}

func (t tx) DeleteProduct(ws catalog.WorkspaceID, id catalog.ProductID) (deleted bool, err error) {
	n, err := t.Exec(`DELETE FROM products WHERE workspace_id = ? AND id = ? AND sold = 0`, ws, id)
	return n > 0, err
}

func (t tx) AddToStock(ws catalog.WorkspaceID, id catalog.ProductID, delta int64) error {
	_, err := t.Exec(addToStock, delta, delta, ws, id)
	return err
}
