package webhook

import (
	"context"
	"fmt"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
	"daybook/app/when"
)

// Claim asks for at most Limit due deliveries of an endpoint.
type Claim struct {
	Endpoint catalog.EndpointID
	Limit    int
}

// Batch is what was claimed of an endpoint, and how to send it.
type Batch struct {
	Endpoint   catalog.EndpointID
	URL        string
	Secrets    []string // the newest first, in clear text
	Err        error    // set when the secrets can't be read: nothing can be sent
	Server     int64    // that claimed them, see share.Share
	Deliveries []Claimed
}

// WaitingEndpoints lists the endpoints with pending deliveries that are in this server's share, and when the first
// delivery of each is due.
func (s *Service) WaitingEndpoints(ctx context.Context) ([]Waiting, error) {
	mine := s.Share().Buckets
	if mine == 0 {
		return nil, nil
	}
	return s.Reader(ctx).Waiting(mine)
}

const giveUpStep = 200

// ClaimDeliveries claims due deliveries for the length of the lease; no other process gets them before it ends.
// Deliveries to an endpoint that is disabled or deleted fail instead, in small steps.
func (s *Service) ClaimDeliveries(ctx context.Context, claims []Claim,
	lease time.Duration) (batches []Batch, err error) {
	server := s.Share().Server
	if server == 0 {
		return nil, nil
	}
	err = s.Quietly(ctx, func(tx Tx) error {
		batches = batches[:0]
		now := when.At(s.Core.Now())
		for _, c := range claims {
			e, err := tx.Endpoint(c.Endpoint)
			if err != nil && err != fault.ErrNotFound {
				return err
			}
			if !e.Enabled {
				if _, err := tx.FailPending(c.Endpoint, e.disabledText(), now, giveUpStep); err != nil {
					return err
				}
				continue
			}
			b := Batch{Endpoint: e.ID, URL: e.URL, Server: server}
			b.Secrets, b.Err = s.secretsOf(&e, now)
			if b.Deliveries, err = tx.ClaimDeliveries(server, e.WorkspaceID, e.ID, now, now.Add(lease), c.Limit); err != nil {
				return err
			}
			batches = append(batches, b)
		}
		return nil
	})
	return batches, err
}

func (e *Endpoint) disabledText() string {
	switch {
	case e.ID == 0:
		return "the endpoint was deleted"
	case e.DisabledReason == DisabledGone:
		return "the endpoint is disabled: it answered 410 Gone"
	case e.DisabledReason == DisabledFailing:
		return "the endpoint is disabled: it had failed for five days"
	}
	return "the endpoint is disabled"
}

func (s *Service) secretsOf(e *Endpoint, now when.Instant) (secrets []string, err error) {
	sealed := []string{e.Secret}
	if now < e.PreviousUntil {
		sealed = append(sealed, e.PreviousSecret)
	}
	for _, text := range sealed {
		secret, err := s.Core.Vault().Open(text)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, string(secret))
	}
	return secrets, nil
}

// SettleDeliveries saves the outcomes of claims, in one transaction, and disables endpoints that are gone or have
// failed for too long. A delivery that another process has claimed meanwhile is left alone.
func (s *Service) SettleDeliveries(ctx context.Context, outcomes []Outcome) error {
	return s.Quietly(ctx, func(tx Tx) error {
		now := when.At(s.Core.Now())
		var touched endpointResults
		for i := range outcomes {
			o := &outcomes[i]
			if o.Released {
				if err := tx.ReleaseDelivery(o.Workspace, o.ID, o.Lease, now); err != nil {
					return err
				}
				continue
			}
			saved, err := tx.SettleDelivery(o)
			if err != nil {
				return err
			}
			if saved {
				touched.add(o)
			}
		}
		for i := range touched {
			if err := s.updateHealth(tx, &touched[i], now); err != nil {
				return err
			}
		}
		return nil
	})
}

// endpointResults sums up outcomes by endpoint; a batch has few endpoints.
type endpointResults []endpointResult

type endpointResult struct {
	id                      catalog.EndpointID
	succeeded, gone, failed bool
}

func (all *endpointResults) add(o *Outcome) {
	i := 0
	for i < len(*all) && (*all)[i].id != o.Endpoint {
		i++
	}
	if i == len(*all) {
		*all = append(*all, endpointResult{id: o.Endpoint})
	}
	r := &(*all)[i]
	r.gone = r.gone || o.Gone
	r.failed = r.failed || o.State != DeliveryDelivered
	r.succeeded = r.succeeded || o.State == DeliveryDelivered
}

// updateHealth keeps the time since when an endpoint has been failing, and disables it when that is five days ago, or
// when it answered 410.
func (s *Service) updateHealth(tx Tx, r *endpointResult, now when.Instant) error {
	e, err := tx.Endpoint(r.id)
	if err == fault.ErrNotFound || err == nil && !e.Enabled {
		return nil
	}
	if err != nil {
		return err
	}
	since := e.FailingSince
	switch {
	case r.succeeded:
		since = 0
	case r.failed && since == 0:
		since = now
	}
	if since != e.FailingSince {
		if err := tx.SaveFailing(e.WorkspaceID, e.ID, since); err != nil {
			return err
		}
	}
	switch {
	case r.gone:
		return s.disableFor(tx, &e, DisabledGone, now)
	case since != 0 && now >= since.Add(failingLimit):
		return s.disableFor(tx, &e, DisabledFailing, now)
	}
	return nil
}

// disableFor disables an endpoint and informs the owner: in the server's log, by the reason in every list of endpoints,
// and by mail.
func (s *Service) disableFor(tx Tx, e *Endpoint, why DisabledReason, now when.Instant) error {
	err := tx.LockWorkspace(e.WorkspaceID)
	if err == nil {
		*e, err = tx.Endpoint(e.ID)
	}
	if err == fault.ErrNotFound || err == nil && !e.Enabled { // the owner was faster
		return nil
	}
	if err != nil {
		return err
	}
	e.disable(why, now)
	s.Core.Log().Warn("webhook endpoint disabled", "endpoint", e.ID.String(), "workspace", e.WorkspaceID.String(),
		"reason", string(why), "action", fmt.Sprintf("daybook webhooks enable %s", e.ID))
	if err := tx.UpdateEndpoint(e); err != nil {
		return err
	}
	return s.disabled(tx, e.WorkspaceID, e.URL, e.disabledText())
}

// PruneWebhooks deletes at most limit deliveries and limit events older than before, and reports whether more may be
// left.
func (s *Service) PruneWebhooks(ctx context.Context, before time.Time, limit int) (more bool, err error) {
	err = s.Quietly(ctx, func(tx Tx) error {
		deliveries, err := tx.PruneDeliveries(id.First[record.DeliveryIDKind](before), limit)
		if err != nil {
			return err
		}
		if more = deliveries == limit; more {
			return nil // events after deliveries
		}
		events, err := tx.PruneEvents(id.First[record.EventIDKind](before), limit)
		if err != nil {
			return err
		}
		more = events == limit
		_, err = tx.PruneEndpoints(limit)
		return err
	})
	return more, err
}
