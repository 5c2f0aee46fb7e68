/** Shown in a provider's window when it returns, usually for a moment only, because it closes itself. */
import { useEffect, useRef } from 'react'
import { OutcomeSheet } from '#web/frame/layout/public-layout.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { KeyIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/providers.ts'
import { reportReturn } from './provider-return.ts'
import type { ProviderReturn } from './provider-return.ts'

export function ProviderReturnScreen({ found }: { found: ProviderReturn }) {
  const isReported = useRef(false)
  useEffect(() => {
    if (isReported.current) return
    isReported.current = true
    reportReturn(found)
  }, [found])
  return (
    <OutcomeSheet
      icon={KeyIcon}
      tone="info"
      title={t.youCanCloseThisWindow}
      actions={
        <Button block onClick={() => window.location.reload()}>
          {t.backToSignIn}
        </Button>
      }
    >
      <p>{t.signingInGoesOnInThe}</p>
    </OutcomeSheet>
  )
}
