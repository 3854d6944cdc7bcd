package settings

import (
	"daybook/app"
	"daybook/app/dashboard/web"
)

// call is one request for a page of this part.
type call struct{ *web.Call }

// SettingsRoutes are the routes of this part, each with the right that it needs.
var SettingsRoutes = []web.Route{
	web.On("GET /dashboard/settings", app.MayManageWorkspace, call.settings),
	web.On("POST /dashboard/settings", app.MayManageWorkspace, call.saveSettings),
	web.On("GET /dashboard/move-in", app.MayManageEventTypes, call.bring),
	web.On("POST /dashboard/move-in", app.MayManageEventTypes, call.lookAtProgram),
	web.On("POST /dashboard/move-in/take", app.MayManageEventTypes, call.takeProgram),
	web.On("POST /dashboard/move-in/end", app.MayManageEventTypes, call.endProgram),
	web.On("GET /dashboard/settings/accounts", app.MayManageWorkspace, call.accounts),
	web.On("POST /dashboard/settings/accounts", app.MayManageWorkspace, call.saveAccounts),
	web.On("GET /dashboard/settings/consents", app.MayManageWorkspace, call.consents),
	web.On("POST /dashboard/settings/consents", app.MayManageWorkspace, call.saveConsents),
	web.On("GET /dashboard/settings/brand", app.MayManageWorkspace, call.brand),
	web.On("POST /dashboard/settings/brand/preview", app.MayManageWorkspace, call.previewBrand),
	web.On("POST /dashboard/settings/brand", app.MayManageWorkspace, call.saveBrand),
	web.On("POST /dashboard/settings/brand/picture", app.MayManageWorkspace, call.uploadLogo),
	web.On("POST /dashboard/settings/brand/picture/remove", app.MayManageWorkspace, call.removeLogo),
	web.On("POST /dashboard/settings/brand/photos/picture", app.MayManageWorkspace, call.addPhoto),
	web.On("POST /dashboard/settings/brand/photos/{id}", app.MayManageWorkspace, call.describePhoto),
	web.On("POST /dashboard/settings/brand/photos/{id}/move", app.MayManageWorkspace, call.movePhoto),
	web.On("POST /dashboard/settings/brand/photos/{id}/remove", app.MayManageWorkspace, call.removePhoto),
	web.On("GET /dashboard/settings/fields", app.MayManageWorkspace, call.fields),
	web.On("POST /dashboard/settings/fields", app.MayManageWorkspace, call.addField),
	web.On("POST /dashboard/settings/fields/{key}", app.MayManageWorkspace, call.changeField),
	web.On("POST /dashboard/settings/fields/{key}/move", app.MayManageWorkspace, call.moveField),
	web.On("POST /dashboard/settings/fields/{key}/remove", app.MayManageWorkspace, call.removeField),
	web.On("GET /dashboard/settings/members", app.MayManageMembers, call.members),
	web.On("POST /dashboard/settings/members", app.MayManageMembers, call.inviteMember),
	web.On("POST /dashboard/settings/factor", app.MayManageMembers, call.requireFactor),
	web.On("POST /dashboard/settings/members/{id}", app.MayManageMembers, call.changeMember),
	web.On("POST /dashboard/settings/members/{id}/invite", app.MayManageMembers, call.inviteAgain),
	web.On("POST /dashboard/settings/members/{id}/remove", app.MayManageMembers, call.removeMember),
	web.On("GET /dashboard/settings/health", app.MaySeeHealth, call.health),
	web.On("POST /dashboard/settings/health/keys", app.MaySeeHealth, call.confirmKeys),
	web.On("GET /dashboard/settings/log", app.MaySeeAuditLog, call.log),
	web.On("GET /dashboard/settings/log/export", app.MaySeeAuditLog, call.exportLog),
	web.On("GET /dashboard/settings/data", app.MayExportAll, call.data),
	web.On("GET /dashboard/settings/export", app.MayExportAll, call.exportAll),
	web.On("GET /dashboard/settings/setup", app.MayExportAll, call.exportSetup),
	web.On("GET /dashboard/settings/privacy", app.MayManagePrivacy, call.privacy),
	web.On("POST /dashboard/settings/privacy", app.MayManagePrivacy, call.savePrivacy),
	web.On("POST /dashboard/settings/privacy/off", app.MayManagePrivacy, call.endPrivacy),
	web.On("POST /dashboard/settings/delete", app.MayDeleteWorkspace, call.deleteWorkspace),
}
