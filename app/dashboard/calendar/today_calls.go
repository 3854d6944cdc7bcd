package calendar

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// callRoutes note that somebody was told of what nothing else had told them of.
var callRoutes = []web.Route{
	web.On("POST /dashboard/calls/{id}/told", app.MayEdit, call.told),
}

// callWhat says what they are to be told.
var callWhat = map[catalog.TextKind]string{catalog.TextMoved: "call_moved", catalog.TextCancelled: "call_cancelled",
	catalog.TextOffered: "call_offered"}

// toCall are the customers whom nothing told of a change, a cancellation or an offer.
func (c call) toCall() (rows []dash.CallRow, err error) {
	all, err := c.Subjects.Text.Calls(c.Context(), c.Actor)
	for i := range all {
		k := &all[i]
		at := k.Start.Time().In(c.Zone())
		row := dash.CallRow{Name: k.Name, Phone: c.Phone(k.Phone), Tel: "tel:" + web.Dialled(k.Phone),
			What: c.T(callWhat[k.Kind], "When", c.Locale.ShortDay(at)+", "+c.Clock(k.Start)), Why: c.T("call_why_" + string(k.Reason()))}
		if row.Name == "" {
			row.Name = row.Phone
		}
		if k.BookingID != 0 {
			row.URL = dash.BookingPath(k.BookingID.String())
		}
		if k.Kind == catalog.TextOffered {
			row.URL = dash.WaitlistPath
		}
		if c.May(app.MayEdit) {
			row.ToldURL = dash.CallToldPath(k.ID.String())
		}
		rows = append(rows, row)
	}
	return rows, err
}

func (c call) told() error {
	if err := c.Subjects.Text.Called(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.TodayPath, "told")
}
