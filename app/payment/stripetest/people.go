package stripetest

import (
	"fmt"
	"testing"
)

// What people do at Stripe: the invitee on the payment page, the owner in the dashboard, the bank.

// Session returns the id of the n-th payment page; a negative n counts from the end.
func (s *Server) Session(t testing.TB, n int) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for i := 1; i <= s.seq; i++ {
		if id := fmt.Sprintf("cs_test_%06d", i); s.sessions[id] != nil {
			ids = append(ids, id)
		}
	}
	if n < 0 {
		n += len(ids)
	}
	if n < 0 || n >= len(ids) {
		t.Fatalf("there are %d payment pages", len(ids))
	}
	return ids[n]
}

// Field returns a field of a payment page.
func (s *Server) Field(session, name string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session][name]
}

// Pay completes a payment page with a card that behaves like that later.
func (s *Server) Pay(t testing.TB, session string, card Card) {
	t.Helper()
	s.complete(t, session, card, true)
}

// PayLater completes a payment page by a method whose money takes days.
func (s *Server) PayLater(t testing.TB, session string) {
	t.Helper()
	s.complete(t, session, Good, false)
}

func (s *Server) complete(t testing.TB, session string, card Card, paid bool) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.sessions[session]
	if o == nil || o["status"] != "open" || o["expires_at"].(int64) < s.Now().Unix() {
		t.Fatalf("the payment page %s is not open: %v", session, o)
	}
	customer, method := s.id("cus"), s.id("pm")
	s.cards[method] = card
	o["status"], o["customer"] = "complete", customer
	if o["mode"] == "setup" {
		setup := object{"id": s.id("seti"), "object": "setup_intent", "status": "succeeded", "customer": customer,
			"payment_method": method}
		s.setups[setup["id"].(string)] = setup
		o["setup_intent"], o["payment_status"] = setup["id"], "no_payment_required"
		s.happen("checkout.session.completed", o)
		return
	}
	i := s.intent(customer, method, o["amount_total"].(int64), o["currency"].(string), o["_intent"].(object))
	o["payment_intent"] = i["id"]
	if !paid {
		i["status"] = "processing"
		s.happen("checkout.session.completed", o)
		return
	}
	o["payment_status"] = "paid"
	s.succeed(i)
	s.happen("checkout.session.completed", o)
}

// Arrive ends the wait for a payment that was made by PayLater.
func (s *Server) Arrive(session string, well bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.sessions[session]
	i := s.intents[o["payment_intent"].(string)]
	if !well {
		i["status"] = "requires_payment_method"
		s.happen("payment_intent.payment_failed", i)
		s.happen("checkout.session.async_payment_failed", o)
		return
	}
	s.succeed(i)
	o["payment_status"] = "paid"
	s.happen("checkout.session.async_payment_succeeded", o)
}

// Clear ends the wait for a charge of a slow card.
func (s *Server) Clear(intent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.succeed(s.intents[intent])
}

// RefundByHand refunds in Stripe's dashboard.
func (s *Server) RefundByHand(t testing.TB, intent string, amount int64) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, wrong := s.giveBack(s.intents[intent], amount, object{}, "succeeded"); wrong != nil {
		t.Fatal(wrong.object)
	}
}

// Dispute has the bank dispute a payment, or changes how the dispute stands.
func (s *Server) Dispute(intent, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.intents[intent]
	i["latest_charge"].(object)["disputed"] = true
	kind := "charge.dispute.created"
	for _, d := range s.disputes {
		if d["payment_intent"] == intent {
			d["status"], kind = status, "charge.dispute.closed"
			s.happen(kind, d)
			return
		}
	}
	d := object{"id": s.id("dp"), "object": "dispute", "payment_intent": intent, "status": status}
	s.disputes = append(s.disputes, d)
	s.happen(kind, d)
}

// Intents returns the ids of the payments whose status that is.
func (s *Server) Intents(status string) (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := 1; i <= s.seq; i++ {
		id := fmt.Sprintf("pi_%06d", i)
		if o := s.intents[id]; o != nil && o["status"] == status {
			ids = append(ids, id)
		}
	}
	return ids
}

// Refunds returns the amounts of all refunds.
func (s *Server) Refunds() (amounts []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refunds {
		amounts = append(amounts, r["amount"].(int64))
	}
	return amounts
}

// SetRefund changes how the n-th refund stands.
func (s *Server) SetRefund(n int, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refunds[n]["status"] = status
	s.happen("refund.updated", s.refunds[n])
}

// Amount returns the amount of a payment, in Stripe's counting.
func (s *Server) Amount(intent string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.intents[intent]["amount"].(int64)
}
