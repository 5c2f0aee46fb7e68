/** Runs the crawler's scripts in an isolated world of a page, which the page can neither see nor manipulate. */
import type { CDPSession } from 'playwright-core'

export type PageReader = ReturnType<typeof openReader>

export function openReader(cdp: Pick<CDPSession, 'send'>, mainFrame: string) {
  let world: Promise<number> | null = null
  return { answers, run }

  /** Whether the page can run another script within `ms`, so its own scripts do not block it. */
  async function answers(ms: number): Promise<boolean> {
    return run('true', ms).then(
      () => true,
      () => false,
    )
  }

  /** Evaluates an expression and awaits its promise. Rejects when it throws, and when the page does not answer within `ms`. */
  async function run(expression: string, ms: number): Promise<unknown> {
    return inTime(
      evaluated(expression).catch((fault: unknown) => {
        // The page navigated to another document, which destroyed the world.
        if (!/Cannot find context|context was destroyed/i.test(String(fault))) throw fault
        world = null
        return evaluated(expression)
      }),
      ms,
    )
  }

  async function evaluated(expression: string): Promise<unknown> {
    world ??= cdp.send('Page.createIsolatedWorld', { frameId: mainFrame, worldName: 'reader' }).then((made) => made.executionContextId)
    world.catch(() => undefined)
    const contextId = await world.catch((fault: unknown) => {
      world = null
      throw fault
    })
    const { exceptionDetails, result } = await cdp.send('Runtime.evaluate', {
      expression,
      contextId,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
    return result.value
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  work.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the page does not answer')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
