/** Trouble of the machine, not of what is written: it will pass, and everything can be written then. */
export function isTrouble(fault: unknown): boolean {
  const code = (fault as { code?: string } | null)?.code ?? ''
  return /^SQLITE_(FULL|BUSY|IOERR|LOCKED|READONLY|CANTOPEN|NOMEM)/.test(code)
}
