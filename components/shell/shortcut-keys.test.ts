import { expect, test } from 'vitest'
import { isShortcut, type ShortcutName } from './shortcut-keys'

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test.each<[ShortcutName, Partial<typeof NONE> & { key: string }]>([
  ['search', { key: 'k', ctrlKey: true }],
  ['search', { key: 'K', metaKey: true }],
  ['shortcuts', { key: '?', shiftKey: true }],
  ['shortcuts', { key: '?' }],
  ['selectRow', { key: 'x' }],
  ['selectRows', { key: 'X', shiftKey: true }],
  ['selectRows', { key: ' ', shiftKey: true }],
  ['nextRow', { key: 'ArrowDown' }],
])('%s is pressed with %o', (name, given) => {
  expect(isShortcut({ ...NONE, ...given }, name)).toBe(true)
})

test.each<[ShortcutName, Partial<typeof NONE> & { key: string }]>([
  ['search', { key: 'k' }],
  ['shortcuts', { key: '?', ctrlKey: true }],
  ['selectRow', { key: 'x', ctrlKey: true }],
  ['nextRow', { key: 'ArrowDown', altKey: true }],
])('%s is not pressed with %o', (name, given) => {
  expect(isShortcut({ ...NONE, ...given }, name)).toBe(false)
})
