package page

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/views"
)

// cancelVisitForm asks whether to cancel all of the visit; if that is not possible, the visit's page says why.
func cancelVisitForm(c *call) error {
	v, err := c.enterVisit()
	if err != nil {
		return err
	}
	if live := v.Live(); len(live) == 0 || c.lateOf(live) != nil {
		return c.redirect(views.VisitPath(visitToken(&v), c.query.Look()))
	}
	p := c.cancelVisitPage(&v)
	if err := c.askScope(&p.CancelPage, &v.Live()[0], "", nil); err != nil {
		return err
	}
	return c.show(http.StatusOK, views.CancelVisitView(p))
}

func (c *call) cancelVisitPage(v *booking.Visit) views.CancelVisitPage {
	look := c.query.Look()
	p := views.CancelPage{
		Page: c.page(), Event: c.visitView(v), Start: c.local(v.Start), End: c.local(v.End), Zone: c.zone.String(),
		Action: views.CancelVisitPath(visitToken(v), look), BackURL: views.VisitPath(visitToken(v), look),
	}
	p.Title = c.locale.T("visit_cancel_title")
	p.Refund, p.Lost = c.comesBack(v.Items)
	p.Passes = c.passesBack(v.Items)
	return views.CancelVisitPage{CancelPage: p, Items: c.visitItems(v, v.Live())}
}

// cancelVisit cancels all that is live of the visit. No fee can be due for that: within the notice of one of its services
// the Service refuses, and each is cancelled on its own page, which names its fee.
func cancelVisit(c *call) error {
	v, err := c.enterVisit()
	if err != nil {
		return err
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	in := app.CancelInput{Reason: c.r.PostForm.Get("reason")}
	first, to := v.Items[0], views.VisitPath(visitToken(&v), c.query.Look())
	scope := c.scope(&first)
	if scope != booking.SeriesThis {
		err = c.cancelDates(&first, scope, in, to, func(status int, note string) error {
			now, _, err := c.service.VisitByToken(c.r.Context(), visitToken(&v))
			if err != nil {
				return err
			}
			return c.showVisitNoted(status, &now, note)
		})
		if fault.As(err) == nil {
			return err
		}
	} else {
		_, err = c.service.CancelVisit(c.r.Context(), c.actor, v.ID.String(), in)
	}
	switch e := fault.As(err); {
	case e != nil && e.Code == fault.Conflict:
		return c.showVisit(http.StatusConflict, &v)
	case e != nil && e.Field == "reason":
		p := c.cancelVisitPage(&v)
		if err := c.askScope(&p.CancelPage, &first, string(scope), nil); err != nil {
			return err
		}
		p.Reason = in.Reason
		p.Problem = c.locale.Labelled(c.locale.T("cancel_reason"), c.locale.T("error_too_long", "Count", fault.MaxReason))
		return c.show(http.StatusUnprocessableEntity, views.CancelVisitView(p))
	case err != nil:
		return err
	}
	return c.redirect(to)
}
