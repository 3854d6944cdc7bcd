// package oauth is the room in which agents' programs get access to the agent tools by a member's consent: OAuth 2.1,
// as MCP's authorization of 2025-11-25 has it. It owns clients, consents, codes and tokens; it knows no page. Its door
// for programs is package endpoint below it, the page that asks is the dashboard's.
//
// A grant is one row: what a member allowed a client, with the code and the tokens that stand for it at present, as
// SHA-256 of random values. A code or a refresh token is used once because the row is locked, revocation deletes the
// row, and nothing else has to be found. A grant ends with its member, their role, host or password, and with the
// workspace. An agent may do what both its member and an API key of its scope may.
//
// # What RFC 9700 (security best current practice) asks of a server, and where it is tested
//
//	§2.1, §4.1.3  redirect URIs compared character by character         TestAuthorizationErrors, FuzzAuthorize
//	§2.1          no open redirector                                    TestAuthorizationErrors
//	§2.1.1        PKCE for every client, S256, bound to the code        TestAuthorizationErrors, TestTokenErrors
//	§2.1.1        no PKCE downgrade: no code without a challenge        TestAuthorizationErrors
//	§2.1.2        no implicit grant, no token in an address             TestAuthorizationErrors
//	§2.2.1        tokens bound to their sender: no, see below
//	§2.2.2        refresh tokens rotate                                 TestRefreshTokensRotate
//	§2.3          tokens of least power: scope, audience                TestTokensMayWhatTheMemberMay, TestTokenErrors
//	§2.4          no password grant                                     TestTokenErrors
//	§2.5          client authentication: all are public, see Register   TestRegistrations
//	§2.6          metadata published, redirects by https or loopback    TestPrograms, TestRegistrations
//	§4.2.4        no Referer, codes once                    TestTheQuestionIsAnsweredHere
//	§4.3.1        codes once and short, so that a history has none      TestACodeIsGoodOnce
//	§4.4          mix-up: iss in each answer (RFC 9207)                 TestPrograms, TestAuthorizationErrors
//	§4.5          code injection: PKCE                                  TestTokenErrors
//	§4.7          CSRF: the answer of the member comes from our page    TestTheQuestionIsAnsweredHere
//	§4.8          PKCE downgrade                                        TestAuthorizationErrors
//	§4.9.1        audience: our addresses only                          TestTheResourceIsWhatWasTyped
//	§4.10         tokens used elsewhere: at the tools only, not REST    TestTokensReachTheToolsOnly
//	§4.11         redirects to strangers only when a person presses     TestAuthorizationErrors
//	§4.12         303, so that no password is sent on                   TestPrograms
//	§4.13         forwarding headers of strangers                       package serve, TestClientAddress
//	§4.14         refresh tokens: rotation, idle end, end with events   TestTokensEnd, TestGrantsEndWithWhatTheyStandOn
//	§4.15         a client is no member: ids of other kinds             TestAuthorizationErrors
//	§4.16         no frames                                             TestTheQuestionIsAnsweredHere
//
// Tokens are not bound to their sender (RFC 9449): no program that people use does that yet.
//
// # OWASP's OAuth 2.0 cheat sheet
//
//	PKCE, and state returned as it came                                 TestPrograms
//	tokens short, revocable, scoped, for one audience                   TestTokensEnd, TestRevocation, TestTokenErrors
//	refresh tokens rotate, a second use ends all                        TestRefreshTokensRotate, TestContest
//	no secret in the code of a public client                            TestRegistrations
//	no implicit grant, no password grant                                TestAuthorizationErrors, TestTokenErrors
//	redirect URIs registered, compared exactly                          TestAuthorizationErrors
//	consent shown, given by a POST of our own page, not framed          TestTheQuestionIsAnsweredHere
//	a consent can be seen and ended                                     TestConnectionsAreShownAndEnded
//	answers with tokens are not kept                                    TestEndpoints
//	a server doesn't call where a stranger wants it to                  TestDocuments, TestAuthorizationErrors
package oauth
