/** Pages of the corpus whose Markdown is not yet as wanted, and why. A page that is as wanted fails its test until it is taken off this list. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  'blogs/ghost': 'the picture above the text is kept though its description is empty: WordPress writes most pictures of articles so',
  'forums/phpbb': 'the profile beside a post is kept: boards without a line above the post name its author only there',
  'forums/question': 'the tags stand in the metadata only: lists of them are left out of all pages',
  'news/japanese': 'the byline is kept where an article says by microdata alone that it is one',
  'news/korean': 'the section is kept: the least length of an article counts characters, and hangul says more in fewer',
  'shops/product':
    'the picture stands in a list of its own beside the text, and the label of the price is hidden from readers: both are left out',
}
