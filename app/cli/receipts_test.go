package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/app/apptest"
	"daybook/store/enginetest"
)

// One of two servers that take money is killed, again and again: the numbers of the receipts have no gap and none comes
// twice, the sums of each receipt agree, each reversal takes back what it says, and no acknowledged payment is lost. A voucher that
// pays for some has what its ledger says, which is what the bookings say that it paid.
func TestKilledServersLeaveNoGapInReceipts(t *testing.T) {
	t.Run("file", func(t *testing.T) { killAmidReceipts(t, filepath.Join(t.TempDir(), "till.db")) })
	t.Run("postgres", func(t *testing.T) { killAmidReceipts(t, enginetest.PlaceOnPostgres(t)) })
}

// receiptOf is a receipt as the API answers it.
type receiptOf struct {
	ID, Number, Kind, BookingID string
	Reverses, ReversedBy        *struct{ ID string }
	Total                       int64
	Lines, Payments             []struct{ Amount int64 }
	Taxes                       []struct{ Net, Tax, Gross int64 }
}

func killAmidReceipts(t *testing.T, place string) {
	const hosts, clients = 8, 6
	bookings := max(48, 16**rounds) // a booking has at most 50 payments
	c := newCluster(t, place, hosts)
	priced := strings.ReplaceAll(roundTheClock(hosts), "durationMinutes: 15,",
		"durationMinutes: 15, price: {amount: 4500, currency: EUR},")
	priced = strings.Replace(priced, "timeZone: UTC}", "timeZone: UTC, currency: EUR, tax: {mode: included, rate: 19}}", 1)
	if err := os.WriteFile(filepath.Join(c.dir, "priced.yaml"), []byte(priced), 0o600); err != nil {
		t.Fatal(err)
	}
	daybook(t, c.dir, "", "workspace", "apply", "priced.yaml", "--db", place, "--new-database")
	c.start(t, 0)
	c.start(t, 1)
	var ids []string
	for n := range bookings {
		status, answer, err := c.book(c.nodes[0].url, n%hosts, n/hosts, fmt.Sprintf("p%d@mail.example", n))
		var b struct{ ID string }
		if err != nil || status != http.StatusCreated || json.Unmarshal(answer, &b) != nil {
			t.Fatalf("%d %s, %v", status, answer, err)
		}
		ids = append(ids, b.ID)
	}
	status, answer, err := c.ask(c.nodes[0].url, "POST", "/api/v1/sales", fmt.Sprintf(
		`{"lines":[{"kind":"voucher","amount":%d}],"payments":[{"method":"cash","amount":%d}]}`, voucherFace, voucherFace))
	var sold struct{ Lines []struct{ PassID string } }
	if err != nil || status != http.StatusCreated || json.Unmarshal(answer, &sold) != nil {
		t.Fatalf("the voucher: %d %s, %v", status, answer, err)
	}
	c.voucher = sold.Lines[0].PassID
	var mu sync.Mutex
	var next atomic.Int64
	var acks [2]atomic.Int64
	acknowledged := map[string]string{} // payments, with their bookings
	for round := range *rounds {
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		dies := round % 2
		for node := range c.nodes {
			url := c.nodes[node].url
			for range clients {
				all.Go(func() {
					for ctx.Err() == nil {
						id, ok := c.payAndBack(t, url, ids, int(next.Add(1)), node == dies)
						if !ok {
							return
						}
						mu.Lock()
						acknowledged[id.payment] = id.booking
						mu.Unlock()
						acks[node].Add(1)
					}
				})
			}
		}
		enough := acks[dies].Load() + 5 + rand.Int64N(20) // the moment of the kill is what is tried
		apptest.Eventually(t, "the server that will be killed takes money", func() bool {
			return t.Failed() || acks[dies].Load() >= enough
		})
		if err := c.nodes[dies].cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		c.nodes[dies].cmd.Wait() // killed: it has no exit code to look at
		enough = acks[1-dies].Load() + 10
		apptest.Eventually(t, "the other server takes money", func() bool { return t.Failed() || acks[1-dies].Load() >= enough })
		stop()
		all.Wait()
		c.start(t, dies)
	}
	url := c.nodes[0].url
	for i, id := range ids { // what is due is paid, so that all money stands on a receipt
		c.payAndBack(t, url, []string{id}, 5*i+1, false)
	}
	kept := c.receiptsAddUp(t, url)
	for payment, booking := range acknowledged {
		var b struct{ Payments []struct{ ID string } }
		c.get(t, url, "bookings/"+booking, &b)
		if !slices.ContainsFunc(b.Payments, func(p struct{ ID string }) bool { return p.ID == payment }) {
			t.Errorf("%s was acknowledged and is gone", payment)
		}
	}
	var day struct{ Cash int64 }
	if c.get(t, url, "till", &day); day.Cash != kept {
		t.Errorf("the ledger has %d, the receipts %d", day.Cash, kept)
	}
	t.Logf("%d payments acknowledged", len(acknowledged))
	c.voucherAddsUp(t, url, ids)
}

// voucherFace is what the voucher holds that pays here.
const voucherFace = 9_000_000

// voucherAddsUp holds the balance of the voucher against its ledger, and both against what bookings say that it paid.
func (c *cluster) voucherAddsUp(t *testing.T, url string, ids []string) {
	t.Helper()
	var p struct{ Balance int64 }
	c.get(t, url, "passes/"+c.voucher, &p)
	sum, uses, paid := int64(0), 0, int64(0)
	for cursor := ""; ; {
		var page struct {
			Data       []struct{ Delta int64 }
			NextCursor *string
		}
		c.get(t, url, "passes/"+c.voucher+"/entries?limit=100&cursor="+cursor, &page)
		for _, e := range page.Data {
			if sum += e.Delta; e.Delta < 0 {
				uses++
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	for _, id := range ids {
		var b struct {
			Payments []struct {
				Amount, RefundedAmount int64
				Pass                   *struct{ ID string }
			}
		}
		c.get(t, url, "bookings/"+id, &b)
		for _, x := range b.Payments {
			if x.Pass != nil {
				paid += x.Amount - x.RefundedAmount
			}
		}
	}
	if p.Balance != sum || voucherFace-sum != paid || uses == 0 {
		t.Errorf("the voucher has %d, its ledger %d after %d uses, and bookings say that it paid %d", p.Balance, sum, uses, paid)
	}
	t.Logf("the voucher was used %d times", uses)
}

type paidFor struct{ payment, booking string }

// payAndBack takes the price or a tip for a booking, and gives each fifth back. It reports false when the server, which
// may be killed, is gone.
func (c *cluster) payAndBack(t *testing.T, url string, ids []string, n int, mayDie bool) (paid paidFor, ok bool) {
	id := ids[n%len(ids)]
	pay := func(body string) (int, []byte, error) {
		return c.ask(url, "POST", "/api/v1/bookings/"+id+"/payments", body)
	}
	status, answer, err := pay(map[bool]string{true: `{"amount":0,"method":"voucher","pass":"` + c.voucher + `"}`, false: `{"amount":4500,"method":"cash"}`}[n%2 == 0])
	if err == nil && (status == http.StatusBadRequest || status == http.StatusConflict && strings.Contains(string(answer), "pass_not_for_this")) { // it is paid already
		status, answer, err = pay(fmt.Sprintf(`{"amount":0,"tip":%d,"method":"cash"}`, n))
	}
	var b struct{ Payments []struct{ ID string } }
	if err == nil && status == http.StatusCreated {
		err = json.Unmarshal(answer, &b)
	}
	if err == nil && status == http.StatusCreated && n%5 == 0 {
		last := b.Payments[len(b.Payments)-1].ID
		status, answer, err = c.ask(url, "POST", "/api/v1/payments/"+last+"/refund", "")
		if err == nil && status == http.StatusOK {
			return paidFor{last, id}, true
		}
	}
	if err != nil || status != http.StatusCreated {
		if !mayDie || err == nil {
			t.Errorf("%d %s, %v", status, answer, err)
		}
		return paid, false
	}
	return paidFor{b.Payments[len(b.Payments)-1].ID, id}, true
}

// get reads an answer of the API.
func (c *cluster) get(t *testing.T, url, path string, into any) {
	t.Helper()
	status, answer, err := c.ask(url, "GET", "/api/v1/"+path, "")
	if err != nil || status != http.StatusOK || json.Unmarshal(answer, into) != nil {
		t.Fatalf("%s: %d %s, %v", path, status, answer, err)
	}
}

// receiptsAddUp looks at all receipts, and returns their sum.
func (c *cluster) receiptsAddUp(t *testing.T, url string) (kept int64) {
	t.Helper()
	var all []receiptOf
	for cursor := ""; ; {
		var page struct {
			Data       []receiptOf
			NextCursor *string
		}
		c.get(t, url, "receipts?limit=100&cursor="+cursor, &page)
		all = append(all, page.Data...)
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	byID, numbers := map[string]receiptOf{}, map[string]bool{}
	for _, r := range all {
		byID[r.ID], numbers[r.Number[strings.IndexByte(r.Number, '-')+1:]] = r, true
		lines, paid, taxed := int64(0), int64(0), true
		for _, x := range r.Lines {
			lines += x.Amount
		}
		for _, x := range r.Payments {
			paid += x.Amount
		}
		for _, x := range r.Taxes {
			taxed = taxed && x.Net+x.Tax == x.Gross
		}
		if lines != r.Total || paid != r.Total || !taxed || len(r.Payments) == 0 && r.Total != 0 {
			t.Errorf("the sums of %s do not agree: %+v", r.Number, r)
		}
		kept += r.Total
	}
	for n := range len(all) {
		if !numbers[fmt.Sprint(n+1)] {
			t.Errorf("of %d receipts none has the number %d", len(all), n+1)
		}
	}
	reversals := 0
	for _, r := range all {
		if r.Reverses == nil {
			continue
		}
		reversals++
		if of := byID[r.Reverses.ID]; of.Total != -r.Total || of.ReversedBy == nil || of.ReversedBy.ID != r.ID {
			t.Errorf("%s takes back %+v", r.Number, of)
		}
	}
	if reversals == 0 {
		t.Error("nothing was reversed")
	}
	t.Logf("%d receipts, %d of them reversals", len(all), reversals)
	return kept
}
