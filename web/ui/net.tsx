/** The drawing of empty states: a net with a `knot` if there is something to start, `plain` if a filter hides all, with a `hole` for 404. */
export type NetState = 'knot' | 'plain' | 'hole'

const STRANDS = Array.from({ length: 10 }, (_, i) => `M${-84 + i * 28} 0l84 84M${i * 28} 0l-84 84`).join('')

const KNOTS = [14, 28, 42, 56, 70].flatMap((y, row) =>
  Array.from({ length: row % 2 === 0 ? 7 : 6 }, (_, i) => ({ x: i * 28 + (row % 2 === 0 ? 0 : 14), y })),
)

export function Net({ state }: { state: NetState }) {
  const knots = state === 'plain' ? KNOTS : KNOTS.filter(({ x, y }) => x !== 84 || y !== 42)
  return (
    <svg
      viewBox="0 0 168 84"
      fill="none"
      aria-hidden="true"
      className="h-21 w-42 [mask-image:radial-gradient(ellipse_50%_50%_at_50%_50%,#000_40%,transparent_98%)]"
    >
      <path d={STRANDS} strokeWidth="1.25" className="stroke-line-strong" />
      <g className="fill-control">
        {knots.map(({ x, y }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="2.5" />
        ))}
      </g>
      {state === 'knot' && (
        <>
          <circle cx="84" cy="42" r="13" className="fill-wash" />
          <circle cx="84" cy="42" r="6" className="fill-accent" />
        </>
      )}
      {state === 'hole' && (
        <>
          <circle cx="84" cy="42" r="21" className="fill-page" />
          <path
            d="M68.5 26.5l7 7M99.5 26.5l-7 7M68.5 57.5l7-7M99.5 57.5l-7-7"
            strokeWidth="1.75"
            strokeLinecap="round"
            className="stroke-accent"
          />
        </>
      )}
    </svg>
  )
}
