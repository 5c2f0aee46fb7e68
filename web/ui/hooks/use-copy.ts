import { useEffect, useState } from 'react'
import { COPIED_MS } from '#web/ui/limits.ts'

/** Copies a text, and reports success for two seconds. `copy` returns false when the browser refuses. */
export function useCopy() {
  const [copied, setCopied] = useState<string | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (text: string): Promise<boolean> => {
    const done = await copyText(text)
    if (done) setCopied(text)
    return done
  }
  return { copy, copied }
}

/** The clipboard API needs a secure context; over plain HTTP in a local network only `execCommand` works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.style.position = 'fixed'
    area.style.opacity = '0'
    // With an open dialog, only its content can be selected.
    const host = document.querySelector('dialog[open]:modal') ?? document.body
    const before = document.activeElement
    host.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    if (before instanceof HTMLElement) before.focus()
    return done
  }
}
