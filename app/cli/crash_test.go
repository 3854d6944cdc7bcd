package cli_test

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/store"
	"daybook/store/enginetest"
)

var rounds = flag.Int("rounds", 5, "how many times the tests that kill a server kill one")

// daybook runs the command in dir and answers its standard output.
func daybook(t testing.TB, dir, stdin string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("daybook", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("daybook %s: %v\n%s", strings.Join(args, " "), err, err.(*exec.ExitError).Stderr)
	}
	return out
}

// served is a `daybook serve` on the database of dir.
type served struct {
	cmd *exec.Cmd
	url string
	log *bytes.Buffer // to be read when it has ended
}

func startServer(t testing.TB, dir string, args ...string) *served {
	t.Helper()
	return startProgram(t, "daybook", dir, args...)
}

// startProgram is startServer for another build of the command.
func startProgram(t testing.TB, program, dir string, args ...string) *served {
	t.Helper()
	cmd := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0", "--json"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() }) // dead already where the test killed it
	var line struct{ BaseURL string }
	text, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(text, &line)
	}
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		t.Fatalf("serve: %v\n%s", err, errs.String())
	}
	return &served{cmd, line.BaseURL, &errs}
}

// roundTheClock is a workspace with many hosts who always work, an event type each, and a class that the first one
// gives: it is an event type of its own.
func roundTheClock(hosts int) string {
	var b strings.Builder
	b.WriteString("workspace: {slug: crash, name: Crash, timeZone: UTC}\nhosts:\n")
	for i := range hosts {
		fmt.Fprintf(&b, "  - {name: H%d, email: h%d@crash.example, timeZone: UTC, weekly: {", i, i)
		for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
			fmt.Fprintf(&b, `%s: ["00:00-24:00"], `, day)
		}
		b.WriteString("}}\n")
	}
	b.WriteString("eventTypes:\n")
	for i := range hosts {
		fmt.Fprintf(&b, "  - {slug: e%d, title: E%d, durationMinutes: 15, hosts: [h%d@crash.example]}\n", i, i, i)
	}
	fmt.Fprintf(&b, "  - {slug: class, title: Class, durationMinutes: 15, seats: %d, hosts: [h0@crash.example]}\n", classSeats)
	return b.String()
}

// withChairs has four event types of roundTheClock need one of two chairs.
func withChairs(file string) string {
	for _, slug := range sharing {
		file = strings.Replace(file, "{slug: "+slug+",", "{slug: "+slug+", needs: [{oneOf: [Chair 1, Chair 2]}],", 1)
	}
	return strings.Replace(file, "eventTypes:\n", "resources: [{name: Chair 1}, {name: Chair 2}]\neventTypes:\n", 1)
}

// withWaits has two event types of roundTheClock wait in between.
func withWaits(file string) string {
	for _, slug := range []string{"e10", "e11"} {
		file = strings.Replace(file, "{slug: "+slug+",", "{slug: "+slug+", parts: [{work: 5}, {wait: 5}, {work: 5}],", 1)
	}
	return file
}

// inTwos has the last service of visits in roundTheClock done by two people in a room.
func inTwos(file string) string {
	file = strings.Replace(file, "{slug: e14,", "{slug: e14, needs: [{hosts: 2, of: [h15@crash.example]}, {oneOf: [Room]}],", 1)
	return strings.Replace(file, "resources: [", "resources: [{name: Room}, ", 1)
}

var sharing = []string{"e4", "e5", "e6", "e7"}

// classSeats are those of a session of roundTheClock's class.
const classSeats = 10

// Bookings under load, the server killed at a random moment, started again: every booking that was acknowledged is
// there, no session of the class has a seat too many, no chair is taken twice, what waits in between takes its host by its
// work, a visit has all of its bookings or none, with a second person and a room for the last, a link was used as often as
// was booked by it, and the file is sound.
func TestKillLosesNoAcknowledgedBooking(t *testing.T) {
	const hosts, clients = 32, 16
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.yaml"), []byte(inTwos(withWaits(withChairs(roundTheClock(hosts))))), 0o600); err != nil {
		t.Fatal(err)
	}
	place := enginetest.Place(t)
	daybook(t, dir, "", "workspace", "apply", "w.yaml", "--db", place, "--new-database")
	var key struct{ Key string }
	out := daybook(t, dir, "", "keys", "create", "--workspace", "crash", "--scope", "full", "--name", "load", "--rate-limit", "1000000", "--json", "--db", place)
	if err := json.Unmarshal(out, &key); err != nil {
		t.Fatal(err)
	}
	link := madeLink(t, dir, place, key.Key)
	first := time.Now().UTC().Truncate(24 * time.Hour).Add(48 * time.Hour)
	var next, visits atomic.Int64
	acknowledged := map[string]bool{}
	for round := range *rounds {
		s := startServer(t, dir, "--db", place)
		var inRound atomic.Int64
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for {
					n := int(next.Add(1))
					eventType, at, seats := fmt.Sprint("e", n%hosts), n/hosts, 1
					if n%hosts < 3 { // a session is asked for more than it has: 3 × (1 + 2 + 3) seats
						eventType, at, seats = "class", n/hosts/3, 1+n%hosts
					}
					by := ""
					if eventType == "e9" {
						by = link[strings.LastIndexByte(link, '/')+1:]
					}
					if eventType == "e12" {
						start := first.Add(time.Duration(at) * 15 * time.Minute)
						visit, ids, err := visitOver(s.url, key.Key, start, n)
						if err != nil {
							return
						}
						mu.Lock()
						for _, id := range ids {
							acknowledged[id] = true
						}
						mu.Unlock()
						visits.Add(1)
						if at%3 > 0 {
							move := fmt.Sprintf(`{"start":%q}`, start.Add(20*24*time.Hour).Format(time.RFC3339))
							if err := post(s.url, key.Key, "/visits/"+visit+"/reschedule", move, http.StatusOK, &struct{}{}); err != nil {
								return
							}
						}
						if at%3 > 1 {
							if err := post(s.url, key.Key, "/visits/"+visit+"/cancel", "{}", http.StatusOK, &struct{}{}); err != nil {
								return
							}
						}
						continue
					}
					if eventType == "e13" || eventType == "e14" || eventType == "e15" { // those of visits
						continue
					}
					id, err := bookOver(s.url, key.Key, by, eventType, first.Add(time.Duration(at)*15*time.Minute), n, seats)
					if err != nil {
						return // the server is dead
					}
					if id != "" {
						mu.Lock()
						acknowledged[id] = true
						mu.Unlock()
						inRound.Add(1)
					}
				}
			})
		}
		// The moment of the kill is what is tried: after some were acknowledged, a visit a round among them, and amid others.
		enough := int64(5 + rand.IntN(40))
		apptest.Eventually(t, "bookings are acknowledged", func() bool { return inRound.Load() >= enough && visits.Load() > int64(round) })
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		s.cmd.Wait() // killed: it has no exit code to look at
		wg.Wait()
	}
	stored := storedBookings(t, dir, place)
	usesAreBookings(t, place)
	chairsAreBookings(t, place)
	worksAreBookings(t, place)
	visitsAreWhole(t, place)
	for id := range acknowledged {
		if !stored[id] {
			t.Errorf("booking %s was acknowledged and is gone", id)
		}
	}
	t.Logf("%d acknowledged and %d stored in %d rounds", len(acknowledged), len(stored), *rounds)
}

// madeLink is an invitation link to e9 that no test uses up.
func madeLink(t *testing.T, dir, place, key string) string {
	t.Helper()
	s := startServer(t, dir, "--db", place)
	req, err := http.NewRequest("POST", s.url+"/api/v1/invitations", strings.NewReader(`{"eventType":"e9","uses":10000}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var made struct{ URL string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || res.StatusCode != http.StatusCreated {
		t.Fatalf("the link: %d, %v", res.StatusCode, err)
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.cmd.Wait() // killed: it has no exit code to look at
	return made.URL
}

// opened is the database, for what no door tells.
func opened(t *testing.T, place string) *sql.DB {
	t.Helper()
	driver, source := "sqlite", "file:"+place
	if enginetest.OnPostgres() {
		driver, source = "pgx", place
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// chairsAreBookings wants each booking that needs a chair to have one, for its time, and no chair to have two at once.
func chairsAreBookings(t *testing.T, place string) {
	t.Helper()
	var booked, have, spans, twice int
	const query = `SELECT COUNT(*), COALESCE(SUM((SELECT COUNT(*) FROM booking_spans s WHERE s.kind = 1 AND s.booking_id = b.id
		AND s.start_ms = b.start_ms AND s.end_ms = b.end_ms AND s.host_id = b.host_id)), 0),
		(SELECT COUNT(*) FROM booking_spans s JOIN resources r ON r.id = s.subject_id AND r.name <> 'Room' WHERE s.kind = 1),
		(SELECT COUNT(*) FROM booking_spans s JOIN booking_spans o ON o.kind = s.kind AND o.subject_id = s.subject_id
			AND o.booking_id < s.booking_id AND o.start_ms < s.end_ms AND s.start_ms < o.end_ms)
		FROM bookings b JOIN event_types e ON e.id = b.event_type_id WHERE e.slug IN ('e4', 'e5', 'e6', 'e7')`
	if err := opened(t, place).QueryRow(query).Scan(&booked, &have, &spans, &twice); err != nil {
		t.Fatal(err)
	}
	if booked == 0 || have != booked || spans != booked || twice != 0 {
		t.Errorf("%d bookings need a chair, %d have one, %d times are taken, %d of them twice", booked, have, spans, twice)
	}
}

// worksAreBookings wants both works of each booking with a wait, and no more of any.
func worksAreBookings(t *testing.T, place string) {
	t.Helper()
	var booked, works, spans int
	const query = `SELECT COUNT(*), COALESCE(SUM((SELECT COUNT(*) FROM booking_spans s WHERE s.kind = 0 AND s.booking_id = b.id
		AND s.subject_id = b.host_id AND (s.start_ms = b.start_ms OR s.end_ms = b.end_ms)
		AND s.end_ms - s.start_ms = 300000)), 0), (SELECT COUNT(*) FROM booking_spans s JOIN bookings o ON o.id = s.booking_id
			JOIN event_types x ON x.id = o.event_type_id AND x.slug <> 'e14' WHERE s.kind = 0)
		FROM bookings b JOIN event_types e ON e.id = b.event_type_id WHERE e.slug IN ('e10', 'e11')`
	if err := opened(t, place).QueryRow(query).Scan(&booked, &works, &spans); err != nil {
		t.Fatal(err)
	}
	if booked == 0 || works != 2*booked || spans != works {
		t.Errorf("%d bookings have a wait, with %d works, and %d times are taken", booked, works, spans)
	}
}

// visitsAreWhole wants three bookings of each visit, one after the other, moved and cancelled together, and that the last
// takes the second person and the room for its time; who leads is taken by the booking's own row.
func visitsAreWhole(t *testing.T, place string) {
	t.Helper()
	db := opened(t, place)
	var first, second, third, whole, moved, cancelled int
	query := `SELECT SUM(CASE e.slug WHEN 'e12' THEN 1 ELSE 0 END), SUM(CASE e.slug WHEN 'e13' THEN 1 ELSE 0 END),
		SUM(CASE e.slug WHEN 'e14' THEN 1 ELSE 0 END), SUM(CASE WHEN e.slug = 'e12' AND b.` + store.Is(booking.Rescheduled) + ` THEN 1 ELSE 0 END),
		SUM(CASE WHEN e.slug = 'e12' AND b.` + store.Is(booking.Cancelled) + ` THEN 1 ELSE 0 END),
		(SELECT COUNT(*) FROM bookings a JOIN event_types x ON x.id = a.event_type_id AND x.slug = 'e12'
			JOIN bookings m ON m.contact_id = a.contact_id AND m.start_ms = a.end_ms AND m.status = a.status
			JOIN bookings z ON z.contact_id = a.contact_id AND z.start_ms = m.end_ms AND z.status = a.status)
		FROM bookings b JOIN event_types e ON e.id = b.event_type_id WHERE e.slug IN ('e12', 'e13', 'e14')`
	if err := db.QueryRow(query).Scan(&first, &second, &third, &moved, &cancelled, &whole); err != nil {
		t.Fatal(err)
	}
	if first == 0 || second != first || third != first || whole != first {
		t.Errorf("of %d visits %d and %d bookings are there, and %d visits are whole", first, second, third, whole)
	}
	spans := `SELECT COUNT(*), COALESCE(SUM(CASE WHEN s.kind = 0 AND h.email = 'h15@crash.example' THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN s.kind = 1 AND r.name = 'Room' THEN 1 ELSE 0 END), 0)
		FROM booking_spans s JOIN bookings b ON b.id = s.booking_id AND b.start_ms = s.start_ms AND b.end_ms = s.end_ms
		JOIN event_types e ON e.id = b.event_type_id AND e.slug = 'e14'
		LEFT JOIN hosts h ON s.kind = 0 AND h.id = s.subject_id LEFT JOIN resources r ON s.kind = 1 AND r.id = s.subject_id
		WHERE b.` + store.Live
	var taken, beside, room int
	if err := db.QueryRow(spans).Scan(&taken, &beside, &room); err != nil {
		t.Fatal(err)
	}
	if live := first - cancelled; taken != 2*live || beside != live || room != live {
		t.Errorf("of %d visits that stand %d take the second person and %d the room, by %d spans", live, beside, room, taken)
	}
	t.Logf("%d visits, %d of them moved and %d cancelled", first, moved, cancelled)
}

// visitOver books a visit of three services over HTTP, as bookOver does a booking, and answers its id and those of its
// bookings.
func visitOver(url, key string, start time.Time, n int) (id string, ids []string, err error) {
	body := fmt.Sprintf(`{"items":[{"eventType":"e12"},{"eventType":"e13"},{"eventType":"e14"}],"start":%q,
		"invitee":{"name":"P","email":"p%d@mail.example"}}`, start.Format(time.RFC3339), n)
	var visit struct {
		ID    string
		Items []struct{ ID string }
	}
	if err := post(url, key, "/visits", body, http.StatusCreated, &visit); err != nil {
		return "", nil, err
	}
	for _, b := range visit.Items {
		ids = append(ids, b.ID)
	}
	return visit.ID, ids, nil
}

// post sends the body to a path of the API, and wants that status.
func post(url, key, path, body string, status int, answer any) error {
	req, err := http.NewRequest("POST", url+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != status {
		return fmt.Errorf("%s: status %d", path, res.StatusCode)
	}
	return json.NewDecoder(res.Body).Decode(answer)
}

// usesAreBookings wants as many uses of the link as there are bookings by it, acknowledged or not.
func usesAreBookings(t *testing.T, place string) {
	t.Helper()
	db := opened(t, place)
	var uses, booked int
	const query = `SELECT (SELECT SUM(used) FROM invitation_links), COUNT(*) FROM bookings b
		JOIN event_types e ON e.id = b.event_type_id WHERE e.slug = 'e9'`
	if err := db.QueryRow(query).Scan(&uses, &booked); err != nil || uses != booked || uses == 0 {
		t.Errorf("the link was used %d times for %d bookings, %v", uses, booked, err)
	}
}

// bookOver books so many seats over HTTP, by an invitation link unless its token is "", and answers the booking's id, ""
// for a time that is full; an error means that no answer came.
func bookOver(url, key, invitation, eventType string, start time.Time, n, seats int) (string, error) {
	body := fmt.Sprintf(`{"invitation":%q,"eventType":%q,"start":%q,"seats":%d,"invitee":{"name":"P","email":"p%d@mail.example"}}`, invitation, eventType, start.Format(time.RFC3339), seats, n)
	req, err := http.NewRequest("POST", url+"/api/v1/bookings", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var booking struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&booking); err != nil {
		return "", err
	}
	if res.StatusCode == http.StatusConflict && (eventType == "class" || slices.Contains(sharing, eventType)) {
		return "", nil
	}
	if res.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("status %d", res.StatusCode)
	}
	return booking.ID, nil
}

// storedBookings asks a server that was started again for every booking, and SQLite whether the file is sound. A
// session of the class with too many seats fails the test.
func storedBookings(t *testing.T, dir, place string) map[string]bool {
	t.Helper()
	s := startServer(t, dir, "--db", place)
	out := daybook(t, dir, "", "keys", "create", "--workspace", "crash", "--scope", "read-only", "--name", "look", "--rate-limit", "1000000", "--json", "--db", place)
	var key struct{ Key string }
	if err := json.Unmarshal(out, &key); err != nil {
		t.Fatal(err)
	}
	ids, seats, cursor := map[string]bool{}, map[string]int{}, ""
	for {
		req, err := http.NewRequest("GET", s.url+"/api/v1/bookings?from=2020-01-01&limit=100&cursor="+cursor, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key.Key)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Data []struct {
				ID, EventType, Start string
				Seats                int
			}
			NextCursor *string
		}
		err = json.NewDecoder(res.Body).Decode(&page)
		res.Body.Close()
		if err != nil || res.StatusCode != 200 {
			t.Fatalf("status %d, %v", res.StatusCode, err)
		}
		for _, b := range page.Data {
			if ids[b.ID] = true; b.EventType == "class" {
				if seats[b.Start] += b.Seats; seats[b.Start] > classSeats {
					t.Errorf("the class at %s has %d of %d seats", b.Start, seats[b.Start], classSeats)
				}
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if enginetest.OnPostgres() {
		return ids
	}
	db, err := sql.Open("sqlite", "file:"+place)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var sound string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity_check: %q, %v", sound, err)
	}
	return ids
}
