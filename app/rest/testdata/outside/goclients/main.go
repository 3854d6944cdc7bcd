// What an integrator does in Go with the clients that oapi-codegen and ogen generate from the document: it reads and
// makes what has empty fields and answers of each type. Arguments: the server's address and a key.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"clients/oapi"
	"clients/ogen"
)

type key string

func (k key) Bearer(context.Context, ogen.OperationName) (ogen.Bearer, error) {
	return ogen.Bearer{Token: string(k)}, nil
}

func (k key) PublicKey(context.Context, ogen.OperationName) (ogen.PublicKey, error) {
	return ogen.PublicKey{Token: string(k)}, nil
}

// expect ends the program unless the call answered a value of the type.
func expect(answer any, err error, name string) {
	if err != nil {
		log.Fatalf("%s: %v", name, err)
	}
	if !strings.Contains(fmt.Sprintf("%T", answer), name) {
		log.Fatalf("%T is no %s: %+v", answer, name, answer)
	}
}

func main() {
	ctx, server := context.Background(), os.Args[1]
	o, err := ogen.NewClient(server, key(os.Args[2]))
	if err != nil {
		log.Fatal(err)
	}
	contacts, err := o.ListContacts(ctx, ogen.ListContactsParams{})
	expect(contacts, err, "ContactList")
	made, err := o.CreateContact(ctx, &ogen.ContactRequest{Name: ogen.NewOptString("Og"), Phone: ogen.NewOptString("+4930901821")},
		ogen.CreateContactParams{})
	expect(made, err, "Contact")
	bookings, err := o.ListBookings(ctx, ogen.ListBookingsParams{})
	expect(bookings, err, "BookingList")
	events, err := o.ListEvents(ctx, ogen.ListEventsParams{})
	expect(events, err, "EventList")

	c, err := oapi.NewClientWithResponses(server, oapi.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	all, err := c.ListContactsWithResponse(ctx, nil)
	if err != nil || all.JSON200 == nil {
		log.Fatal("oapi-codegen: contacts: ", err)
	}
	name, phone := "Oa", "+4930901822"
	one, err := c.CreateContactWithResponse(ctx, nil, oapi.ContactRequest{Name: &name, Phone: &phone})
	if err != nil || one.JSON201 == nil || one.JSON201.Email != "" {
		log.Fatal("oapi-codegen: contact: ", err)
	}
	booked, err := c.ListBookingsWithResponse(ctx, nil)
	if err != nil || booked.JSON200 == nil || len(booked.JSON200.Data) == 0 {
		log.Fatal("oapi-codegen: bookings: ", err)
	}
	tone, err := booked.JSON200.Data[0].Answers["tone"].AsBookingAnswers0()
	if err != nil || tone != "red" {
		log.Fatal("oapi-codegen: answers: ", tone, err)
	}
	fmt.Println("ok")
}
