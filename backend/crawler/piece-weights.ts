// Written by scripts/fit-extraction.ts: what each measure of a piece adds to its score.
export const BIAS = 4.046
export const WEIGHTS: readonly number[] = [
  0.351, // characters (log)
  -2.008, // position in the kept text
  1.721, // directly in the main container
  -2.021, // link share
  -2.189, // link share of the grandparent
  -0.989, // link share of the piece before
  0.484, // the piece after is kept
  -0.333, // no sentence, under 100 characters
  2.474, // table cell
  -1.493, // plain div
  -2.292, // link share, directly in the main container
  3.984, // links to another site (share)
  0.422, // inside an article element
  -0.76, // inside a form
  0.228, // pieces of the same element near it
  -0.51, // text of the page (log)
  -3.762, // photo words at the start, when short
  -1.839, // pointer words at the start, when short
  -3.416, // subscription words at the start, when short
  -4.297, // comment words at the start, when short
  -2.928, // legal words at the start, when short
]
