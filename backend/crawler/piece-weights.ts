// Written by scripts/fit-extraction.ts: what each measure of a piece adds to its score.
export const BIAS = 4.019
export const WEIGHTS: readonly number[] = [
  0.343, // characters (log)
  -2.019, // position in the kept text
  1.717, // directly in the main container
  -2.021, // link share
  -2.234, // link share of the grandparent
  -0.945, // link share of the piece before
  0.468, // the piece after is kept
  -0.325, // no sentence, under 100 characters
  2.467, // table cell
  -1.502, // plain div
  -2.293, // link share, directly in the main container
  3.969, // links to another site (share)
  0.433, // inside an article element
  -0.757, // inside a form
  0.23, // pieces of the same element near it
  -0.501, // text of the page (log)
  -3.768, // photo words at the start, when short
  -1.851, // pointer words at the start, when short
  -3.419, // subscription words at the start, when short
  -4.295, // comment words at the start, when short
  -2.935, // legal words at the start, when short
]
