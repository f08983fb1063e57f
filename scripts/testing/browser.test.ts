import { expect, test } from 'vitest'
import { browserPaths } from './browser'

const found = { given: '', playwrights: '/cache/chrome' }

test('tests take the headless shell first, then a whole Chromium, then Playwright’s own', () => {
  const paths = browserPaths({ ...found, isForTests: true })
  expect(paths.slice(0, 2)).toEqual(['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'])
  expect(paths.at(-1)).toBe('/cache/chrome')
})

test('pictures and measurements never take the headless shell', () => {
  expect(browserPaths(found)[0]).toBe('/usr/bin/chromium')
  expect(browserPaths(found)).not.toContain('/usr/bin/chromium-headless-shell')
})

test('CHROMIUM_PATH goes before all', () => {
  expect(browserPaths({ ...found, given: '/opt/chrome', isForTests: true })[0]).toBe('/opt/chrome')
})
