/** How far a long command is: a bar on a terminal, elsewhere a line for each tenth. */
const WIDTH = 30

/** Gives a function that is told how much is done, of how much. */
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
