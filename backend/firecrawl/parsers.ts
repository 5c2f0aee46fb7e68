/** The option `parsers`: how documents are read. Pure. */
import type { ScrapeOptions } from '#contract/firecrawl/shapes.ts'

type Parser = NonNullable<ScrapeOptions['parsers']>[number]
type PdfParser = Extract<Parser, object>

const PDF_EXTRAS = ['pages', 'pageMarkdown', 'blocks', 'pageMarkers'] as const

/** Options for PDFs; undefined without any. */
export function pdfParserOf({ parsers = [] }: Pick<ScrapeOptions, 'parsers'>): PdfParser | undefined {
  return parsers.find((parser): parser is PdfParser => typeof parser === 'object' && parser.type === 'pdf')
}

/** Warnings for options of parsers that have no effect here. */
export function parserWarnings({ parsers }: Pick<ScrapeOptions, 'parsers'>): string[] {
  const parser = pdfParserOf({ parsers })
  const isPdf = (each: Parser) => (typeof each === 'string' ? each : each.type) === 'pdf'
  return [
    // Some clients always send an empty list.
    ...(parsers !== undefined && parsers.length > 0 && !parsers.some(isPdf) ? ['Documents are always read as text.'] : []),
    ...(parser?.mode === 'ocr' ? ['parsers.mode has no effect: pages that are pictures are not recognised as text.'] : []),
    ...PDF_EXTRAS.filter((name) => parser?.[name] === true).map((name) => `parsers.${name} has no effect on this server.`),
  ]
}
