/** The servers that the options of an installation name, and how to ask each whether it can be used. */
import { blobPlaceOf } from './config.ts'
import type { BackendConfig } from './config.ts'
import { askBucket } from './platform/blobs/open-blobs.ts'
import { askMailServer } from './platform/mailer.ts'
import { askRenderers } from './renderer/remote-renderer.ts'
import { askSearxng } from './searches/providers/ask-searxng.ts'
import { searchSetup } from './searches/providers/configured.ts'
import type { SearchOptions } from './searches/providers/configured.ts'
import type { AskServices } from './system/services.ts'

type ServiceOptions = SearchOptions & Pick<BackendConfig, 'blobPlace' | 'dataDir' | 'rendererToken' | 'rendererUrl' | 'smtpUrl'>

/** Null for each that is not configured. */
export function operatorServices(config: ServiceOptions): AskServices {
  const { rendererToken: token, rendererUrl: urls, smtpUrl } = config
  return {
    bucket: askBucket(blobPlaceOf(config)),
    mail: smtpUrl === undefined ? null : askMailServer(smtpUrl),
    renderer: urls === undefined || token === undefined ? null : askRenderers({ token, urls }),
    search: askSearxng(searchSetup(config)),
  }
}
