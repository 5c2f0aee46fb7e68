import { ctrlKey } from '#texts/layout.ts'

/** The name of the key that is pressed with others for a command: Ctrl, or ⌘ on Apple's systems. */
export const COMMAND_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : ctrlKey
