package shop

import (
	"net/url"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views"
	"daybook/views/dash"
)

func (c call) products() error { return c.showProducts("", "", nil) }

// showProducts lists the products. typed is a stock that was refused for the product of that id.
func (c call) showProducts(id, typed string, wrong *fault.Error) error {
	q := c.URL.Query()
	v := dash.ProductsPage{Frame: c.Frame(c.T("product_title"), "types"), Q: q.Get("q")}
	if q.Get("tab") == "archived" {
		v.Tab = "archived"
	}
	v.Tabs = []dash.Tab{{Label: c.T("product_on_sale"), URL: dash.ProductsPath, Current: v.Tab == ""},
		{Label: c.T("product_archived"), URL: dash.ProductsPath + "?tab=archived", Current: v.Tab != ""}}
	page, err := c.Subjects.Shop.Products(c.Context(), c.Actor, catalog.ProductFilter{Text: v.Q, Archived: v.Tab != ""}, nil,
		q.Get("cursor"))
	if err != nil {
		return err
	}
	pictures, err := c.Subjects.Shop.PicturesOf(c.Context(), c.Actor, page.Data)
	if err != nil {
		return err
	}
	for i := range page.Data {
		r := c.productRow(&page.Data[i], pictures)
		if r.ID == id {
			r.Stock, r.Wrong = typed, c.Sentence(wrong)
		}
		v.Rows = append(v.Rows, r)
	}
	search := url.Values{}
	for name, value := range map[string]string{"q": v.Q, "tab": v.Tab} {
		if value != "" {
			search.Set(name, value)
		}
	}
	v.Pager = web.PagerOf(dash.ProductsPath, search, q.Get("cursor"), page.NextCursor)
	if len(v.Rows) == 0 {
		v.Results = c.T("product_nothing")
	}
	return c.Show(web.RefusedStatus(wrong), dash.Products(v))
}

func (c call) productRow(p *catalog.Product, pictures map[catalog.PictureID]catalog.Picture) dash.ProductRow {
	r := dash.ProductRow{ID: p.ID.String(), URL: dash.ProductPath(p.ID.String()), Name: p.Name, Text: c.Price(&p.Price),
		Stock: stockText(p.Stock), Out: p.Active && p.Stock != nil && *p.Stock <= 0, Archived: !p.Active}
	if p.Number != "" {
		r.Text += " · " + p.Number
	}
	if t := c.PassTerms(p); t != "" {
		r.Text += " · " + t
		r.Pass = true
	}
	if picture, is := pictures[p.Picture]; is {
		r.Picture = web.Image(&picture, "")
	}
	return r
}

func stockText(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// readStock reads how many there are; "" isn't counted.
func readStock(form url.Values) (*int64, error) {
	text := strings.TrimSpace(form.Get("stock"))
	if text == "" {
		return nil, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, fault.Invalid("stock", "must be a whole number")
	}
	return &n, nil
}

func (c call) newProductForm() error {
	return c.showProduct(&catalog.Product{Active: true, Price: money.Money{Currency: c.Setup.Workspace.Currency}}, nil, nil)
}

func (c call) productForm() error {
	p, err := c.Subjects.Shop.Product(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showProduct(&p, nil, nil)
}

// showProduct is the form with the product, or with what was typed and what is wrong with it.
func (c call) showProduct(p *catalog.Product, typed url.Values, wrong *fault.Error) error {
	id := p.ID.String()
	v := dash.ProductPage{Frame: c.Frame(p.Name, "types"), Action: dash.ProductPath(id), Submit: c.T("dash_save_changes"),
		Groups: c.productGroups(p)}
	var err error
	if v.Picture, err = c.productPicture(p, typed); err != nil {
		return err
	}
	if p.ID == 0 {
		v.Title, v.Action, v.Submit = c.T("product_new"), dash.NewProductPath, c.T("product_create")
	} else {
		v.Danger = c.productDanger(p)
	}
	if v.StockWas = stockText(p.Stock); typed != nil {
		v.StockWas = typed.Get("stock.was")
	}
	all := append(v.Groups, dash.Group{Inputs: []dash.Input{v.Picture.Input}})
	v.Problem = c.Fill(all, typed, wrong)
	v.Picture.Input = all[len(v.Groups)].Inputs[0]
	focusFirst(all)
	return c.Show(web.RefusedStatus(wrong), dash.ProductForm(v))
}

func (c call) productGroups(p *catalog.Product) []dash.Group {
	price := ""
	if p.ID != 0 {
		price = web.AmountText(&p.Price)
	}
	rate := c.taxRate(&catalog.EventType{TaxRate: p.TaxRate})
	return []dash.Group{{Title: c.T("dash_details"), Inputs: []dash.Input{
		{Name: "name", Label: c.T("dash_name"), Required: true, Value: p.Name, Focus: p.ID == 0},
		c.sellsInput(p.Pass),
		{Name: "price", Label: c.T("dash_price"), Value: price, Suffix: p.Price.Currency, Half: true, Decimal: true, Required: true},
		rate,
		{Name: "number", Label: c.T("product_number"), Value: p.Number, Half: true, Hint: c.T("product_number_hint")},
		{Name: "stock", Label: c.T("product_stock"), Value: stockText(p.Stock), Suffix: c.T("product_pieces"), Half: true,
			Digits: true, Hint: c.T("product_stock_hint"), Placeholder: c.T("product_uncounted")},
	}}, c.passGroup(p)}
}

func (c call) productPicture(p *catalog.Product, typed url.Values) (dash.PictureInput, error) {
	v := c.pictureInput(c.T("picture_of_type"), 0, typed)
	pictures, err := c.Subjects.Shop.PicturesOf(c.Context(), c.Actor, []catalog.Product{*p})
	if picture, is := pictures[p.Picture]; is && v.Image == (views.Image{}) {
		v.Image = web.Image(&picture, "")
	}
	return v, err
}

// productDanger ends the sale of a product, or takes it up again.
func (c call) productDanger(p *catalog.Product) (all []dash.Danger) {
	id := p.ID.String()
	if p.Active {
		all = append(all, dash.Danger{Title: c.T("product_archive"), Text: c.T("product_archive_text"), Quiet: true,
			Action: dash.ProductActivePath(id), Submit: c.T("product_archive")})
	} else {
		all = append(all, dash.Danger{Title: c.T("product_back"), Text: c.T("product_back_text"), Quiet: true,
			Action: dash.ProductActivePath(id), Submit: c.T("product_back"), Hidden: []views.Pair{{Name: "active", Value: "on"}}})
	}
	if !p.Sold {
		all = append(all, dash.Danger{Title: c.T("product_delete"), Text: c.T("product_delete_text"),
			Action: dash.ProductDeletePath(id), Submit: c.T("product_delete")})
	}
	return all
}

func (c call) newProduct() error {
	return c.saveProduct(&catalog.Product{Active: true, Price: money.Money{Currency: c.Setup.Workspace.Currency}})
}

func (c call) changeProduct() error {
	p, err := c.Subjects.Shop.Product(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.saveProduct(&p)
}

// saveProduct saves what was typed, with the picture that was chosen. A stock that stays as it was shown is not set: some may
// have been sold since.
func (c call) saveProduct(old *catalog.Product) error {
	form, file, err := c.PostedFile()
	if err != nil {
		return err
	}
	r := web.Reader{Form: form, Currency: old.Price.Currency}
	price, rate := r.Money("price"), r.Rate("taxRate")
	if price == nil && r.Err == nil {
		r.Err = fault.Invalid("price", "is required")
	}
	stock, unread := readStock(form)
	terms := readPassTerms(&r)
	picture := old.Picture
	readPicture(form, &picture)
	taken := c.takePicture(form, file, &picture)
	ref := ""
	if old.ID != 0 {
		ref = old.ID.String()
	}
	var p catalog.Product
	if err = fault.Join(r.Err, unread, taken); err == nil {
		p, err = c.Subjects.Shop.ChangeProduct(c.Context(), c.Actor, ref, func(_ *catalog.Setup, now *catalog.Product) error {
			now.Name, now.Number, now.Price, now.TaxRate, now.Picture = form.Get("name"), form.Get("number"), *price, rate, picture
			now.Pass = terms
			if form.Get("stock") != form.Get("stock.was") || ref == "" {
				now.Stock = stock
			}
			return nil
		})
	}
	if wrong := refused(err); wrong != nil {
		return c.showProduct(old, form, wrong)
	}
	if err != nil {
		return err
	}
	if ref == "" {
		return c.Redirect(dash.ProductsPath, "created")
	}
	return c.Redirect(dash.ProductPath(p.ID.String()), "saved")
}

// countProduct sets the stock in the list.
func (c call) countProduct() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	stock, err := readStock(form)
	if err == nil {
		_, err = c.Subjects.Shop.ChangeProduct(c.Context(), c.Actor, c.PathValue("id"),
			func(_ *catalog.Setup, p *catalog.Product) error { p.Stock = stock; return nil })
	}
	if wrong := refused(err); wrong != nil {
		return c.showProducts(c.PathValue("id"), form.Get("stock"), wrong)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ProductsPath, "saved")
}

func (c call) switchProduct() error {
	on := c.PostFormValue("active") == "on"
	p, err := c.Subjects.Shop.ChangeProduct(c.Context(), c.Actor, c.PathValue("id"),
		func(_ *catalog.Setup, p *catalog.Product) error { p.Active = on; return nil })
	if wrong := refused(err); wrong != nil && c.May(app.MayManageProducts) {
		old, err := c.Subjects.Shop.Product(c.Context(), c.Actor, c.PathValue("id"))
		if err != nil {
			return err
		}
		return c.showProduct(&old, nil, wrong)
	}
	if err != nil {
		return err
	}
	if on {
		return c.Redirect(dash.ProductPath(p.ID.String()), "product-back")
	}
	return c.Redirect(dash.ProductsPath, "product-archived")
}

func (c call) deleteProduct() error {
	kept, err := c.Subjects.Shop.DeleteProduct(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	if kept {
		return c.Redirect(dash.ProductsPath, "product-archived")
	}
	return c.Redirect(dash.ProductsPath, "product-gone")
}
