/** The progress of a long command: a bar on a terminal, elsewhere a line per tenth. */
const WIDTH = 30

/** Returns a function that takes the amount done, and the total. */
export function progressOf(print: (line: string) => void): (done: number, of: number) => void {
  const isTerminal = process.stderr.isTTY
  let last = -1
  return (done, of) => {
    const percent = of === 0 ? 100 : Math.min(100, Math.floor((done / of) * 100))
    const step = isTerminal ? percent : Math.floor(percent / 10) * 10
    if (step === last) return
    last = step
    if (!isTerminal) return print(`${step} % of ${of} rows`)
    const full = Math.round((percent / 100) * WIDTH)
    process.stderr.write(`\r[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} % of ${of} rows${percent === 100 ? '\n' : ''}`)
  }
}
