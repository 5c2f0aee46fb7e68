import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTheme } from '#web/state/theme.ts'
import { fakeStorage } from '#tests/support/browser/page.ts'

function start({ isDark = false, kept = {} as Record<string, string> } = {}) {
  const storage = fakeStorage(kept)
  const shown: { theme: string; cookie: string }[] = []
  let tell: (isDark: boolean) => void = () => undefined
  const theme = createTheme({
    storage,
    system: { isDark: () => isDark, onChange: (changed) => (tell = changed) },
    show: (theme, cookie) => shown.push({ theme, cookie }),
  })
  return { ...theme, storage, last: () => shown.at(-1), systemBecomes: (dark: boolean) => tell(dark) }
}

const choice = suite('the theme')

choice('S-DSH-10 the theme is the system’s until the user chooses, and follows its changes', () => {
  const app = start({ isDark: true })
  assert.is(app.last()?.theme, 'dark')
  app.systemBecomes(false)
  assert.is(app.last()?.theme, 'light')
  assert.match(app.last()?.cookie ?? '', 'max-age=0')
  assert.is(app.storage.getItem('theme'), null)
})

choice('S-DSH-10 the theme is toggled, stored, and sent to the gateway by a cookie', () => {
  const app = start({ isDark: true })
  app.toggle()
  assert.is(app.last()?.theme, 'light')
  assert.is(app.storage.getItem('theme'), 'light')
  assert.match(app.last()?.cookie ?? '', /^theme=light; path=\/; max-age=\d{8}; samesite=lax$/)
  app.toggle()
  assert.is(app.storage.getItem('theme'), 'dark')
})

choice('S-DSH-10 a stored theme is read again, and overrides the system', () => {
  const app = start({ isDark: true, kept: { theme: 'light' } })
  assert.is(app.last()?.theme, 'light')
  app.systemBecomes(true)
  assert.is(app.last()?.theme, 'light')
})

choice('an unknown stored value is dropped', () => {
  const app = start({ kept: { theme: 'sepia' } })
  assert.is(app.last()?.theme, 'light')
  assert.is(app.storage.getItem('theme'), null)
})

choice.run()
