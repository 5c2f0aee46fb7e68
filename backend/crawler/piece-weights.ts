// Written by scripts/fit-extraction.ts: what each measure of a piece adds to its score.
export const BIAS = 4.143
export const WEIGHTS: readonly number[] = [
  0.334, // characters (log)
  -2.071, // position in the kept text
  1.698, // directly in the main container
  -2.071, // link share
  -2.12, // link share of the grandparent
  -1.009, // link share of the piece before
  0.403, // the piece after is kept
  -0.314, // no sentence, under 100 characters
  2.454, // table cell
  -1.568, // plain div
  -2.221, // link share, directly in the main container
  3.975, // links to another site (share)
  0.403, // inside an article element
  -0.748, // inside a form
  0.237, // pieces of the same element near it
  -0.501, // text of the page (log)
  -3.81, // photo words at the start, when short
  -1.71, // pointer words at the start, when short
  -3.438, // subscription words at the start, when short
  -4.304, // comment words at the start, when short
  -2.952, // legal words at the start, when short
]
