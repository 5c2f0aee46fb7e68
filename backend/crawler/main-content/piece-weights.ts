// Written by scripts/fit-extraction.ts: what each measure of a piece adds to its score.
export const BIAS = 4.377
export const WEIGHTS: readonly number[] = [
  0.285, // characters (log)
  -1.992, // position in the kept text
  1.777, // directly in the main container
  -2.022, // link share
  -2.246, // link share of the grandparent
  -1.029, // link share of the piece before
  0.271, // the piece after is kept
  -0.321, // no sentence, under 100 characters
  2.416, // table cell
  -1.523, // plain div
  -2.257, // link share, directly in the main container
  3.985, // links to another site (share)
  0.409, // inside an article element
  -0.89, // inside a form
  0.239, // pieces of the same element near it
  -0.478, // text of the page (log)
  -1.086, // beside a picture, under 200 characters
  -0.642, // set in italics, bold or small as a whole
  -3.749, // photo words at the start, when short
  -1.795, // pointer words at the start, when short
  -3.586, // subscription words at the start, when short
  -4.527, // comment words at the start, when short
  -2.794, // legal words at the start, when short
]
