// package form is the room of what holds back who fills in a booking form: how much a network address books in an hour,
// what a proof of work may be used for, and that a form which is sent twice books once. It is counted in the database,
// so that it holds over all servers, exactly, whichever of them a request comes to. It imports no other room.
package form
