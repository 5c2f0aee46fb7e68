/** The command `doctor`: tests the optional parts of the product, on this machine and at other servers. */
import { HOW_TO_INSTALL, NO_BROWSER, Refusal, findChromium, operatorServices, tryBrowser } from '../../backend/administration.ts'
import type { Config } from '#config/read-config.ts'

type Needs = { config: Config; print: (line: string) => void }

const SERVICES = { bucket: 'Bucket', mail: 'Mail', renderer: 'Renderers', search: 'Web search' } as const

/** Fails when an option names something that cannot be used. Without any of the parts it succeeds. */
export async function doctor({ config, print }: Needs): Promise<void> {
  const faults: string[] = []
  const asks = operatorServices(config)
  if (asks.renderer === null) faults.push(...(await tryRendering(config, print)))
  for (const [name, label] of Object.entries(SERVICES) as [keyof typeof SERVICES, string][]) {
    const wrong = await asks[name]?.()
    if (wrong === undefined) continue
    if (wrong === null) print(`${label}: works.`)
    else faults.push(`${label}: ${wrong}`)
  }
  if (faults.length > 0) throw new Refusal(faults.join('\n'))
}

/** Tests the browser of this machine. Returns what is wrong. */
async function tryRendering(
  { browserPlaces, chromiumPath, renderConcurrency }: Pick<Config, 'browserPlaces' | 'chromiumPath' | 'renderConcurrency'>,
  print: (line: string) => void,
): Promise<string[]> {
  if (chromiumPath === NO_BROWSER) {
    print('Rendering: switched off by CHROMIUM_PATH=none.')
    return []
  }
  const found = findChromium({ ...browserPlaces, chromiumPath })
  if (found === null) {
    if (chromiumPath !== undefined) return [`Rendering: ${chromiumPath} is no program that can be run. ${HOW_TO_INSTALL}`]
    print(`Rendering: no browser was found. Pages are read as sites send them. ${HOW_TO_INSTALL}`)
    return []
  }
  print(`Rendering: ${found.path} (${found.from}), ${renderConcurrency} ${renderConcurrency === 1 ? 'page' : 'pages'} at once.`)
  const tried = await tryBrowser(found.path)
  if ('fault' in tried) return [`Rendering: the browser cannot be started: ${tried.fault}`]
  print(`It starts, as version ${tried.version}, and renders a page.`)
  print(
    tried.hasSandbox
      ? 'Its sandbox is on.'
      : 'Its sandbox is off: the system does not allow one for this user (root, or a kernel without user namespaces).',
  )
  return []
}
