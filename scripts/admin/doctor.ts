/** The command `doctor`: checks what the machine has for optional parts of the product. */
import { HOW_TO_INSTALL, NO_BROWSER, Refusal, findChromium, tryBrowser } from '../../backend/administration.ts'
import type { Config } from '#config/read-config.ts'

type Needs = {
  config: Pick<Config, 'browserPlaces' | 'chromiumPath' | 'renderConcurrency'>
  print: (line: string) => void
}

/** Fails when `CHROMIUM_PATH` names an unusable program. Without any browser it succeeds. */
export async function doctor({ config: { browserPlaces, chromiumPath, renderConcurrency }, print }: Needs): Promise<void> {
  if (chromiumPath === NO_BROWSER) return print('Rendering: switched off by CHROMIUM_PATH=none.')
  const found = findChromium({ ...browserPlaces, chromiumPath })
  if (found === null) {
    const line =
      chromiumPath === undefined ? 'Rendering: no browser was found.' : `Rendering: ${chromiumPath} is no program that can be run.`
    if (chromiumPath !== undefined) throw new Refusal(`${line} ${HOW_TO_INSTALL}`)
    print(`${line} Pages are read as sites send them. ${HOW_TO_INSTALL}`)
    return
  }
  print(`Rendering: ${found.path} (${found.from}), ${renderConcurrency} ${renderConcurrency === 1 ? 'page' : 'pages'} at once.`)
  const tried = await tryBrowser(found.path)
  if ('fault' in tried) throw new Refusal(`It cannot be started: ${tried.fault}`)
  print(`It starts, as version ${tried.version}, and renders a page.`)
  print(
    tried.hasSandbox
      ? 'Its sandbox is on.'
      : 'Its sandbox is off: the system does not allow one for this user (root, or a kernel without user namespaces).',
  )
}
