// Written by scripts/fit-extraction.ts: what each measure of a piece adds to its score.
export const BIAS = 4.135
export const WEIGHTS: readonly number[] = [
  0.342, // characters (log)
  -1.979, // position in the kept text
  1.735, // directly in the main container
  -2.013, // link share
  -2.249, // link share of the grandparent
  -0.934, // link share of the piece before
  0.545, // the piece after is kept
  -0.345, // no sentence, under 100 characters
  2.409, // table cell
  -1.571, // plain div
  -2.357, // link share, directly in the main container
  3.99, // links to another site (share)
  0.393, // inside an article element
  -0.779, // inside a form
  0.239, // pieces of the same element near it
  -0.524, // text of the page (log)
  -3.779, // photo words at the start, when short
  -1.841, // pointer words at the start, when short
  -3.434, // subscription words at the start, when short
  -4.338, // comment words at the start, when short
  -2.951, // legal words at the start, when short
]
