declare module 'html-encoding-sniffer' {
  /** The WHATWG name of the encoding that the bytes of a document are in; `defaultEncoding` when neither bytes nor header state one. */
  export default function sniffHtmlEncoding(
    bytes: Uint8Array,
    options?: { xml?: boolean; transportLayerEncodingLabel?: string | undefined; defaultEncoding?: string },
  ): string
}
