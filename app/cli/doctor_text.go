package cli

import (
	"context"
	"fmt"

	"daybook/app"
	"daybook/app/text"
)

// checkTexts looks at the senders of texts to telephones, and for texts that could not be sent. It sends none.
func checkTexts(ctx context.Context, t *target) (all []result) {
	workspaces, err := t.Set.Workspaces(ctx, app.Operator(0))
	if err != nil {
		return []result{fail("texts", err.Error(), "")}
	}
	one := 1
	for _, w := range workspaces {
		sender, err := t.Set.Text.Sender(ctx, app.Operator(w.ID))
		if err != nil {
			all = append(all, fail("texts", fmt.Sprintf("The sender of texts of %s can't be read: %v", w.Slug, err), "Set it again under Integrations, Texts."))
			continue
		}
		if sender == nil {
			continue
		}
		page, err := t.Set.Text.Texts(ctx, app.Operator(w.ID), text.ListInput{State: string(text.Failed), Limit: &one})
		switch {
		case err != nil:
			all = append(all, fail("texts", err.Error(), ""))
		case len(page.Data) > 0:
			all = append(all, warn("texts", fmt.Sprintf("The latest text of %s that was given up: %s", w.Slug, page.Data[0].Answer),
				"See daybook texts log --state failed, and Integrations, Texts."))
		default:
			all = append(all, fine("texts", "%s sends texts by %s", w.Slug, sender.String()))
		}
	}
	return all
}
