package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/app/work"
)

// Waiting is an endpoint with pending deliveries; Claim asks for some of them.
type (
	Waiting = work.Waiting[catalog.EndpointID]
	Claim   = work.Claim[catalog.EndpointID]
)

// Batch is the deliveries that were claimed of an endpoint, and how to send them.
type Batch struct {
	Endpoint   catalog.EndpointID
	URL        string
	Secrets    []string // the newest first, in clear text
	Err        error    // set when the secrets can't be read: nothing can be sent
	Server     int64    // that claimed them, see work.Share
	Lease      when.Instant
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
			e, err := tx.Endpoint(c.Lane)
			if err != nil && !errors.Is(err, fault.ErrNotFound) {
				return err
			}
			if !e.Enabled {
				if _, err := tx.FailPending(c.Lane, e.disabledText(), now, giveUpStep); err != nil {
					return err
				}
				continue
			}
			b := Batch{Endpoint: e.ID, URL: e.URL, Server: server, Lease: now.Add(lease)}
			b.Secrets, b.Err = s.secretsOf(&e, now)
			if b.Deliveries, err = tx.ClaimDeliveries(server, e.WorkspaceID, e.ID, now, b.Lease, c.Limit); err != nil {
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

// SettleDeliveries saves the outcomes of claims, in one transaction, and then disables endpoints that answered 410 or
// have failed for too long. If disabling one fails, it is tried again with its next failure. Deliveries that another
// process has claimed meanwhile are skipped.
func (s *Service) SettleDeliveries(ctx context.Context, outcomes []Outcome) error {
	var ill []illness
	err := s.Quietly(ctx, func(tx Tx) (err error) {
		ill, err = settle(tx, outcomes, when.At(s.Core.Now()))
		return err
	})
	if err != nil {
		return err
	}
	for _, i := range ill {
		err = errors.Join(err, s.disableFor(ctx, i))
	}
	return err
}

// illness is why an endpoint is to be disabled.
type illness struct {
	workspace catalog.WorkspaceID
	endpoint  catalog.EndpointID
	why       DisabledReason
}

func settle(tx Tx, outcomes []Outcome, now when.Instant) (ill []illness, err error) {
	var touched endpointResults
	for i := range outcomes {
		o := &outcomes[i]
		if o.Released {
			if err := tx.ReleaseDelivery(o.Workspace, o.ID, o.Lease, now); err != nil {
				return nil, err
			}
			continue
		}
		saved, err := tx.SettleDelivery(o)
		if err != nil {
			return nil, err
		}
		if saved {
			touched.add(o)
		}
	}
	for i := range touched {
		e, why, err := updateHealth(tx, &touched[i], now)
		if err != nil {
			return nil, err
		}
		if why != "" {
			ill = append(ill, illness{e.WorkspaceID, e.ID, why})
		}
	}
	return ill, nil
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

// updateHealth keeps the time since when an endpoint has been failing. It returns why the endpoint is to be disabled:
// that is five days ago, or it answered 410.
func updateHealth(tx Tx, r *endpointResult, now when.Instant) (e Endpoint, why DisabledReason, err error) {
	e, err = tx.Endpoint(r.id)
	if errors.Is(err, fault.ErrNotFound) || err == nil && !e.Enabled {
		return e, "", nil
	}
	if err != nil {
		return e, "", err
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
			return e, "", err
		}
		e.FailingSince = since
	}
	switch {
	case r.gone:
		why = DisabledGone
	case e.failsTooLong(now):
		why = DisabledFailing
	}
	return e, why, nil
}

func (e *Endpoint) failsTooLong(now when.Instant) bool {
	return e.FailingSince != 0 && now >= e.FailingSince.Add(failingLimit)
}

// disableFor disables an endpoint and informs the owner: in the server's log, by the reason in every list of endpoints,
// and by mail. It has a transaction of its own, because who locks a workspace and writes to its endpoints does it in
// this order.
func (s *Service) disableFor(ctx context.Context, ill illness) error {
	var disabled *Endpoint
	err := s.Quietly(ctx, func(tx Tx) error {
		disabled = nil
		now := when.At(s.Core.Now())
		err := tx.LockWorkspace(ill.workspace)
		var e Endpoint
		if err == nil {
			e, err = tx.Endpoint(ill.endpoint)
		}
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if !e.Enabled || ill.why == DisabledFailing && !e.failsTooLong(now) { // the owner was faster, or it works again
			return nil
		}
		disabled = &e
		e.disable(ill.why, now)
		if err := tx.UpdateEndpoint(&e); err != nil {
			return err
		}
		err = audit.Note(tx, s.Now(), app.Actor{Kind: booking.BySystem, Workspace: e.WorkspaceID},
			audit.Entry{Action: audit.EndpointDisabled, Subject: e.ID.String()})
		if err != nil {
			return err
		}
		return s.disabled(tx, e.WorkspaceID, e.URL, string(e.DisabledReason))
	})
	if err == nil && disabled != nil {
		s.Core.Log().Warn("webhook endpoint disabled", "endpoint", ill.endpoint.String(), "workspace",
			ill.workspace.String(), "reason", string(ill.why), "action", fmt.Sprintf("daybook webhooks enable %s", ill.endpoint))
	}
	return err
}

// PruneWebhooks deletes at most limit deliveries and limit events older than before, and reports whether more may be
// left.
func (s *Service) PruneWebhooks(ctx context.Context, before time.Time, limit int) (more bool, err error) {
	err = s.Quietly(ctx, func(tx Tx) error {
		deliveries, err := tx.PruneDeliveries(id.First[booking.DeliveryIDKind](before), limit)
		if err != nil {
			return err
		}
		if more = deliveries == limit; more {
			return nil // events after deliveries
		}
		events, err := tx.PruneEvents(id.First[booking.EventIDKind](before), limit)
		if err != nil {
			return err
		}
		more = events == limit
		_, err = tx.PruneEndpoints(limit)
		return err
	})
	return more, err
}
