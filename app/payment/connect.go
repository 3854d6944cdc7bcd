package payment

import (
	"context"
	"errors"
	"strconv"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// SetProvider sets the payment provider. It must be called before the Service is used.
func (s *Service) SetProvider(p Provider) { s.provider = p }

// TakesCards reports whether the workspace has an account at the payment provider, so that prices can be paid online
// and fees can be charged.
func (s *Service) TakesCards(ws catalog.WorkspaceID) bool {
	setup, err := s.Core.Setup(ws)
	return err == nil && setup.TakesCards
}

// HasAccount reports whether the workspace is connected to an account at the payment provider.
func HasAccount(r Reader, ws catalog.WorkspaceID) (bool, error) {
	_, err := r.PaymentAccount(ws)
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Keys connect a workspace to its Stripe account.
type Keys struct {
	SecretKey     string // sk_… or rk_…
	SigningSecret string // whsec_…, of the webhook endpoint in Stripe's dashboard
}

// Connection is the state of a workspace's connection to its payment provider.
type Connection struct {
	Workspace   string       `json:"workspace"`
	Connected   bool         `json:"connected"`
	Mode        string       `json:"mode,omitempty"` // test or live
	Account     string       `json:"account,omitempty"`
	KeyWorks    bool         `json:"keyWorks"`
	Problem     string       `json:"problem,omitempty"` // what is wrong with the key
	LastEvent   string       `json:"lastEvent,omitempty"`
	LastEventAt when.Instant `json:"lastEventAt"` // when an event of the provider's last arrived
	WebhookURL  string       `json:"webhookUrl"`  // to be entered in Stripe's dashboard
	ConnectedAt when.Instant `json:"connectedAt"`
}

func (s *Service) paymentWebhookURL(slug string) string {
	return s.Core.BaseURL() + "/api/stripe/" + slug
}

// ConnectPayments saves the keys of a workspace's Stripe account, replacing earlier ones, after Stripe has accepted the
// secret key. Errors: forbidden, bad_request (secretKey or signingSecret), conflict payments_open, conflict
// provider_unreachable.
func (s *Service) ConnectPayments(ctx context.Context, a app.Actor, keys Keys) (Connection, error) {
	if err := a.May(app.MayManagePayments); err != nil {
		return Connection{}, err
	}
	if err := s.mayAsk(a.Workspace); err != nil {
		return Connection{}, notConnected(err)
	}
	if err := s.provider.CheckKeys(&keys); err != nil {
		return Connection{}, err
	}
	account, err := s.provider.Account(ctx, keys.SecretKey)
	if err != nil {
		return Connection{}, notConnected(err)
	}
	now := when.At(s.Core.Now())
	err = s.Write(ctx, func(tx Tx) error {
		kept := Account{
			WorkspaceID: a.Workspace, SecretKey: s.Core.Vault().Seal([]byte(keys.SecretKey)),
			SigningSecret: s.Core.Vault().Seal([]byte(keys.SigningSecret)),
			Live:          account.Live, Account: account.ID, ConnectedAt: now, LookedAt: now,
		}
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if before, err := tx.PaymentAccount(a.Workspace); err == nil {
			if before.Live != account.Live || before.Account != account.ID {
				if open, err := tx.UnsettledPayments(a.Workspace, 0, 1); err != nil || len(open) > 0 {
					return orElse(err, fault.Conflictf("payments_open",
						"Payments or refunds of the account connected now are still on their way; connect another one once they are "+
							"settled."))
				}
			} else {
				kept.LookedAt = before.LookedAt
			}
		} else if !errors.Is(err, fault.ErrNotFound) {
			return err
		}
		if err := tx.SavePaymentAccount(&kept); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.PaymentsConnected, To: mode(account.Live)})
	})
	if err != nil {
		return Connection{}, err
	}
	return s.Connection(ctx, a, false)
}

// notConnected returns the error for a key that Stripe refused, or that could not be tried.
func notConnected(err error) error {
	if e, ok := err.(*ProviderError); ok && e.Fault != ProviderDown {
		return fault.Invalid("secretKey", "was refused by Stripe: %s", e.Error())
	}
	return fault.New(fault.Conflict, "provider_unreachable",
		"Stripe could not be asked whether the key works (%s). Nothing was saved; try again.", providerText(err))
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// DisconnectPayments deletes the keys. From then on bookings are paid on site; jobs for Stripe wait three days for the
// account to be connected again. Errors: forbidden, not_found.
func (s *Service) DisconnectPayments(ctx context.Context, a app.Actor) error {
	if err := a.May(app.MayManagePayments); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if _, err := tx.PaymentAccount(a.Workspace); err != nil {
			return fault.OrMissing(err, fault.New(fault.NotFound, "", "No Stripe account is connected to this workspace."))
		}
		if err := tx.DeletePaymentAccount(a.Workspace); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.PaymentsDisconnected})
	})
}

// Connection returns the state of the workspace's connection to Stripe. With try it asks Stripe whether the key works.
// Errors: forbidden.
func (s *Service) Connection(ctx context.Context, a app.Actor, try bool) (Connection, error) {
	if err := a.May(app.MayManagePayments); err != nil {
		return Connection{}, err
	}
	ws, err := s.Reader(ctx).Workspace(a.Workspace)
	if err != nil {
		return Connection{}, err
	}
	c := Connection{Workspace: ws.Slug, WebhookURL: s.paymentWebhookURL(ws.Slug)}
	account, err := s.Reader(ctx).PaymentAccount(a.Workspace)
	if errors.Is(err, fault.ErrNotFound) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	c.Connected, c.Account, c.ConnectedAt = true, account.Account, account.ConnectedAt
	c.LastEvent, c.LastEventAt = account.LastEvent, account.LastEventAt
	c.Mode, c.KeyWorks = mode(account.Live), true
	if !try {
		return c, nil
	}
	key, err := s.providerKey(s.Reader(ctx), a.Workspace)
	if err == nil {
		_, err = s.provider.Account(ctx, key)
	}
	if err != nil {
		c.KeyWorks, c.Problem = false, providerText(err)
	}
	return c, nil
}

func mode(live bool) string {
	if live {
		return "live"
	}
	return "test"
}

// SigningSecret returns the secret with which the provider signs its events to the workspace, given by slug or id.
// Errors: not_found.
func (s *Service) SigningSecret(ctx context.Context, ref string) (catalog.WorkspaceID, string, error) {
	missing := fault.New(fault.NotFound, "", "No Stripe account is connected here.")
	ws, err := s.Reader(ctx).WorkspaceBySlug(ref)
	if errors.Is(err, fault.ErrNotFound) {
		if id, wrong := id.Parse[catalog.WorkspaceIDKind](ref); wrong == nil {
			ws, err = s.Reader(ctx).Workspace(id)
		}
	}
	if err != nil {
		return 0, "", fault.OrMissing(err, missing)
	}
	a, err := s.Reader(ctx).PaymentAccount(ws.ID)
	if err != nil {
		return 0, "", fault.OrMissing(err, missing)
	}
	secret, err := s.Core.Vault().Open(a.SigningSecret)
	return ws.ID, string(secret), err
}

// mayAsk is an error where the provider is not asked about a workspace.
func (s *Service) mayAsk(ws catalog.WorkspaceID) error {
	switch {
	case s.provider == nil:
		return &ProviderError{Fault: ProviderDown, Message: "this process has no payment provider"}
	}
	return nil
}

// providerKey returns the workspace's key, unsealed. Nobody asks the provider without it.
func (s *Service) providerKey(r Reader, ws catalog.WorkspaceID) (string, error) {
	if err := s.mayAsk(ws); err != nil {
		return "", err
	}
	a, err := r.PaymentAccount(ws)
	if errors.Is(err, fault.ErrNotFound) {
		return "", &ProviderError{Fault: ProviderDenied, Message: "no Stripe account is connected"}
	}
	if err != nil {
		return "", err
	}
	key, err := s.Core.Vault().Open(a.SecretKey)
	return string(key), err
}

// providerText returns the part of an error that an owner may see.
func providerText(err error) string {
	if e, ok := err.(*ProviderError); ok {
		return e.Error()
	}
	return "it could not be asked"
}

// BookingPayments lists a booking's payments, the oldest first: that of its price, and each attempt to charge a fee.
// Errors: not_found.
func (s *Service) BookingPayments(ctx context.Context, a app.Actor, id string) ([]Record, error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	b, err := s.Core.Find(ctx, a, id)
	if err != nil {
		return nil, err
	}
	all, err := s.Reader(ctx).PaymentsOf(b.ID)
	if all == nil {
		all = []Record{}
	}
	for i := range all {
		all[i].For = all[i].Kind.For()
	}
	return all, err
}

// Payments lists a workspace's payments, the newest first; with disputed only those with a dispute.
func (s *Service) Payments(ctx context.Context, a app.Actor, disputed bool, limit *int,
	after string) (fault.Page[Record], error) {
	if err := a.May(app.MayManagePayments); err != nil {
		return fault.Page[Record]{Data: []Record{}}, err
	}
	none := fault.Page[Record]{Data: []Record{}}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return none, err
	}
	list := fault.List{"payments", strconv.FormatBool(disputed)}
	var last int64
	if after != "" {
		if err := list.Read(after, &last); err != nil {
			return none, err
		}
	}
	rows, err := s.Reader(ctx).Payments(a.Workspace, booking.PaymentID(last), disputed, n+1)
	if err != nil {
		return none, err
	}
	for i := range rows {
		rows[i].For = rows[i].Kind.For()
	}
	return fault.PageOf(rows, n, func(p *Record) string { return list.Cursor(int64(p.ID)) }), nil
}

// Payment returns one of the workspace's payments. Errors: forbidden, not_found.
func (s *Service) Payment(ctx context.Context, a app.Actor, ref string) (Record, error) {
	if err := a.May(app.MayManagePayments); err != nil {
		return Record{}, err
	}
	missing := fault.Missing("payment", ref)
	id, err := id.Parse[booking.PaymentIDKind](ref)
	if err != nil {
		return Record{}, missing
	}
	p, err := s.Reader(ctx).Payment(id)
	if err == nil && p.WorkspaceID != a.Workspace {
		err = fault.ErrNotFound
	}
	p.For = p.Kind.For()
	return p, fault.OrMissing(err, missing)
}

// CardConsent returns what the invitee agrees to by saving a card for the fees of the booking, and when they did; nil
// if there is no such fee.
func (s *Service) CardConsent(ctx context.Context, a app.Actor, id string) (*Card, error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	b, err := s.Core.Find(ctx, a, id)
	if err != nil {
		return nil, err
	}
	c, err := s.Reader(ctx).PaymentCard(b.ID)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	return &c, err
}

// queueJob queues a job for the provider, due after that time.
func queueJob(tx Tx, now time.Time, j Job, in time.Duration) error {
	j.ID, j.CreatedAt, j.Due = id.New[paymentJobKind](now), when.At(now), when.At(now.Add(in))
	return tx.InsertPaymentJob(&j)
}
