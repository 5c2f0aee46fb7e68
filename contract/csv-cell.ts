/** Cells of CSV files, which both sides write. */

/**
 * How spreadsheet programs recognise a formula; those of East Asia also by full-width characters. Source: OWASP, "CSV Injection".
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A text as a cell (RFC 4180). An apostrophe in front keeps a spreadsheet program from calculating it. */
export function csvCell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
