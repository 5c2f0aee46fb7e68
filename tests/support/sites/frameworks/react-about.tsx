import { ABOUT } from './shop.ts'

export default function About() {
  return (
    <article>
      <h1>About the shop</h1>
      <p>{ABOUT}</p>
    </article>
  )
}
