/** The shop with React: routes of wouter, one of them in a file that is loaded when it is needed. */
import { Suspense, lazy, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Link, Route, Switch, useSearchParams } from 'wouter'
import { teasOfPage } from './shop.ts'

const Tea = lazy(() => import('./react-tea.tsx'))
const About = lazy(() => import('./react-about.tsx'))

function Home() {
  return (
    <>
      <h1>Tea shop</h1>
      <p>
        Six teas from four countries, sold by weight and sent on the same day. Every one of them has been tasted before it is on the list.
      </p>
      <Link href="/teas?page=1">All teas</Link> <Link href="/about">About us</Link>
    </>
  )
}

function Teas() {
  const page = Number(useSearchParams()[0].get('page') ?? 1)
  const [list, setList] = useState<Awaited<ReturnType<typeof teasOfPage>> | null>(null)
  useEffect(() => void teasOfPage(page).then(setList), [page])
  if (list === null) return <p>Loading …</p>
  return (
    <>
      <h1>Teas, page {page}</h1>
      <ul>
        {list.teas.map(({ about, name, no }) => (
          <li key={no}>
            <Link href={`/teas/${no}`}>{name}</Link> {about}
          </li>
        ))}
      </ul>
      {list.next !== null && <Link href={`/teas?page=${list.next}`}>Next page</Link>}
    </>
  )
}

createRoot(document.querySelector('#root')!).render(
  <main>
    <Suspense fallback={<p>Loading …</p>}>
      <Switch>
        <Route path="/" component={Home} />
        <Route path="/teas" component={Teas} />
        <Route path="/teas/:no">{({ no }) => <Tea no={no} />}</Route>
        <Route path="/about" component={About} />
      </Switch>
    </Suspense>
  </main>,
)
