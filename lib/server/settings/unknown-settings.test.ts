import { expect, test } from 'vitest'
import { describeUnknownSettings } from './unknown-settings'

const KNOWN = ['SLICEBOARD_PORT', 'SLICEBOARD_HOST', 'SLICEBOARD_READ_INTERVAL_SECONDS', 'SLICEBOARD_SECRET']
const unknown = (...names: string[]) =>
  describeUnknownSettings(Object.fromEntries(names.map((name) => [name, '1'])), KNOWN)

test('a mistyped setting is named with the closest one', () => {
  expect(unknown('SLICEBOARD_PROT', 'SLICEBOARD_READ_INTERVAL', 'SLICEBOARD_SECRET_FILES')).toEqual([
    'SLICEBOARD_PROT is not a setting of Sliceboard and is ignored. Did you mean SLICEBOARD_PORT?',
    'SLICEBOARD_READ_INTERVAL is not a setting of Sliceboard and is ignored. Did you mean SLICEBOARD_READ_INTERVAL_SECONDS?',
    'SLICEBOARD_SECRET_FILES is not a setting of Sliceboard and is ignored. Did you mean SLICEBOARD_SECRET_FILE?',
  ])
})

test('one that resembles nothing has no suggestion; others are skipped', () => {
  expect(unknown('SLICEBOARD_COLORS_OF_THE_RAINBOW')).toEqual([
    'SLICEBOARD_COLORS_OF_THE_RAINBOW is not a setting of Sliceboard and is ignored.',
  ])
  expect(unknown('SLICEBOARD_PORT', 'SLICEBOARD_SECRET_FILE', 'HOME', 'SLICEBOARD_LONG')).toEqual([])
})

test('a setting of an earlier release is named with its replacement', () => {
  expect(unknown('SLICEBOARD_WEBHOOK_URL', 'SLICEBOARD_WEBHOOK_SECRET_FILE')).toEqual([
    'SLICEBOARD_WEBHOOK_URL is no longer a setting and is ignored. Add a webhook in Settings → Webhooks.',
    'SLICEBOARD_WEBHOOK_SECRET_FILE is no longer a setting and is ignored. Add a webhook in Settings → Webhooks.',
  ])
})
