/** Nested fields that are followed; each text checks which of them it belongs to. */
const MAX_FIELDS = 50
const MAX_INSTRUCTION = 4096

/**
 * The fields that are open at a place of a document. A field, such as a link, has its instruction before its text. Source: ECMA-376 part 1,
 * 17.16.18.
 */
export class FieldStream {
  #open: { instruction: string; link: string }[] = []
  #tooDeep = 0

  /** The URL of the innermost link whose text has begun; empty outside of links. */
  get link(): string {
    return this.#open.findLast((field) => field.link !== '')?.link ?? ''
  }

  /** @param type  `begin`, `separate` (between instruction and text) or `end` */
  mark(type: string): void {
    if (type === 'begin') {
      if (this.#open.length < MAX_FIELDS) this.#open.push({ instruction: '', link: '' })
      else this.#tooDeep++
    } else if (type === 'end') {
      if (this.#tooDeep > 0) this.#tooDeep--
      else this.#open.pop()
    } else if (this.#tooDeep === 0) {
      const field = this.#open.at(-1)
      if (field !== undefined) Object.assign(field, { link: linkOfField(field.instruction), instruction: '' })
    }
  }

  instruction(text: string): void {
    const field = this.#tooDeep > 0 ? undefined : this.#open.at(-1)
    if (field !== undefined && field.instruction.length < MAX_INSTRUCTION) field.instruction += text
  }
}

/** The URL in `HYPERLINK "https://…"`; empty for other fields. */
export function linkOfField(instruction: string): string {
  return /^\s*HYPERLINK\s+"([^"\s]+)"/.exec(instruction)?.[1] ?? ''
}
