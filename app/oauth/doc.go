// Package oauth is where agents' programs get access to the agent tools by a member's consent: OAuth 2.1,
// as MCP's authorization of 2025-11-25 has it. It owns clients, consents, codes and tokens; it knows no page. Its door
// for programs is Door, the page that asks is the dashboard's.
//
// A grant is one row: what a member allowed a client, with the code and the tokens that stand for it at present, as
// SHA-256 of random values. A code or a refresh token is used once because the row is locked, revocation deletes the
// row, and nothing else has to be found. A grant ends with its member, their role, host or password, and with the
// workspace. An agent may do what both its member and an API key of its scope may.
//
// # What RFC 9700 (security best current practice) asks of a server, section by section, and where it is tested
//
//	§2.1     redirects compared character by character              TestAuthorizationErrors, FuzzAuthorize
//	§2.1     but for a loopback's port                              TestPrograms, FuzzAuthorize
//	§2.1     no open redirector                                     TestAuthorizationErrors, FuzzAuthorize
//	§2.1     CSRF and mix-up are the client's; we send state, iss   TestPrograms, TestAuthorizationErrors
//	§2.1     nobody's password goes on with a redirect: 303         TestPrograms, FuzzAuthorize
//	§2.1.1   PKCE for every client, bound to the code               TestTokenErrors
//	§2.1.1   S256 only, as plain shows the verifier                 TestAuthorizationErrors
//	§2.1.1   no downgrade: no code without a challenge              TestAuthorizationErrors
//	§2.1.1   support of PKCE is told in the metadata                TestPrograms
//	§2.1.1   constant challenges are not looked for ("encouraged")
//	§2.1.2   no implicit grant, no token in an address              TestAuthorizationErrors
//	§2.2.1   tokens bound to their sender: no, see below
//	§2.2.2   refresh tokens rotate                                  TestRefreshTokensRotate, TestContest
//	§2.3     tokens of least power: scope and member                TestTokensMayWhatTheMemberMay
//	§2.3     for one audience, checked at each request              TestTheResourceIsWhatWasTyped, TestTokenErrors
//	§2.4     no password grant                                      TestTokenErrors, FuzzToken
//	§2.5     client authentication: none, as all clients are        TestRegistrations, FuzzRegister
//	         programs on people's devices or unknown to us
//	§2.6     metadata is published                                  TestPrograms, TestConformance
//	§2.6     clients don't choose their id, nor what names people   TestRegistrations, FuzzRegister
//	§2.6     redirects by https, loopback or a program's scheme     TestRegistrations, FuzzRegister
//	§2.6     CORS at all endpoints but the one that asks            TestEndpoints, TestTheQuestionTellsNobody
//	§4.1.3   as §2.1; codes only, no tokens by redirect             TestAuthorizationErrors
//	§4.2.4   no Referer, nothing of others' on the page             TestTheQuestionTellsNobody
//	§4.2.4   codes once; a second use ends what they gave           TestACodeIsGoodOnce, TestContest
//	§4.3.1   a code in a history is over: once, and for a minute    TestACodeIsGoodOnce
//	§4.3.2   tokens in no address: Authorization only               TestTokensReachTheToolsOnly
//	§4.4.2   iss in each answer, errors too (RFC 9207)              TestPrograms, TestAuthorizationErrors
//	§4.5.3   codes that were injected lack their verifier           TestTokenErrors
//	§4.6.1   no answer has a token that could be injected           TestAuthorizationErrors
//	§4.7.1   the member's own answer comes from our page            TestTheQuestionIsAnsweredHere
//	§4.8.2   as §2.1.1                                              TestAuthorizationErrors, TestTokenErrors
//	§4.9.3   tokens are kept as hashes                              TestTokensAreNowhereReadable
//	§4.9.3   and not logged                                         TestAccessLogTellsNoSecret
//	§4.10.2  the tools take tokens for themselves, REST none        TestTokensReachTheToolsOnly
//	§4.11.2  we lead to strangers only where a person presses       TestAuthorizationErrors
//	§4.12    303                                                    FuzzAuthorize
//	§4.13    forwarding headers of strangers don't count            TestClientAddress
//	§4.14.2  refresh tokens: of their scope, audience and client    TestTokenErrors
//	§4.14.2  they end when idle, and after 90 days                  TestTokensEnd
//	§4.14.2  and with a new password, role, host; with the member   TestGrantsEndWithWhatTheyStandOn
//	§4.15.1  clients are no members: ids of other kinds             TestAuthorizationErrors
//	§4.16    no frames, by CSP and X-Frame-Options                  TestTheQuestionIsAnsweredHere
//	§4.17.2  no answers by postMessage                              TestAuthorizationErrors
//
// Tokens are not bound to their sender (RFC 9449, RFC 8705): no program that people use does that yet.
//
// # OWASP's OAuth 2.0 cheat sheet, by its numbers
//
//	1      no open redirector                                       TestAuthorizationErrors, FuzzAuthorize
//	2      PKCE against CSRF; state comes back as it was            TestPrograms
//	3, 4   iss against mix-up                                       TestPrograms, TestAuthorizationErrors
//	5      no credentials go on with a redirect                     FuzzAuthorize
//	6, 8   code_verifier is asked for, and compared                 TestTokenErrors
//	7      S256 only                                                TestAuthorizationErrors
//	9      no downgrade of PKCE                                     TestAuthorizationErrors
//	10     response_type code only                                  TestAuthorizationErrors
//	11     tokens bound to their sender: no, see above
//	12     refresh tokens rotate                                    TestRefreshTokensRotate
//	13     least power                                              TestTokensMayWhatTheMemberMay
//	14     one audience                                             TestTheResourceIsWhatWasTyped
//	15     each action is checked at each request                   TestTokensReachTheToolsOnly
//	16     no password grant                                        TestTokenErrors
//	17     client authentication: none, see §2.5
//	18     clients don't choose their id                            TestRegistrations, FuzzRegister
//	19     no redirect by http but to a loopback                    TestRegistrations, FuzzRegister
//
// # OWASP's API Security Top 10 of 2023, for all doors
//
//	API1   objects of others: not found                             TestIsolation, TestKeysOfAnotherWorkspace
//	API2   guesses are counted, at every server                     TestGuessesAtOnceAreLimited, TestSignInIsLimited
//	API3   fields that a key may not see are left out               TestReadOnlyKeySeesNoLinks
//	API3   fields that nobody may set are refused                   TestBadBodies
//	API4   rates over all servers, bounds of bodies and lists       TestRateHoldsOverServers, TestBadQueries
//	API5   every command asks, every route is walked                TestEveryCommandAsks, TestEveryRouteByEveryKey
//	API5   who has a link, a request or a hold has no key           TestEveryRouteByGuests
//	API5   nothing makes what is above itself                       TestNoKeyAboveItself, TestNoMemberAboveTheKey
//	API6   holds, forms and requests of strangers are bounded       TestNobodyEmptiesACalendar, TestAProofIsSpentOnce
//	API7   addresses that others name are judged at each packet     TestLaw, TestRebindingIsRefused, TestDocuments
//	API8   headers, profiles, errors                                TestHeaders, TestProfilesOnlyOnLoopback
//	API9   what is documented is what there is, and stays           TestDocument, TestReleased
//	API10  answers of others are bounded and distrusted             TestHugeAnswerIsNotRead, TestHookVerifies, TestBombs
package oauth
