package calcom_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"daybook/store/pgtest"
)

// schema has those columns of Cal.com's tables, as its schema documents them, that matter here, with secrets.
const schema = `
CREATE TYPE "BookingStatus" AS ENUM ('cancelled', 'accepted', 'rejected', 'pending', 'awaiting_host');
CREATE TYPE "SchedulingType" AS ENUM ('roundRobin', 'collective', 'managed');
CREATE TYPE "PeriodType" AS ENUM ('unlimited', 'rolling', 'rolling_window', 'range');
CREATE TYPE "WebhookTriggerEvents" AS ENUM ('BOOKING_CREATED', 'BOOKING_CANCELLED', 'BOOKING_RESCHEDULED', 'MEETING_ENDED');
CREATE TABLE users (id serial PRIMARY KEY, username text, name text, email text NOT NULL UNIQUE, "timeZone" text NOT NULL DEFAULT 'Europe/London',
	"defaultScheduleId" int, "twoFactorSecret" text, "backupCodes" text);
CREATE TABLE "Team" (id serial PRIMARY KEY, name text NOT NULL, slug text);
CREATE TABLE "Membership" (id serial PRIMARY KEY, "teamId" int NOT NULL, "userId" int NOT NULL, accepted boolean NOT NULL DEFAULT false);
CREATE TABLE "Schedule" (id serial PRIMARY KEY, "userId" int NOT NULL, name text NOT NULL, "timeZone" text);
CREATE TABLE "Availability" (id serial PRIMARY KEY, "userId" int, "eventTypeId" int, days int[], "startTime" time NOT NULL, "endTime" time NOT NULL,
	date date, "scheduleId" int);
CREATE TABLE "OutOfOfficeEntry" (id serial PRIMARY KEY, uuid text, start timestamp(3) NOT NULL, "end" timestamp(3) NOT NULL, "userId" int NOT NULL);
CREATE TABLE "SelectedCalendar" ("userId" int NOT NULL, integration text NOT NULL, "externalId" text NOT NULL);
CREATE TABLE "EventType" (id serial PRIMARY KEY, title text NOT NULL, slug text NOT NULL, description text, position int NOT NULL DEFAULT 0,
	locations jsonb, length int NOT NULL, "offsetStart" int NOT NULL DEFAULT 0, hidden boolean NOT NULL DEFAULT false, "userId" int, "teamId" int,
	"parentId" int, "bookingFields" jsonb, "periodType" "PeriodType" NOT NULL DEFAULT 'unlimited', "periodDays" int,
	"periodCountCalendarDays" boolean, "requiresConfirmation" boolean NOT NULL DEFAULT false, "recurringEvent" jsonb,
	"minimumBookingNotice" int NOT NULL DEFAULT 120, "beforeEventBuffer" int NOT NULL DEFAULT 0, "afterEventBuffer" int NOT NULL DEFAULT 0,
	"seatsPerTimeSlot" int, "schedulingType" "SchedulingType", "scheduleId" int, price int NOT NULL DEFAULT 0, currency text NOT NULL DEFAULT 'usd',
	"slotInterval" int, metadata jsonb, "bookingLimits" jsonb, "durationLimits" jsonb);
CREATE TABLE "Host" ("userId" int NOT NULL, "eventTypeId" int NOT NULL, "isFixed" boolean NOT NULL DEFAULT false, "scheduleId" int,
	PRIMARY KEY ("userId", "eventTypeId"));
CREATE TABLE "Booking" (id serial PRIMARY KEY, uid text NOT NULL UNIQUE, "userId" int, "eventTypeId" int, title text NOT NULL, description text,
	"customInputs" jsonb, responses jsonb, "startTime" timestamp(3) NOT NULL, "endTime" timestamp(3) NOT NULL, location text,
	"createdAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, status "BookingStatus" NOT NULL DEFAULT 'accepted', "recurringEventId" text,
	metadata jsonb, "oneTimePassword" text);
CREATE TABLE "Attendee" (id serial PRIMARY KEY, email text NOT NULL, name text NOT NULL, "timeZone" text NOT NULL, "phoneNumber" text, "bookingId" int);
CREATE TABLE "BookingSeat" (id serial PRIMARY KEY, "referenceUid" text NOT NULL, "bookingId" int NOT NULL, "attendeeId" int NOT NULL, data jsonb);
CREATE TABLE "Payment" (id serial PRIMARY KEY, "bookingId" int NOT NULL, amount int NOT NULL, currency text NOT NULL, success boolean NOT NULL,
	refunded boolean NOT NULL);
CREATE TABLE "Webhook" (id text PRIMARY KEY, "userId" int, "teamId" int, "eventTypeId" int, "subscriberUrl" text NOT NULL, active boolean NOT NULL,
	"eventTriggers" "WebhookTriggerEvents"[], secret text);
CREATE TABLE "Workflow" (id serial PRIMARY KEY, name text NOT NULL);
`

// source is a Cal.com database that a test fills.
type source struct {
	t   *testing.T
	db  *sql.DB
	url string
}

func newSource(t *testing.T) *source {
	t.Helper()
	s := &source{t: t, url: pgtest.Fresh(t, pgtest.Shared(t), "")}
	var err error
	if s.db, err = sql.Open("pgx", s.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() })
	s.do(schema)
	return s
}

func (s *source) do(query string, args ...any) {
	s.t.Helper()
	if _, err := s.db.ExecContext(context.Background(), query, args...); err != nil {
		s.t.Fatalf("%v: %s", err, query)
	}
}

// insert adds a row and returns its id.
func (s *source) insert(table string, values map[string]any) (id int64) {
	s.t.Helper()
	columns, marks, args := "", "", []any{}
	for name, value := range values {
		if columns != "" {
			columns, marks = columns+", ", marks+", "
		}
		switch v := value.(type) {
		case map[string]any, []map[string]any:
			text, err := json.Marshal(v)
			if err != nil {
				s.t.Fatal(err)
			}
			value = string(text)
		case time.Time:
			value = v.UTC()
		}
		args = append(args, value)
		columns += `"` + name + `"`
		marks += fmt.Sprintf("$%d", len(args))
	}
	if err := s.db.QueryRow(`INSERT INTO `+table+` (`+columns+`) VALUES (`+marks+`) RETURNING id`, args...).Scan(&id); err != nil {
		s.t.Fatalf("%v: %s %v", err, table, values)
	}
	return id
}
