/** Navigation of the reference: a list at the side if there is room, else a select box. */
import { useEffect, useRef } from 'react'
import { cx } from '#web/ui/cx.ts'
import { boxClass, innerClass } from '#web/ui/form/field.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/reference.ts'
import { MethodBadge } from './method-badge.tsx'

/** `method` is shown in front of an operation. */
export type Stop = { id: string; title: string; method?: string }
/** `language` is that of its titles, if it is not the dashboard's. */
export type StopGroup = { title: string; language?: string; stops: readonly Stop[] }

export type ReferenceNavigationProps = { groups: readonly StopGroup[]; place: string }

export function SideNavigation({ groups, place }: ReferenceNavigationProps) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const nav = list.current
    const here = nav?.querySelector<HTMLElement>(`a[href="#${place}"]`)
    if (!nav || !here) return
    const top = here.offsetTop - nav.offsetTop
    if (top < nav.scrollTop || top + here.offsetHeight > nav.scrollTop + nav.clientHeight) nav.scrollTop = top - nav.clientHeight / 2
  }, [place])
  return (
    <nav ref={list} aria-label={t.apiOperations} className="grid content-start gap-5 overflow-y-auto pr-1 pb-4 max-xl:hidden">
      {groups.map(({ language, stops, title }) => (
        <div key={title} lang={language} className="grid gap-0.5">
          <p id={idOf(title)} className="px-2 pb-1 text-label font-medium text-faint">
            {title}
          </p>
          <ul aria-labelledby={idOf(title)} className="grid gap-px">
            {stops.map(({ id, title: words, method }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  aria-current={id === place ? 'location' : undefined}
                  className={cx(
                    'flex items-start gap-2 rounded-control px-2 py-1.5 text-table/5 -outline-offset-2',
                    id === place ? 'bg-wash font-medium text-accent-ink' : 'text-soft hover:bg-hover hover:text-ink',
                  )}
                >
                  {method && <MethodBadge method={method} short />}
                  <span className="min-w-0 wrap-anywhere">{words}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const idOf = (title: string) => `group-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

export function PlaceSelect({ groups, place }: ReferenceNavigationProps) {
  return (
    <div className={cx(boxClass({}), 'relative xl:hidden')}>
      <select
        aria-label={t.goTo}
        value={place}
        onChange={(event) => window.location.assign(`#${event.target.value}`)}
        className={cx(
          innerClass,
          'appearance-none truncate pr-6 [&_optgroup]:bg-raised [&_optgroup]:text-soft [&_option]:bg-raised [&_option]:text-ink',
        )}
      >
        {groups.map(({ language, stops, title }) => (
          <optgroup key={title} label={title} lang={language}>
            {stops.map(({ id, title: words, method }) => (
              <option key={id} value={id}>
                {method ? `${method} – ${words}` : words}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <ChevronDownIcon className="pointer-events-none absolute right-3 text-faint" />
    </div>
  )
}
