import type { KeyboardEvent } from 'react'

/**
 * Whether a key belongs to an input method, as for Chinese and Japanese, where Enter ends a word. Safari has ended the composition by then,
 * and marks that key by the code 229 alone.
 */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
