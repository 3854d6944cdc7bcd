package store

import (
	"context"

	"daybook/store/account"
	"daybook/store/audit"
	"daybook/store/calsync"
	"daybook/store/contact"
	"daybook/store/counter"
	"daybook/store/engine"
	"daybook/store/factor"
	"daybook/store/feed"
	"daybook/store/form"
	"daybook/store/guest"
	"daybook/store/hold"
	"daybook/store/invitation"
	"daybook/store/mail"
	"daybook/store/oauth"
	"daybook/store/payment"
	"daybook/store/picture"
	"daybook/store/push"
	"daybook/store/report"
	"daybook/store/retention"
	"daybook/store/server"
	"daybook/store/webhook"
	"daybook/store/workspace"
)

// queries implement app.Reader and the rooms' Readers: on the readers' pool, or within a transaction. They are the
// reads of this package's nouns, and those of the packages below it. One pointer, which an interface holds as it is.
type queries struct{ *nouns }

type nouns struct {
	*engine.Querier
	numbering *numbering // nil within a transaction, and where inserts take numbers
	accountQueries
	auditQueries
	calsyncQueries
	contactQueries
	counterQueries
	factorQueries
	feedQueries
	holdQueries
	guestQueries
	invitationQueries
	mailQueries
	oauthQueries
	paymentQueries
	pictureQueries
	pushQueries
	reportQueries
	retentionQueries
	serverQueries
	webhookQueries
	workspaceQueries
}

// tx implements app.Tx and the rooms'.
type tx struct {
	queries
	*engine.Transaction
	uid *uidDomain
	accountTx
	auditTx
	calsyncTx
	counterTx
	factorTx
	feedTx
	formTx
	holdTx
	guestTx
	invitationTx
	mailTx
	oauthTx
	paymentTx
	pictureTx
	pushTx
	reportTx
	retentionTx
	serverTx
	webhookTx
	workspaceTx
}

// Try implements app.Tx by Transaction.Try. Numbers that an undone part gave to domains are not remembered.
func (t tx) Try(part func() error) error {
	before := *t.uid
	err := t.Transaction.Try(part)
	if err != nil {
		*t.uid = before
	}
	return err
}

// The same by names that can stand side by side.
type (
	accountQueries    = account.Queries
	accountTx         = account.Tx
	auditQueries      = audit.Queries
	auditTx           = audit.Tx
	calsyncQueries    = calsync.Queries
	calsyncTx         = calsync.Tx
	contactQueries    = contact.Queries
	counterQueries    = counter.Queries
	counterTx         = counter.Tx
	factorQueries     = factor.Queries
	factorTx          = factor.Tx
	feedQueries       = feed.Queries
	feedTx            = feed.Tx
	formTx            = form.Tx
	holdQueries       = hold.Queries
	holdTx            = hold.Tx
	guestQueries      = guest.Queries
	guestTx           = guest.Tx
	invitationQueries = invitation.Queries
	invitationTx      = invitation.Tx
	mailQueries       = mail.Queries
	mailTx            = mail.Tx
	oauthQueries      = oauth.Queries
	oauthTx           = oauth.Tx
	paymentQueries    = payment.Queries
	paymentTx         = payment.Tx
	pictureQueries    = picture.Queries
	pictureTx         = picture.Tx
	pushQueries       = push.Queries
	pushTx            = push.Tx
	reportQueries     = report.Queries
	reportTx          = report.Tx
	retentionQueries  = retention.Queries
	retentionTx       = retention.Tx
	serverQueries     = server.Queries
	serverTx          = server.Tx
	webhookQueries    = webhook.Queries
	webhookTx         = webhook.Tx
	workspaceQueries  = workspace.Queries
	workspaceTx       = workspace.Tx
)

// reader reads what was last committed: one object, since each request makes one.
func reader(ctx context.Context, readers *engine.Pool, n *numbering) queries {
	r := &struct {
		nouns
		q engine.Querier
	}{q: *engine.NewQuerier(ctx, readers)}
	r.nouns = nounsOn(&r.q)
	r.numbering = n
	return queries{&r.nouns}
}

func nounsOn(q *engine.Querier) nouns {
	return nouns{
		Querier:           q,
		accountQueries:    account.Queries{Querier: q},
		auditQueries:      audit.Queries{Querier: q},
		calsyncQueries:    calsync.Queries{Querier: q},
		contactQueries:    contact.Queries{Querier: q},
		counterQueries:    counter.Queries{Querier: q},
		factorQueries:     factor.Queries{Querier: q},
		feedQueries:       feed.Queries{Querier: q},
		holdQueries:       hold.Queries{Querier: q},
		guestQueries:      guest.Queries{Querier: q},
		invitationQueries: invitation.Queries{Querier: q},
		mailQueries:       mail.Queries{Querier: q},
		oauthQueries:      oauth.Queries{Querier: q},
		paymentQueries:    payment.Queries{Querier: q},
		pictureQueries:    picture.Queries{Querier: q},
		pushQueries:       push.Queries{Querier: q},
		reportQueries:     report.Queries{Querier: q},
		retentionQueries:  retention.Queries{Querier: q},
		serverQueries:     server.Queries{Querier: q},
		webhookQueries:    webhook.Queries{Querier: q},
		workspaceQueries:  workspace.Queries{Querier: q},
	}
}

func newTx(t *engine.Transaction) tx {
	n := nounsOn(t.Querier())
	return tx{
		queries: queries{&n}, Transaction: t, uid: &uidDomain{},
		accountTx:    account.Tx{Transaction: t},
		auditTx:      audit.Tx{Transaction: t},
		calsyncTx:    calsync.Tx{Transaction: t},
		counterTx:    counter.Tx{Transaction: t},
		factorTx:     factor.Tx{Transaction: t},
		feedTx:       feed.Tx{Transaction: t},
		formTx:       form.Tx{Transaction: t},
		holdTx:       hold.Tx{Transaction: t},
		guestTx:      guest.Tx{Transaction: t},
		invitationTx: invitation.Tx{Transaction: t},
		mailTx:       mail.Tx{Transaction: t},
		oauthTx:      oauth.Tx{Transaction: t},
		paymentTx:    payment.Tx{Transaction: t},
		pictureTx:    picture.Tx{Transaction: t},
		pushTx:       push.Tx{Transaction: t},
		reportTx:     report.Tx{Transaction: t},
		retentionTx:  retention.Tx{Transaction: t},
		serverTx:     server.Tx{Transaction: t},
		webhookTx:    webhook.Tx{Transaction: t},
		workspaceTx:  workspace.Tx{Transaction: t},
	}
}
