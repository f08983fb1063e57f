import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepOpenedRow, takeOpenedRow } from './opened-row'

const opened = { host: 'cmp-1', address: '0000:18:00.0' }

const openAt = (search: string) => {
  window.location.search = search
}

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('window', {
    location: { pathname: '/gpus', search: '' },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the row that was opened is given back once', () => {
  keepOpenedRow(opened)
  expect(takeOpenedRow()).toEqual(opened)
  expect(takeOpenedRow()).toBeNull()
})

test('a list with another filter has opened nothing', () => {
  keepOpenedRow(opened)
  openAt('?q=a40')
  expect(takeOpenedRow()).toBeNull()
})
