package shop

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// Product returns one product, on sale or not. Errors: forbidden, not_found.
func (s *Service) Product(ctx context.Context, a app.Actor, ref string) (catalog.Product, error) {
	if err := a.May(app.MaySeeProducts); err != nil {
		return catalog.Product{}, err
	}
	return findProduct(s.Reader(ctx), a, ref)
}

// Products lists those that are on sale by name, or those that are archived. f.After and f.Limit are ignored. Errors:
// forbidden, bad_request.
func (s *Service) Products(ctx context.Context, a app.Actor, f catalog.ProductFilter, limit *int, cursor string) (
	page fault.Page[catalog.Product], err error) {
	if err := a.May(app.MaySeeProducts); err != nil {
		return page, err
	}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return page, err
	}
	if f.Text, err = fault.CheckLine("q", f.Text, 0, fault.MaxSearch); err != nil {
		return page, err
	}
	list := fault.List{"products", f.Text, f.Number}
	if f.Archived {
		list = append(list, "archived")
	}
	f.After, f.Limit = 0, n+1
	if cursor != "" {
		var after int64
		if err := list.Read(cursor, &after); err != nil {
			return page, err
		}
		f.After = catalog.ProductID(after)
	}
	rows, err := s.Reader(ctx).Products(a.Workspace, f)
	return fault.PageOf(rows, n, func(p *catalog.Product) string { return list.Cursor(int64(p.ID)) }), err
}

// PicturesOf returns the pictures of products, by their ids. Errors: forbidden.
func (s *Service) PicturesOf(ctx context.Context, a app.Actor, products []catalog.Product) (
	map[catalog.PictureID]catalog.Picture, error) {
	if err := a.May(app.MaySeeProducts); err != nil {
		return nil, err
	}
	var ids []catalog.PictureID
	for i := range products {
		if products[i].Picture != 0 {
			ids = append(ids, products[i].Picture)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := s.Reader(ctx).PicturesWithin(a.Workspace, ids)
	all := make(map[catalog.PictureID]catalog.Picture, len(found))
	for _, p := range found {
		all[p.ID] = p
	}
	return all, err
}

// ChangeProduct changes a product as it is in the same transaction, so that two people who change different parts of it
// don't overwrite each other; what is sold meanwhile is counted unless change sets another stock. With "" it makes a new
// one, on sale. Errors: forbidden, not_found, bad_request, conflict name_taken, number_taken or too_many_products, and those
// of change.
func (s *Service) ChangeProduct(ctx context.Context, a app.Actor, ref string,
	change func(*catalog.Setup, *catalog.Product) error) (p catalog.Product, err error) {
	if err := a.May(app.MayManageProducts); err != nil {
		return p, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		old := catalog.Product{Price: money.Money{Currency: setup.Workspace.Currency}, Active: true}
		if ref != "" {
			if old, err = findProduct(tx, a, ref); err != nil {
				return err
			}
		}
		p = old
		if err := change(setup, &p); err != nil {
			return err
		}
		p.ID, p.WorkspaceID, p.CreatedAt, p.Sold = old.ID, a.Workspace, old.CreatedAt, old.Sold
		if err := p.Check("product"); err != nil {
			return err
		}
		if err := p.Pass.Known("product.pass", func(e catalog.EventTypeID) bool { return setup.EventTypeByID(e) != nil }); err != nil {
			return err
		}
		return s.saveProduct(tx, a, &old, &p)
	})
	return p, err
}

// saveProduct saves a checked product in place of old, which is new without an id.
func (s *Service) saveProduct(tx Tx, a app.Actor, old, p *catalog.Product) error {
	if err := productTaken(tx, p); err != nil {
		return err
	}
	if p.Picture != old.Picture {
		if err := catalog.CheckPicture(tx, a.Workspace, "product.picture", p.Picture); err != nil {
			return err
		}
	}
	if p.Active && (old.ID == 0 || !old.Active) {
		if n, err := tx.CountProducts(a.Workspace); err != nil {
			return err
		} else if n >= catalog.MaxProducts {
			return fault.Conflictf("too_many_products", "A workspace has at most %d products on sale. Archive some that aren't sold any more.",
				catalog.MaxProducts)
		}
	}
	if old.ID == 0 {
		now := s.Core.Now()
		p.ID, p.CreatedAt = id.New[catalog.ProductIDKind](now), when.At(now)
		if err := tx.InsertProduct(p); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ProductCreated, Subject: p.ID.String()})
	}
	if err := tx.UpdateProduct(p); err != nil {
		return err
	}
	if !sameStock(old.Stock, p.Stock) {
		if err := tx.SetStock(a.Workspace, p.ID, p.Stock); err != nil {
			return err
		}
	}
	fields, err := audit.Changed("", old, p)
	if err != nil || len(fields) == 0 {
		return err
	}
	e := audit.Entry{Action: audit.ProductChanged, Subject: p.ID.String(), Fields: fields}
	if old.Active && !p.Active {
		e.Action = audit.ProductArchived
	}
	return audit.Note(tx, s.Now(), a, e)
}

func sameStock(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// productTaken returns the conflict of a product whose name or number another one has.
func productTaken(tx Tx, p *catalog.Product) error {
	other, err := tx.ProductByName(p.WorkspaceID, p.Name)
	if err == nil && other.ID != p.ID {
		return fault.New(fault.Conflict, "name_taken", "There is a product %s already.", other.Name).At("product.name")
	}
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if p.Number == "" {
		return nil
	}
	other, err = tx.ProductByNumber(p.WorkspaceID, p.Number)
	if err == nil && other.ID != p.ID {
		return fault.New(fault.Conflict, "number_taken", "%s has this number already.", other.Name).At("product.number")
	}
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	return err
}

// DeleteProduct deletes a product if all checks, which get it as it is, return nil. One that was sold is archived instead, and
// stays readable; kept reports whether it was. Errors: forbidden, not_found and those of checks.
func (s *Service) DeleteProduct(ctx context.Context, a app.Actor, ref string, checks ...func(*catalog.Product) error) (
	kept bool, err error) {
	if err := a.May(app.MayManageProducts); err != nil {
		return false, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		old, err := findProduct(tx, a, ref)
		if err != nil {
			return err
		}
		if err := fault.Agree(&old, checks); err != nil {
			return err
		}
		deleted, err := tx.DeleteProduct(a.Workspace, old.ID)
		if kept = !deleted; err != nil {
			return err
		}
		if deleted {
			return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.ProductDeleted, Subject: old.ID.String()})
		}
		p := old
		p.Active = false
		return s.saveProduct(tx, a, &old, &p)
	})
	return kept, err
}

func findProduct(r Reader, a app.Actor, ref string) (catalog.Product, error) {
	missing := fault.Missing("product", ref)
	wanted, err := id.Parse[catalog.ProductIDKind](ref)
	if err != nil {
		return catalog.Product{}, missing
	}
	p, err := r.Product(a.Workspace, wanted)
	return p, fault.OrMissing(err, missing)
}
