package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// TillRoutes are the routes of this part, each with the right that it needs.
var TillRoutes = []web.Route{
	web.On("GET /dashboard/bookings/{id}/pay", app.MayTakeMoney, call.payForm),
	web.On("POST /dashboard/bookings/{id}/pay", app.MayTakeMoney, call.pay),
	web.On("POST /dashboard/bookings/{id}/receipt", app.MayTakeMoney, call.issue),
	web.On("GET /dashboard/till", app.MaySeeTill, call.day),
	web.On("GET /dashboard/till/sell", app.MayTakeMoney, call.sell),
	web.On("POST /dashboard/till/sell", app.MayTakeMoney, call.newSale),
	web.On("GET /dashboard/till/sales/{id}", app.MaySeeReceipts, call.sale),
	web.On("POST /dashboard/till/sales/{id}", app.MayTakeMoney, call.changeSale),
	web.On("POST /dashboard/till/sales/{id}/pay", app.MayTakeMoney, call.paySale),
	web.On("POST /dashboard/till/sales/{id}/void", app.MayTakeMoney, call.voidSale),
	web.On("POST /dashboard/till/sales/{id}/refund", app.MayTakeMoney, call.refundSale),
	web.On("POST /dashboard/till/close", app.MayCloseDay, call.closeDay),
	web.On("POST /dashboard/till/payments/{id}/back", app.MayTakeMoney, call.giveBack),
	web.On("GET /dashboard/till/books", app.MaySeeTill, call.books),
	web.On("GET /dashboard/till/books/datev", app.MaySeeTill, call.booksDATEV),
	web.On("GET /dashboard/till/books/table", app.MaySeeTill, call.booksTable),
	web.On("GET /dashboard/till/passes", app.MaySeeReceipts, call.passes),
	web.On("GET /dashboard/till/passes/owed", app.MaySeeTill, call.owed),
	web.On("GET /dashboard/till/passes/{id}", app.MaySeeReceipts, call.pass),
	web.On("POST /dashboard/till/passes/{id}/print", app.MayTakeMoney, call.printPass),
	web.On("GET /dashboard/till/receipts", app.MaySeeReceipts, call.receipts),
	web.On("GET /dashboard/till/receipts/{id}", app.MaySeeReceipts, call.receipt),
	web.On("POST /dashboard/till/receipts/{id}/mail", app.MayMailReceipts, call.mailReceipt),
}

// tabs returns the pages of the till.
func (c call) tabs(at string) (all []dash.Tab) {
	if c.May(app.MaySeeTill) {
		all = append(all, dash.Tab{Label: c.T("till_day"), URL: dash.TillPath, Current: at == dash.TillPath})
	}
	all = append(all, dash.Tab{Label: c.T("till_receipts"), URL: dash.ReceiptsPath, Current: at == dash.ReceiptsPath},
		dash.Tab{Label: c.T("pass_title"), URL: dash.PassesPath, Current: at == dash.PassesPath})
	if c.May(app.MaySeeTill) {
		all = append(all, dash.Tab{Label: c.T("books_till"), URL: dash.BooksPath, Current: at == dash.BooksPath})
	}
	return all
}
