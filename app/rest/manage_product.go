package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/setup"
	"daybook/app/subjects"
)

func productVersion(p *catalog.Product) string { return fault.ETag(*p) }

var productTaken = openapi.Error{Code: fault.Conflict, Text: "`details.reason` is `name_taken` or `number_taken`: another product " +
	"has it, in upper or lower case. Or `too_many_products`."}

var listProducts = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/products", ID: "listProducts", Tag: "Products",
	Summary: "List or search products",
	Text:    "Lists what is sold at the counter besides services, by name; `q` searches, `number` finds one.",
	Params: []openapi.Param{
		{Name: "q", Text: "Each word must stand somewhere in the name or the number, whatever the case and accents.",
			MaxLength: fault.MaxSearch, Example: "shampoo"},
		{Name: "number", Text: "Only the product with exactly this number, such as a barcode that was read, in upper or lower case.",
			MaxLength: catalog.ProductFields.Field("number").Most, Example: "4006381333931"},
		{Name: "archived", Kind: "boolean", Text: "Those that are no longer on sale, in place of those that are.", Example: true},
		openapi.Limit(50), openapi.Cursor,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of products.", Body: fault.Page[catalog.Product]{}, Lists: "products"}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	f := catalog.ProductFilter{Text: c.Text("q"), Number: c.Text("number"), Archived: c.Flag("archived")}
	page, err := s.Shop.Products(c.Context(), c.Actor(), f, c.Number("limit"), c.Text("cursor"))
	return respond(http.StatusOK, page, err)
}}

var getProduct = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/products/{id}", ID: "getProduct", Tag: "Products",
	Summary:   "Retrieve a product",
	Text:      "Answers one product, on sale or not.",
	Successes: []openapi.Success{{Status: 200, Text: "The product.", Body: catalog.Product{}, ETag: true}},
	Errors:    []openapi.Error{missing("product")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	p, err := s.Shop.Product(c.Context(), c.Actor(), c.Path("id"))
	return tagged(p, productVersion(&p), err)
}}

var createProduct = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/products", ID: "createProduct", Tag: "Products",
	Summary: "Create a product",
	Text: "Adds a product, on sale. The fields are those of a set-up file: what is left out is empty, and without `stock` it " +
		"isn't counted.",
	Body: zero(productBody),
	BodyExample: map[string]any{"name": "Shampoo 250 ml", "number": "4006381333931", "price": map[string]any{"amount": 1290},
		"stock": 12},
	Successes: []openapi.Success{{Status: 201, Text: "The new product.", Body: catalog.Product{}, ETag: true,
		Location: "The new product."}},
	Errors: []openapi.Error{wrong, lacks("settings"), productTaken},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	p, err := saveProduct(s, c, "")
	return created(p, c.Address("/v1/products/"+p.ID.String()), productVersion(&p), err)
}}

var changeProduct = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/products/{id}", ID: "changeProduct", Tag: "Products",
	Summary: "Change a product",
	Text: "Changes what the body names, and leaves the rest; null clears. `stock` is how many there are from now on; left out, " +
		"what is sold meanwhile stays counted. Receipts that there are stay as they were written.",
	IfMatch: ifMatch,
	Body:    zero(productPatch), BodyExample: map[string]any{"price": map[string]any{"amount": 1390}, "stock": 24},
	Successes: []openapi.Success{{Status: 200, Text: "The product as it is now.", Body: catalog.Product{}, ETag: true}},
	Errors:    []openapi.Error{wrong, missing("product"), lacks("settings"), changed("product"), productTaken},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	p, err := saveProduct(s, c, c.Path("id"))
	return tagged(p, productVersion(&p), err)
}}

// saveProduct changes the product as the body says; "" is a new one.
func saveProduct(s *subjects.Set, c Call, ref string) (p catalog.Product, err error) {
	var in setup.ProductChange
	if err := c.Decode(&in); err != nil {
		return p, bare(err, "")
	}
	p, err = s.Shop.ChangeProduct(c.Context(), c.Actor(), ref, func(_ *catalog.Setup, p *catalog.Product) error {
		if ref != "" {
			if err := fault.CheckETag(c.Match(), productVersion(p), "product"); err != nil {
				return err
			}
		}
		return in.Apply(p)
	})
	if err != nil {
		return p, bare(err, "product.")
	}
	return p, nil
}

var deleteProduct = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/products/{id}", ID: "deleteProduct", Tag: "Products",
	Summary: "Delete a product",
	Text: "Deletes a product that was never sold. One that was is archived: it is no longer on sale, can still be read, and " +
		"`active: true` brings it back.",
	IfMatch:   ifMatch,
	Successes: []openapi.Success{{Status: 204, Text: "It is no longer on sale."}},
	Errors:    []openapi.Error{missing("product"), lacks("settings"), changed("product")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	_, err := s.Shop.DeleteProduct(c.Context(), c.Actor(), c.Path("id"), func(p *catalog.Product) error {
		return fault.CheckETag(c.Match(), productVersion(p), "product")
	})
	return gone, err
}}
