/**
 * Parts of a page that its server has sent late: React (Suspense) and Solid send something in their place first ("Loading …"), and at the
 * end of the page the parts, with scripts that put them in their places. Here the text of the page is arranged as those scripts would do it.
 */

/** The calls of the scripts: `$RC(place, part)`, `$RR(place, part, styles)` and `$RS(part, place)` of React, `$df(part)` of Solid. */
const CALLS = /<script\b|\$(?:R([CRS])|df)\("([^"<>]{1,200})"(?:,"([^"<>]{1,200})")?/g
/** Comments around a place; places and Solid's parts; React's parts. */
const MARKS =
  /<!--(?:(\$[?!~]?)|(\/\$)|(pl-[^<>]{1,200}))-->|<template id="([^"<>]{1,200})">|<(?:div hidden|(?:svg|math) aria-hidden="true" style="display:none"|table hidden(?:><(?:tbody|tr|colgroup))?) id="([^"<>]{1,200})">/g
const END_OF_PLACE = '</template>'
/** The end tags of a part, by the name of its innermost element. */
const ENDS: Record<string, string> = { tbody: '</tbody></table>', tr: '</tr></table>', colgroup: '</colgroup></table>' }

type Range = { from: number; to: number }
/** A range that is left out; the part takes its place. */
type Cut = Range & { part: Range | null }
/** A part whose end is not known yet. */
type Begun = { name: string; tag: string; at: number; from: number }
/** By the name of a part. A boundary has its place and what is shown there between comments. */
type Calls = Map<string, { place: string; isBoundary: boolean; script: number }>

/** Puts late parts in their places; a page without any is returned as it is. Takes time in proportion to its length. */
export function placeLateParts(html: string): string {
  const calls = readCalls(html)
  if (calls.size === 0) return html
  const { begun, places } = readMarks(html, calls)
  const cuts: Cut[] = []
  for (const [number, { at, from, name, tag }] of begun.entries()) {
    const { place, script } = calls.get(name)!
    const to = Math.min(begun[number + 1]?.at ?? Infinity, script)
    const end = ENDS[tag] ?? `</${tag}>`
    const length = html.slice(from, Math.max(from, to)).lastIndexOf(end)
    const there = places.get(place)
    if (length < 0 || there === undefined) continue
    const part = { from, to: from + length }
    cuts.push({ from: at, to: part.to + end.length, part: null }, { ...there, part })
    places.delete(place)
  }
  return cuts.length === 0 ? html : arrange(html, cuts)
}

/** For each part its place, and where the script that moves it begins. */
function readCalls(html: string): Calls {
  const calls: Calls = new Map()
  let script = 0
  for (const { 0: text, 1: kind, 2: one = '', 3: other, index } of html.matchAll(CALLS))
    if (text.startsWith('<')) script = index
    else if (kind === undefined) calls.set(one, { place: `pl-${one}`, isBoundary: false, script })
    else if (other !== undefined && kind === 'S') calls.set(one, { place: other, isBoundary: false, script })
    else if (other !== undefined) calls.set(other, { place: one, isBoundary: true, script })
  return calls
}

/** Where parts begin, in their order, and the places with what is shown there until the part arrives. */
function readMarks(html: string, calls: Calls): { begun: Begun[]; places: Map<string, Range> } {
  const wanted = new Map([...calls.values()].map(({ isBoundary, place }) => [place, isBoundary]))
  const begun: Begun[] = []
  const places = new Map<string, Range>()
  /** Where Solid's places begin, and the places in React's open boundaries, innermost last. */
  const starts = new Map<string, number>()
  const open: ({ name: string; from: number } | null)[] = []
  for (const { 0: text, 1: opens, 2: closes, 3: endOf, 4: template, 5: part, index } of html.matchAll(MARKS)) {
    const after = index + text.length
    const name = template ?? part
    if (opens !== undefined) open.push(null)
    else if (closes !== undefined) {
      const place = open.pop()
      if (place != null) places.set(place.name, { from: place.from, to: index })
    } else if (endOf !== undefined) {
      const from = starts.get(endOf)
      if (from !== undefined) places.set(endOf, { from, to: after })
    } else if (template !== undefined && wanted.has(template)) {
      if (template.startsWith('pl-')) starts.set(template, index)
      else if (wanted.get(template) === false) places.set(template, { from: index, to: after + END_OF_PLACE.length })
      else if (open.length > 0) open[open.length - 1] = { name: template, from: index }
    } else if (name !== undefined && calls.has(name)) begun.push({ name, tag: /<(\w+)[^<]*$/.exec(text)![1]!, at: index, from: after })
  }
  return { begun, places }
}

function arrange(html: string, cuts: Cut[]): string {
  cuts.sort((one, other) => one.from - other.from)
  const written: string[] = []
  const open: Range[] = [{ from: 0, to: html.length }]
  for (let range = open.at(-1); range !== undefined; range = open.at(-1)) {
    const cut = cuts[firstFrom(cuts, range.from)]
    written.push(html.slice(range.from, Math.min(cut?.from ?? Infinity, range.to)))
    if (cut === undefined || cut.from >= range.to) {
      open.pop()
      continue
    }
    range.from = cut.to
    if (cut.part !== null) open.push({ ...cut.part })
    cut.part = null
  }
  return written.join('')
}

/** The number of the first cut that begins at `from` or later. */
function firstFrom(cuts: readonly Cut[], from: number): number {
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (cuts[middle]!.from < from) low = middle + 1
    else high = middle
  }
  return low
}
