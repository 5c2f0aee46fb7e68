/** The layout of a mail: a card with a heading, some sentences, one button. Pure. */
import type { Mail } from '#backend/platform/mailer.ts'

export type Letter = {
  subject: string
  heading: string
  /** Plain texts, each a paragraph. */
  paragraphs: readonly string[]
  button: { label: string; link: string }
  /** Small print under the button. */
  footnote: string
  /** Introduces the button's URL in plain text. */
  buttonFails: string
  language: string
}

/**
 * The colours of the product. Styles are inline, because many mail programs drop style sheets; those that support dark mode read the sheet
 * too.
 */
const STYLE = {
  page: 'margin:0;padding:32px 16px;background:#f7f8f9;color:#10161d',
  card: 'max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e4e7eb;border-radius:12px',
  face: "font-family:Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  name: 'margin:0 0 24px;font-size:16px;line-height:24px;font-weight:500;letter-spacing:-0.025em;color:#086560',
  heading: 'margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;letter-spacing:-0.01em;color:#10161d',
  paragraph: 'margin:0 0 16px;font-size:15px;line-height:24px;color:#4a5563',
  button:
    'display:inline-block;margin:8px 0 24px;padding:12px 20px;border-radius:6px;background:#0b7a75;color:#ffffff;font-size:15px;line-height:20px;font-weight:500;text-decoration:none',
  small: 'margin:0 0 8px;font-size:13px;line-height:20px;color:#5f6b78',
  link: 'color:#086560;word-break:break-all',
} as const

const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #0b0f14 !important; color: #e8edf2 !important }
  .card { background: #11161d !important; border-color: #212a35 !important }
  .name, .link { color: #4fdccb !important }
  .heading { color: #e8edf2 !important }
  .paragraph { color: #a7b2bf !important }
  .button { background: #2dd4bf !important; color: #04211f !important }
  .small { color: #8a96a5 !important }
}`

/** Renders a mail as HTML and as text. */
export function layOut(productName: string, { subject, heading, paragraphs, button, footnote, buttonFails, language }: Letter): Mail {
  const { label, link } = button
  const element = (name: string, style: keyof typeof STYLE, content: string) =>
    `<${name} class="${style}" style="${STYLE[style]}">${content}</${name}>`
  const href = escapeHtml(link)
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="${STYLE.page};${STYLE.face}">
<div class="card" style="${STYLE.card}">
${element('p', 'name', escapeHtml(productName))}
${element('h1', 'heading', escapeHtml(heading))}
${paragraphs.map((text) => element('p', 'paragraph', escapeHtml(text))).join('\n')}
<a class="button" href="${href}" style="${STYLE.button}">${escapeHtml(label)}</a>
${element('p', 'small', escapeHtml(buttonFails))}
<p class="small" style="${STYLE.small}"><a class="link" href="${href}" style="${STYLE.link}">${href}</a></p>
${element('p', 'small', escapeHtml(footnote))}
</div>
</body>
</html>
`
  const text = [productName, heading, ...paragraphs, `${label}:\n${link}`, footnote].join('\n\n') + '\n'
  return { subject, html, text, link }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
