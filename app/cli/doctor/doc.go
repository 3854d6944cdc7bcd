// package doctor has the command doctor: it checks what `daybook serve` with the same flags would work with, and says
// what to do about each problem.
package doctor
