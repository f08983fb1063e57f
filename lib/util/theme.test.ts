import { expect, test } from 'vitest'
import { themeOf } from './theme'

test('a theme that was chosen is known, anything else is the system’s', () => {
  expect(themeOf('dark')).toBe('dark')
  expect(themeOf('light')).toBe('light')
  expect(themeOf('"><script>')).toBe('system')
  expect(themeOf(undefined)).toBe('system')
})
