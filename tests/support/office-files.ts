/** Makes small office documents. */
import { strToU8, zipSync } from 'fflate'

export function zip(parts: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])), { level: 1 })
}

/** The relations of a part, by the ids that it uses. */
export function relations(targets: Record<string, [type: string, target: string, mode?: 'External']>): string {
  const items = Object.entries(targets).map(
    ([id, [type, target, mode]]) =>
      `<Relationship Id="${id}" Type="http://schemas.example/relationships/${type}" Target="${target}" TargetMode="${mode ?? 'Internal'}"/>`,
  )
  return `<Relationships>${items.join('')}</Relationships>`
}

/** @param parts  further parts; `word/<type>.xml` is related to the document by its type, unless the relations of the document are given */
export function docx(body: string, parts: Record<string, string> = {}): Uint8Array {
  const types = Object.keys(parts).flatMap((name) => /^word\/(\w+)\.xml$/.exec(name)?.[1] ?? [])
  return zip({
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(Object.fromEntries(types.map((type) => [type, [type, `${type}.xml`]]))),
    ...parts,
  })
}

/** A presentation of one slide. */
export function pptx(slide: string, parts: Record<string, string> = {}): Uint8Array {
  return zip({
    'ppt/presentation.xml': '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="s1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations({ s1: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="r"><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
    ...parts,
  })
}

/** @param objects  the content of the objects inside, by the names of their folders */
export function openDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  objects: Record<string, string> = {},
): Uint8Array {
  const parts = Object.entries(objects).map(([name, xml]) => [`${name}/content.xml`, xml])
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...Object.fromEntries(parts),
  })
}
