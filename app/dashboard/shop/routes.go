package shop

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// Routes are the routes of this part, each with the right that it needs.
var Routes = []web.Route{
	web.On("GET /dashboard/types", app.MayManageEventTypes, call.types),
	web.On("GET /dashboard/types/new", app.MayManageEventTypes, call.newTypeForm),
	web.On("POST /dashboard/types/new", app.MayManageEventTypes, call.newType),
	web.On("GET /dashboard/types/{id}", app.MayManageEventTypes, call.typeForm),
	web.On("POST /dashboard/types/{id}", app.MayManageEventTypes, call.changeType),
	web.On("POST /dashboard/types/new/preview", app.MayManageEventTypes, call.previewNewType),
	web.On("POST /dashboard/types/{id}/preview", app.MayManageEventTypes, call.previewChangedType),
	web.On("POST /dashboard/types/new/mail", app.MayManageEventTypes, call.previewNewMail),
	web.On("POST /dashboard/types/{id}/mail", app.MayManageEventTypes, call.previewChangedMail),
	web.On("POST /dashboard/types/new/texts", app.MayManageEventTypes, call.previewNewTexts),
	web.On("POST /dashboard/types/{id}/texts", app.MayManageEventTypes, call.previewChangedTexts),
	web.On("POST /dashboard/types/{id}/switch", app.MayManageEventTypes, call.switchType),
	web.On("POST /dashboard/types/{id}/copy", app.MayManageEventTypes, call.copyType),
	web.On("POST /dashboard/types/{id}/move", app.MayManageEventTypes, call.moveTypeBy),
	web.On("POST /dashboard/types/{id}/category", app.MayManageEventTypes, call.moveCategory),
	web.On("POST /dashboard/types/{id}/price", app.MayManageEventTypes, call.priceType),

	web.On("GET /dashboard/products", app.MayManageProducts, call.products),
	web.On("GET /dashboard/products/new", app.MayManageProducts, call.newProductForm),
	web.On("POST /dashboard/products/new", app.MayManageProducts, call.newProduct),
	web.On("GET /dashboard/products/{id}", app.MayManageProducts, call.productForm),
	web.On("POST /dashboard/products/{id}", app.MayManageProducts, call.changeProduct),
	web.On("POST /dashboard/products/{id}/stock", app.MayManageProducts, call.countProduct),
	web.On("POST /dashboard/products/{id}/active", app.MayManageProducts, call.switchProduct),
	web.On("POST /dashboard/products/{id}/delete", app.MayManageProducts, call.deleteProduct),

	web.On("GET /dashboard/hosts", app.MaySeeHosts, call.team),
	web.On("GET /dashboard/hosts/new", app.MayManageHosts, call.newPersonForm),
	web.On("POST /dashboard/hosts/new", app.MayManageHosts, call.addPerson),
	web.On("GET /dashboard/hosts/{id}", app.MaySeeHosts, call.profile),
	web.On("POST /dashboard/hosts/{id}", app.MaySetHours, call.saveProfile),
	web.On("GET /dashboard/hosts/{id}/services", app.MayManageEventTypes, call.hostServices),
	web.On("POST /dashboard/hosts/{id}/services", app.MayManageEventTypes, call.saveHostServices),
	web.On("GET /dashboard/hosts/{id}/hours", app.MaySeeHosts, call.hostHours),
	web.On("POST /dashboard/hosts/{id}/hours", app.MaySetHours, call.saveHours),
	web.On("GET /dashboard/hosts/{id}/calendar", app.MayConnectCalendars, call.hostCalendar),
	web.On("POST /dashboard/hosts/{id}/calendar", app.MaySetHours, call.saveHostCalendar),
	web.On("GET /dashboard/hosts/{id}/sign-in", app.MayManageMembers, call.signIn),
	web.On("POST /dashboard/hosts/{id}/sign-in", app.MayManageMembers, call.saveSignIn),
	web.On("POST /dashboard/hosts/{id}/sign-in/again", app.MayManageMembers, call.signInAgain),
	web.On("POST /dashboard/hosts/{id}/sign-in/end", app.MayManageMembers, call.endSignIn),
	web.On("POST /dashboard/hosts/{id}/active", app.MayManageHosts, call.switchHost),
	web.On("POST /dashboard/hosts/{id}/picture", app.MayManageHosts, call.uploadHostPicture),
	web.On("POST /dashboard/hosts/{id}/picture/remove", app.MayManageHosts, call.removeHostPicture),
	web.On("GET /dashboard/hosts/{id}/dates", app.MaySeeHosts, call.hostDates),
	web.On("POST /dashboard/hosts/{id}/dates", app.MaySetHours, call.saveHostDate),
	web.On("GET /dashboard/hosts/{id}/away", app.MaySeeHosts, call.hostAway),
	web.On("POST /dashboard/hosts/{id}/away", app.MaySetHours, call.addAway),
	web.On("POST /dashboard/hosts/{id}/away/remove", app.MaySetHours, call.removeAway),
	web.On("POST /dashboard/hosts/{id}/away/holidays", app.MaySetHours, call.saveHolidays),
	web.On("GET /dashboard/hosts/{id}/why", app.MaySeeHosts, call.hostWhy),

	web.On("GET /dashboard/resources", app.MaySeeHosts, call.resources),
	web.On("GET /dashboard/resources/new", app.MayManageHosts, call.newResourceForm),
	web.On("POST /dashboard/resources/new", app.MayManageHosts, call.createResources),
	web.On("GET /dashboard/resources/{id}", app.MayManageHosts, call.resourceForm),
	web.On("POST /dashboard/resources/{id}", app.MayManageHosts, call.saveResource),
	web.On("POST /dashboard/resources/{id}/active", app.MayManageHosts, call.switchResource),
	web.On("GET /dashboard/resources/{id}/away", app.MayManageHosts, call.resourceAway),
	web.On("POST /dashboard/resources/{id}/away", app.MayManageHosts, call.addResourceAway),
	web.On("POST /dashboard/resources/{id}/away/remove", app.MayManageHosts, call.removeResourceAway),
}
