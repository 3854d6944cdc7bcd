// package dashboard is the door of the people who run a workspace: owner, managers and staff.
//
// All routes stand in one table (routes.go) with the role that each needs; a handler has a file of its own, or shares one
// with its form. A handler turns a request into calls of app.Service and those answers into a view model of package
// views; every rule is the Service's. It never imports store, another door, or SQL.
//
// Pages are whole documents that work without scripts; assets/dash.js exchanges their main part in place, so that
// nothing reloads. A refused form is answered with 422 and comes back with everything that was typed.
package dashboard
