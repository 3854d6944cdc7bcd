package store

import (
	"slices"
	"strings"
	"testing"

	"daybook/app/webhook"
	"daybook/app/work"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// The deliveries are read by their indexes: of one endpoint, or of a workspace's few endpoints merged.
func TestDeliveriesUseTheirIndex(t *testing.T) {
	db := enginetest.Open(t)
	for _, c := range []struct {
		name  string
		f     webhook.DeliveryFilter
		index string
	}{
		{"endpoint", webhook.DeliveryFilter{Endpoint: 1}, "deliveries_log (endpoint_id=? AND id<?)"},
		{"endpoint, delivered", webhook.DeliveryFilter{Endpoint: 1, State: webhook.DeliveryDelivered, After: 7}, "deliveries_log (endpoint_id=? AND id<?)"},
		{"endpoint, failed", webhook.DeliveryFilter{Endpoint: 1, State: webhook.DeliveryFailed}, "deliveries_failed (endpoint_id=? AND id<?)"},
		{"workspace", webhook.DeliveryFilter{After: 7}, "deliveries_log (endpoint_id=? AND id<?)"},
		{"workspace, failed", webhook.DeliveryFilter{State: webhook.DeliveryFailed}, "deliveries_failed (endpoint_id=? AND id<?)"},
		{"pending", webhook.DeliveryFilter{State: webhook.DeliveryPending}, "deliveries_due (endpoint_id=?"},
	} {
		c.f.Limit = 51
		query, args := listDeliveries(true, 1, c.f)
		got := enginetest.Plan(t, db, query, args...)
		if strings.Contains(got, "SCAN deliveries") || strings.Contains(got, "SCAN d\n") || !strings.Contains(got, c.index) {
			t.Errorf("%s: want %s\n%s\n%s", c.name, c.index, query, got)
		}
	}
}

func TestQueueUsesItsIndex(t *testing.T) {
	db := enginetest.Open(t)
	all, none := waitingDeliveries(work.AllBuckets)
	if none != nil || strings.Contains(all, "JOIN webhook_endpoints") {
		t.Errorf("the only server asks for buckets: %s", all)
	}
	some, buckets := waitingDeliveries(work.FairBuckets(1, 3))
	first, _ := firstDueDelivery(0)
	firstOf, ofOne := firstDueDelivery(1)
	if got := enginetest.Plan(t, db, firstOf, ofOne...); !strings.Contains(got, "webhook_endpoints_") || strings.Contains(got, "SCAN e") {
		t.Errorf("%s\n%s", firstOf, got)
	}
	for query, args := range map[string][]any{
		all: none, some: buckets, first: nil, firstOf: ofOne, dueQuery: {1, 2, 3, 2, 4}, claimQuery + engine.Placeholders(8): slices.Repeat([]any{1}, 11), failPendingQuery: {"x", 1, 2, 3, 2}, pruneDeliveriesQuery: {1, 2},
	} {
		if got := enginetest.Plan(t, db, query, args...); strings.Contains(got, "SCAN d") && !strings.Contains(got, "USING INDEX deliveries_due") || strings.Contains(got, "TEMP B-TREE") {
			t.Errorf("%s\n%s", query, got)
		}
	}
}

// Deleted endpoints are found among all endpoints without reading the others.
func TestPruneEndpointsReadsDeletedOnes(t *testing.T) {
	db := enginetest.Open(t)
	if got := enginetest.Plan(t, db, pruneEndpointsQuery, 1); !strings.Contains(got, "webhook_endpoints_deleted") {
		t.Errorf("%s\n%s", pruneEndpointsQuery, got)
	}
}

// PostgreSQL reads the log of a workspace by that of each of its endpoints, and tries no condition on the deliveries of
// others.
func TestDeliveriesUseTheirIndexOnPostgres(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnPostgres(t))
	for _, state := range []webhook.DeliveryState{"", webhook.DeliveryPending, webhook.DeliveryDelivered, webhook.DeliveryFailed} {
		query, args := listDeliveries(false, 1, webhook.DeliveryFilter{State: state, After: 7, Limit: 51})
		var lines []string
		if err := engine.NewQuerier(t.Context(), db.Readers()).All(&lines, "EXPLAIN "+query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		plan := strings.Join(lines, "\n")
		if strings.Contains(plan, "SubPlan") || !strings.Contains(plan, "endpoint_id = w.id") {
			t.Errorf("%q: %s\n%s", state, query, plan)
		}
	}
}
