import { readFile } from 'node:fs/promises'

/** The build copies them there from the package `pdfjs-dist`. */
const FOLDER = new URL('../../../../build/cmaps/', import.meta.url)

/**
 * Gives pdf.js the predefined CMaps: which characters the codes of Chinese, Japanese and Korean fonts mean when the PDF does not say it itself.
 *
 * Source: ISO 32000-2, 9.7.5.2.
 */
export class CMapReader {
  /** @throws when the file is missing or no CMap; pdf.js then leaves out the text in that font */
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (!/^[\w-]+\.bcmap$/.test(filename)) throw new Error(`${filename} is no CMap`)
    return new Uint8Array(await readFile(new URL(filename, FOLDER)))
  }
}
