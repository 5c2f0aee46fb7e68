/** The names of keys, in the spelling of the browser. Pure. */

const NAMES = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'Insert',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'CapsLock',
  ...Array.from({ length: 12 }, (_, at) => `F${at + 1}`),
]
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name): [string, string] => [name.toLowerCase(), name]),
  ['return', 'Enter'],
  ['esc', 'Escape'],
  ['del', 'Delete'],
  ['space', ' '],
  ['up', 'ArrowUp'],
  ['down', 'ArrowDown'],
  ['left', 'ArrowLeft'],
  ['right', 'ArrowRight'],
  ['ctrl', 'Control'],
  ['command', 'Meta'],
  ['cmd', 'Meta'],
])

/** A key, or several with `+` between them, in any spelling: `ENTER`, `page_down`, `ctrl+a`. Names that are not known stay as they are. */
export function keyNamed(text: string): string {
  const parts = text.length > 1 ? text.split(/(?<=.)\+/) : [text]
  return parts.map((part) => SPELLINGS.get(part.trim().toLowerCase().replace(/[ _-]/g, '')) ?? part).join('+')
}
