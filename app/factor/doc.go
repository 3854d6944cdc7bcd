// Package factor holds the rules of what members show besides their password: passkeys (WebAuthn), an authenticator app
// (TOTP, RFC 6238) and recovery codes. A session whose member has a second factor and has not shown it is half, and
// gives no rights (account.Session.Half).
//
//   - A code of the app is good in its step of 30 seconds and the one before and after it (RFC 6238 §5.2), and once:
//     the step is taken by the statement that compares it. Attempts are counted before a code is checked.
//   - Recovery codes have 80 random bits, so that a plain hash keeps them; each is deleted by its use.
//   - Passkeys belong to the host of --base-url (WebAuthn §5.1.2). One that checks who holds it (user verification)
//     stands for both factors; any other for the second only. The question to a browser is a row that can be answered once.
//   - Factors change only within ten minutes of signing in, and the member gets a mail about each change.
package factor
