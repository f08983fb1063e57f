import { expect, test } from 'vitest'
import { pythonStrip } from '@/lib/util/python-strip'
import { toAlias } from './pci-alias'
import { isFalsy, pythonHex, pythonInt, strictBool } from './python-values'

test.each([
  [' \t\ngpu\v\f\r ', 'gpu'],
  ['\u001cgpu\u001f\u0085', 'gpu'],
  ['\u00a0gpu\u2003', 'gpu'],
  ['\ufeffgpu', '\ufeffgpu'],
  ['g pu', 'g pu'],
])('strips %j as Python does', (text, stripped) => {
  expect(pythonStrip(text)).toBe(stripped)
  expect(toAlias({ name: text }, '')?.name).toBe(stripped)
})

test('reads numbers and booleans between blanks as Python does', () => {
  expect(pythonHex(' \u0085\u00a010de\u2000\n')).toBe(0x10de)
  expect(pythonHex('\u001e10de')).toBeNull()
  expect(pythonHex('\u00a010de\u001f')).toBeNull()
  expect(pythonHex('\ufeff10de')).toBeNull()
  expect(strictBool('yes\u0085')).toBe(true)
})

test.each([undefined, null, [], {}, 'maybe', 2])('%j is no boolean', (value) => {
  expect(strictBool(value)).toBeNull()
})

test.each([null, undefined, '', 0, false, [], {}])('counts %j as false', (value) => {
  expect(isFalsy(value)).toBe(true)
})
test.each(['0', 1, true, [0], { a: 0 }])('counts %j as true', (value) => {
  expect(isFalsy(value)).toBe(false)
})

test.each([
  [' +1_0\u0085', 10],
  ['1\u001f', null],
  ['-1', -1],
  ['-0', 0],
  ['1__0', null],
  ['1.0', null],
  ['', null],
])('reads the number %j as int() of Python does', (text, number) => {
  expect(pythonInt(text)).toBe(number)
})
