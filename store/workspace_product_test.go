package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/store/enginetest"
)

// stocked is a store with two workspaces; product inserts one into either.
func stocked(t *testing.T) (s *Store, product func(ws catalog.WorkspaceID, id catalog.ProductID, name, number string, stock *int64)) {
	t.Helper()
	s = open(t)
	write := func(do func(tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), func(x app.Tx) error { return do(x.(tx)) }); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		write(func(x tx) error {
			return x.InsertWorkspace(&catalog.Workspace{ID: catalog.WorkspaceID(i + 1), Slug: fmt.Sprintf("salon-%d", i),
				Name: "Salon", TimeZone: "Europe/Berlin", Currency: "EUR"})
		})
	}
	return s, func(ws catalog.WorkspaceID, id catalog.ProductID, name, number string, stock *int64) {
		t.Helper()
		write(func(x tx) error {
			return x.InsertProduct(&catalog.Product{ID: id, WorkspaceID: ws, Name: name, Number: number, Active: true,
				Price: money.Money{Amount: 1290, Currency: "EUR"}, Stock: stock})
		})
	}
}

// Products are found by each word of their name and number, whatever the case and accents, page by page by name, and those
// of another workspace never are.
func TestProductsAreFound(t *testing.T) {
	s, product := stocked(t)
	product(1, 1, "Shampoo Größe L", "4006381333931", nil)
	product(1, 2, "Haarwachs 100%", "W_1", nil)
	product(1, 3, "Ätherisches Öl", "", new(int64))
	product(1, 4, "Bürste", "", nil)
	product(2, 5, "Shampoo", "4006381333931", nil)
	r := s.Reader(t.Context()).(queries)
	for name, x := range map[string]struct {
		f    catalog.ProductFilter
		want []catalog.ProductID
	}{
		"all by name":         {catalog.ProductFilter{}, []catalog.ProductID{3, 4, 2, 1}},
		"the next":            {catalog.ProductFilter{After: 4}, []catalog.ProductID{2, 1}},
		"two words":           {catalog.ProductFilter{Text: "grosse SHAM"}, []catalog.ProductID{1}},
		"an umlaut":           {catalog.ProductFilter{Text: "buerste"}, []catalog.ProductID{4}},
		"a part of a number":  {catalog.ProductFilter{Text: "81333"}, []catalog.ProductID{1}},
		"a sign of LIKE":      {catalog.ProductFilter{Text: "0%"}, []catalog.ProductID{2}},
		"another one":         {catalog.ProductFilter{Text: "w_1"}, []catalog.ProductID{2}},
		"no sign of it":       {catalog.ProductFilter{Text: "w%1"}, nil},
		"its number":          {catalog.ProductFilter{Number: " w_1 "}, []catalog.ProductID{2}},
		"no part of a number": {catalog.ProductFilter{Number: "400638"}, nil},
		"archived":            {catalog.ProductFilter{Archived: true}, nil},
	} {
		x.f.Limit = 10
		all, err := r.Products(1, x.f)
		var got []catalog.ProductID
		for _, p := range all {
			got = append(got, p.ID)
		}
		if err != nil || !slices.Equal(got, x.want) {
			t.Errorf("%s: %v %v, want %v", name, got, err, x.want)
		}
	}
	if _, err := r.Products(1, catalog.ProductFilter{After: 99, Limit: 1}); fault.As(err) == nil {
		t.Error("a cursor to nothing", err)
	}
	for name, err := range map[string]error{
		"foreign": second(r.Product(1, 5)), "no number": second(r.ProductByNumber(1, "")), "name": second(r.ProductByName(1, "Shampoo")),
	} {
		if !errors.Is(err, fault.ErrNotFound) {
			t.Error(name, err)
		}
	}
	if p, err := r.ProductByName(1, " bürste"); err != nil || p.ID != 4 || p.Stock != nil || p.TaxRate != nil || p.Picture != 0 {
		t.Error(p, err)
	}
	for _, p := range []catalog.Product{{ID: 6, Name: "BÜRSTE"}, {ID: 7, Name: "Kamm", Number: "w_1"}} {
		p.WorkspaceID, p.Price.Currency = 1, "EUR"
		if err := s.Write(t.Context(), func(x app.Tx) error { return x.(tx).InsertProduct(&p) }); !errors.Is(err, fault.ErrTaken) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Whatever sells at once is counted once each, below zero, too; what isn't counted stays so; and a change of the product
// leaves the stock alone. What was sold can't be deleted.
func TestStockIsCounted(t *testing.T) {
	s, product := stocked(t)
	three := int64(3)
	product(1, 1, "Wax", "", &three)
	product(1, 2, "Comb", "", nil)
	product(1, 3, "Brush", "", &three)
	before, err := s.Reader(t.Context()).(queries).Product(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	var sales sync.WaitGroup
	for range 16 {
		sales.Go(func() {
			err := s.Write(t.Context(), func(x app.Tx) error {
				return errors.Join(x.(tx).AddToStock(1, 1, -1), x.(tx).AddToStock(1, 2, -2))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	sales.Wait()
	before.Name = "Hair wax"
	err = s.Write(t.Context(), func(x app.Tx) error {
		return errors.Join(x.(tx).UpdateProduct(&before), x.(tx).AddToStock(1, 1, 2), x.(tx).AddToStock(2, 1, -1), x.(tx).AddToStock(1, 9, -1))
	})
	wax, err1 := s.Reader(t.Context()).(queries).Product(1, 1)
	comb, err2 := s.Reader(t.Context()).(queries).Product(1, 2)
	if err := errors.Join(err, err1, err2); err != nil || *wax.Stock != -11 || wax.Name != "Hair wax" || comb.Stock != nil {
		t.Fatal(err, wax, comb)
	}
	for id, want := range map[catalog.ProductID]bool{1: false, 2: false, 3: true} {
		var deleted bool
		err := s.Write(t.Context(), func(x app.Tx) (err error) {
			deleted, err = x.(tx).DeleteProduct(1, id)
			return err
		})
		if err != nil || deleted != want {
			t.Errorf("%d: %t %v", id, deleted, err)
		}
	}
	if n, err := s.Reader(t.Context()).(queries).CountProducts(1); err != nil || n != 2 {
		t.Error(n, err)
	}
}

// Products are read by an index, in the order of the list.
func TestProductsAreReadByIndex(t *testing.T) {
	db := enginetest.Open(t)
	list, args := listProducts(1, catalog.ProductFilter{Text: "wax", After: 5, Limit: 20}, "comb")
	for name, x := range map[string]struct {
		query string
		args  []any
	}{
		"list": {list, args}, "one": {oneProduct, []any{1, 2}}, "by number": {numberedProduct, []any{1, "x"}},
		"by name": {namedProduct, []any{1, "x"}}, "pictures": {productPictures, []any{1}}, "count": {countProducts, []any{1}},
	} {
		got := ""
		if enginetest.OnPostgres() {
			got = enginetest.PlanOnPostgres(t, db, x.query, x.args...)
		} else {
			got = enginetest.Plan(t, db, x.query, x.args...)
		}
		if strings.Contains(got, "SCAN products") || strings.Contains(got, "Seq Scan") || strings.Contains(got, "TEMP B-TREE FOR ORDER") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
