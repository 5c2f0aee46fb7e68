import { useEffect, useState } from 'react'
import { teaOf } from './shop.ts'
import type { Tea } from './shop.ts'

export default function TeaPage({ no }: { no: string }) {
  const [tea, setTea] = useState<Tea | null>(null)
  useEffect(() => void teaOf(no).then(setTea), [no])
  if (tea === null) return <p>Loading …</p>
  return (
    <article>
      <h1>{tea.name}</h1>
      <p>{tea.about}</p>
    </article>
  )
}
