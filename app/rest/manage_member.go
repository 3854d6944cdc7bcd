package rest

import (
	"cmp"
	"net/http"
	"slices"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
	"daybook/app/when"
)

// Member is somebody who may sign in to the dashboard.
type Member struct {
	ID        app.UserID       `json:"id"`
	Email     string           `json:"email"`
	Role      app.Role         `json:"role"`
	Host      *catalog.HostRef `json:"host"`
	Joined    bool             `json:"joined"`
	CreatedAt when.Instant     `json:"createdAt"`
}

// NewMember is a member with the link by which they choose a password.
type NewMember struct {
	Member
	InviteURL string `json:"inviteUrl"`
}

var memberFields = field.Resource{
	Text: "Somebody who may sign in to the dashboard.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the member.", Example: "us_1p4s8yvz04k2c"},
		{Name: "email", Text: "E-mail address with which they sign in.", Format: "email"},
		{Name: "role", Text: "`owner`: everything; `manager`: everything but members, payments and keys; `staff`: the " +
			"calendar of one host.", Enum: field.Values(app.Roles...)},
		{Name: "host", Text: "The host that they are; null for nobody who is booked."},
		{Name: "joined", Text: "Whether they have chosen a password: until then they can't sign in."},
		{Name: "createdAt", Text: "When they were invited."},
	},
}

var newMemberFields = field.Resource{
	Text: "A member with the link of the invitation, which is shown this once.",
	Fields: append(slices.Clone(memberFields.Fields), field.Field{Name: "inviteUrl", Format: "uri",
		Text: "Where the member chooses a password, once, within a week. Whoever has it can become this member."}),
}

// MemberInput is a member to be invited.
type MemberInput struct {
	Email string `json:"email"`
	Role  string `json:"role"`
	Host  string `json:"host"`
}

// MemberPatch says what to change about a member; what is nil stays.
type MemberPatch struct {
	Role *string `json:"role"`
	Host *string `json:"host"`
}

var (
	roleField = field.Field{Name: "role", Text: "What they may do. No key makes or changes owners.",
		Enum: field.Values(app.Roles...), Required: true}
	memberInputFields = field.Resource{
		Text: "A member to be invited.",
		Fields: []field.Field{
			{Name: "email", Text: "E-mail address; nobody signs in with it yet.", Format: "email", Most: fault.MaxEmail,
				Required: true},
			roleField,
			{Name: "host", Text: "Id of the host that they are; required for staff."},
		},
	}
	memberPatchFields = field.Resource{
		Text: "What to change about a member; what is left out stays.",
		Fields: []field.Field{
			{Name: "role", Text: roleField.Text, Enum: roleField.Enum},
			{Name: "host", Text: "Id of the host that they are; null for none.", Null: true},
		},
	}
)

func (m *Member) version() string { return fault.ETag(m) }

// memberOf returns the member as it is answered, with the set-up as last committed.
func memberOf(s *subjects.Set, u *app.User) (Member, error) {
	setup, err := s.Setup(u.WorkspaceID)
	if err != nil {
		return Member{}, err
	}
	return memberIn(account.Membership{User: *u, Setup: setup}), nil
}

// memberIn returns the member as it is answered.
func memberIn(u account.Membership) Member {
	m := Member{ID: u.ID, Email: u.Email, Role: u.Role, Joined: u.PasswordHash != "", CreatedAt: u.CreatedAt}
	if h := u.Setup.Host(u.HostID); u.HostID != 0 && h != nil {
		m.Host = &catalog.HostRef{ID: h.ID, Name: h.Name}
	}
	return m
}

// checkMatch checks the header If-Match against the member behind the lock.
func checkMatch(c Call) func(account.Membership) error {
	return func(u account.Membership) error {
		m := memberIn(u)
		return fault.CheckETag(c.Match(), m.version(), "member")
	}
}

// respondMember returns a 200 with a member.
func respondMember(s *subjects.Set, u app.User, err error) (app.Response, error) {
	if err != nil {
		return app.Response{}, err
	}
	m, err := memberOf(s, &u)
	return tagged(m, m.version(), err)
}

// hostID reads the id of a host; "" is none. Whether there is one is checked with the rest.
func hostID(text string) (catalog.HostID, error) {
	if text == "" {
		return 0, nil
	}
	h, err := id.Parse[catalog.HostIDKind](text)
	if err != nil {
		err = fault.Invalid("host", "there is no such host in this workspace")
	}
	return h, err
}

var listMembers = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/members", ID: "listMembers", Tag: "Members",
	Summary:   "List members",
	Text:      "Lists those who may sign in to the dashboard, the oldest first.",
	Params:    []openapi.Param{openapi.Limit(50), openapi.Cursor},
	Successes: []openapi.Success{{Status: 200, Text: "A page of members.", Body: fault.Page[Member]{}, Lists: "members"}},
	Errors:    []openapi.Error{{Code: fault.Forbidden, Text: "The key lacks the area `members`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	users, err := s.Account.Members(c.Context(), c.Actor())
	if err != nil {
		return app.Response{}, err
	}
	slices.SortFunc(users, func(a, b app.User) int { return cmp.Compare(a.ID, b.ID) })
	page, err := pageBy(fault.List{"members"}, users, c, func(u *app.User) []int64 { return []int64{int64(u.ID)} })
	if err != nil {
		return app.Response{}, err
	}
	shown := fault.Page[Member]{Data: []Member{}, HasMore: page.HasMore, NextCursor: page.NextCursor}
	for i := range page.Data {
		m, err := memberOf(s, &page.Data[i])
		if err != nil {
			return app.Response{}, err
		}
		shown.Data = append(shown.Data, m)
	}
	return respond(http.StatusOK, shown, nil)
}}

var getMember = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/members/{id}", ID: "getMember", Tag: "Members",
	Summary:   "Retrieve a member",
	Text:      "Answers one member.",
	Successes: []openapi.Success{{Status: 200, Text: "The member.", Body: Member{}, ETag: true}},
	Errors:    []openapi.Error{missing("member"), {Code: fault.Forbidden, Text: "The key lacks the area `members`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	u, err := s.Account.Member(c.Context(), c.Actor(), c.Path("id"))
	return respondMember(s, u, err)
}}

var inviteMember = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/members", ID: "inviteMember", Tag: "Members",
	Summary: "Invite a member",
	Text: "Adds a member and answers the link with which they choose a password: hand it to them, nobody is mailed. It " +
		"works once, for a week. Because of the link the answer is not kept for an Idempotency-Key.",
	Body:        MemberInput{},
	BodyType:    openapi.Type{Name: "MemberRequest", Fields: &memberInputFields},
	BodyExample: map[string]any{"email": "bea@example.com", "role": "manager"}, Unstored: true,
	Successes: []openapi.Success{{Status: 201, Text: "The member, with the link.", Body: NewMember{},
		Location: "The new member."}},
	Errors: []openapi.Error{lacksOrAbove, {Code: fault.Conflict, Text: "`details.reason` is `email_taken`: somebody " +
		"signs in with this address already; or `too_many_members`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in MemberInput
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	host, err := hostID(in.Host)
	if err != nil {
		return app.Response{}, err
	}
	u, link, err := s.Account.Invite(c.Context(), c.Actor(), account.MemberInput{Email: in.Email, Role: app.Role(in.Role),
		Host: host})
	return withLink(http.StatusCreated, s, c, u, link, err)
}}

// withLink answers a member with the link of the invitation.
func withLink(status int, s *subjects.Set, c Call, u app.User, link string, err error) (app.Response, error) {
	if err != nil {
		return app.Response{}, err
	}
	m, err := memberOf(s, &u)
	a, err := respond(status, NewMember{m, link}, err)
	if err == nil && status == http.StatusCreated {
		a.Location = c.Address("/v1/members/" + u.ID.String())
	}
	return a, err
}

var lacksOrAbove = openapi.Error{Code: fault.Forbidden, Text: "The key is read-only, or lacks the area `members`; or " +
	"the member is an owner, or a manager who may do more than the key: `details.reason` is then `above_itself`."}

var inviteAgain = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/members/{id}/invite", ID: "inviteMemberAgain", Tag: "Members",
	Summary: "Invite a member again",
	Text: "Answers a new link with which the member chooses a password; the one before ends. Their present password " +
		"works until then. Because of the link the answer is not kept for an Idempotency-Key.",
	Unstored:  true,
	Successes: []openapi.Success{{Status: 200, Text: "The member, with the link.", Body: NewMember{}}},
	Errors:    []openapi.Error{missing("member"), lacksOrAbove},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	u, link, err := s.Account.InviteAgain(c.Context(), c.Actor(), c.Path("id"), false)
	return withLink(http.StatusOK, s, c, u, link, err)
}}

var changeMember = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/members/{id}", ID: "changeMember", Tag: "Members",
	Summary:     "Change what a member may do",
	Text:        "Gives a member another role or host, from their next request on.",
	IfMatch:     ifMatch,
	Body:        MemberPatch{},
	BodyType:    openapi.Type{Name: "MemberPatchRequest", Fields: &memberPatchFields},
	BodyExample: map[string]any{"role": "manager"},
	Successes:   []openapi.Success{{Status: 200, Text: "The member as they are now.", Body: Member{}, ETag: true}},
	Errors: []openapi.Error{missing("member"), lacksOrAbove, changed("member"),
		{Code: fault.Conflict, Text: "`details.reason` is `last_owner`: a workspace needs an owner."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in MemberPatch
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	u, err := s.Account.EditMember(c.Context(), c.Actor(), c.Path("id"), func(u account.Membership) (account.MemberInput,
		error) {
		next, err := account.MemberInput{Email: u.Email, Role: u.Role, Host: u.HostID}, checkMatch(c)(u)
		if err == nil && in.Host != nil {
			next.Host, err = hostID(*in.Host)
		}
		if in.Role != nil {
			next.Role = app.Role(*in.Role)
		}
		return next, err
	})
	return respondMember(s, u, err)
}}

var removeMember = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/members/{id}", ID: "removeMember", Tag: "Members",
	Summary:   "Remove a member",
	Text:      "Ends a membership, its sessions, and what the member allowed agents' programs.",
	IfMatch:   ifMatch,
	Successes: []openapi.Success{{Status: 204, Text: "They can't sign in any more."}},
	Errors: []openapi.Error{missing("member"), lacksOrAbove, changed("member"),
		{Code: fault.Conflict, Text: "`details.reason` is `last_owner`: a workspace needs an owner."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	_, err := s.Account.RemoveMember(c.Context(), c.Actor(), c.Path("id"), checkMatch(c))
	return gone, err
}}
