/** Renders texts of the document. */
import { cx } from '#web/ui/cx.ts'
import { DOCUMENT_LANGUAGE } from './document.ts'
import { blocksOf, piecesOf } from './prose-blocks.ts'
import type { Block, Piece } from './prose-blocks.ts'

/** One line with code and bold words. */
export function Line({ text }: { text: string }) {
  return (
    <span lang={DOCUMENT_LANGUAGE}>
      <Pieces pieces={piecesOf(text)} />
    </span>
  )
}

export function Prose({ text }: { text: string }) {
  return <Blocks blocks={blocksOf(text)} />
}

export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div lang={DOCUMENT_LANGUAGE} className="grid max-w-read gap-3 text-soft wrap-anywhere">
      {blocks.map((block, index) =>
        block.kind === 'list' ? (
          <ul key={index} className="grid list-disc gap-1.5 pl-5 marker:text-faint">
            {block.entries.map((pieces, place) => (
              <li key={place}>
                <Pieces pieces={pieces} />
              </li>
            ))}
          </ul>
        ) : (
          <p key={index}>
            <Pieces pieces={block.pieces} />
          </p>
        ),
      )}
    </div>
  )
}

/** Code longer than this may wrap, in characters. */
const LONG = 32

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ kind, text }, index) =>
    kind === 'code' ? (
      <code key={index} className={cx('rounded-small bg-chip px-1 py-px text-ink', text.length < LONG && 'whitespace-nowrap')}>
        {text}
      </code>
    ) : kind === 'bold' ? (
      <strong key={index} className="font-semibold text-ink">
        {text}
      </strong>
    ) : (
      text
    ),
  )
}
