/**
 * Every shortcut of the console: values of `event.key`. The handlers compare with them, and the dialog of shortcuts lists them
 * (./shortcuts-dialog), so that both are the same.
 */
export const SHORTCUT_KEYS = {
  search: ['Ctrl+k'],
  shortcuts: ['?'],
  nextRow: ['ArrowDown'],
  previousRow: ['ArrowUp'],
  nextRows: ['PageDown'],
  previousRows: ['PageUp'],
  firstRow: ['Home'],
  lastRow: ['End'],
  openRow: ['Enter'],
  selectRow: [' ', 'x'],
  selectRows: ['Shift+ ', 'Shift+x'],
  nextCell: ['ArrowRight'],
  previousCell: ['ArrowLeft'],
  leave: ['Escape'],
} as const satisfies Record<string, readonly string[]>

export type ShortcutName = keyof typeof SHORTCUT_KEYS

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean }

/** `Ctrl` is also the command key of a Mac. Shift counts for keys that it does not change: `?` needs it on most keyboards. */
const textOf = ({ key, ctrlKey, metaKey, shiftKey }: Pressed): string => {
  const name = key.length === 1 ? key.toLowerCase() : key
  const isShifted = shiftKey && /^[a-z ]$/.test(name)
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${isShifted ? 'Shift+' : ''}${name}`
}

export const isShortcut = (event: Pressed, name: ShortcutName): boolean => {
  const keys: readonly string[] = SHORTCUT_KEYS[name]
  return !event.altKey && keys.includes(textOf(event))
}
