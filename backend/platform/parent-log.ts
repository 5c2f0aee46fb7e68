/** The log of a child process: sends its lines to the parent, which is the only writer. */

/** A line on its way to the parent. */
export type LogLine = { type: 'log'; level: 'info' | 'warn' | 'error'; facts: Record<string, unknown>; message: string }

type Log = Record<LogLine['level'], (facts: object, message: string) => void>

/** @param part  of the product, added to every line */
export function logToParent(part: string): Log {
  const at = (level: LogLine['level']) => (facts: object, message: string) =>
    sendToParent({ type: 'log', level, facts: { ...(plain(facts) as Record<string, unknown>), part }, message })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

function sendToParent(line: LogLine) {
  if (process.connected) process.send!(line, () => undefined)
}

/** Converts a value to plain data for any channel; errors become plain objects with their name. */
function plain(value: unknown, depth = 0): unknown {
  if (value instanceof Error) {
    const { cause, message, name, stack } = value
    const { code } = value as { code?: unknown }
    const more = { ...(typeof code === 'string' && { code }), ...(cause !== undefined && depth < 3 && { cause: plain(cause, depth + 1) }) }
    return { name, message, stack, ...more }
  }
  if (Array.isArray(value)) return depth < 3 ? value.map((each) => plain(each, depth + 1)) : String(value)
  if (typeof value === 'object' && value !== null)
    return depth < 3 ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each, depth + 1)])) : '[object]'
  return typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function' ? String(value) : value
}
