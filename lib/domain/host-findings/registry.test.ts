import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { HOST_DETECTORS, HOST_FINDINGS } from './registry'

const codes = HOST_DETECTORS.map(({ findings }) => Object.keys(findings))

test('a code belongs to one detector', () => {
  expect(codes.flat().toSorted()).toEqual(Object.keys(HOST_FINDINGS).toSorted())
})

test('each file with a detector is registered, and finds the codes that it has texts for', () => {
  const sources = readdirSync(import.meta.dirname)
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .filter((source) => /^export const \w+: HostDetector = /m.test(source))
  expect(sources.length).toBe(HOST_DETECTORS.length)
  for (const source of sources) {
    const [detector = '', texts = ''] = source.split(/^export const \w+: HostDetector = /m)
    const own = codes.find(([first = '']) => texts.includes(`'${first}': {`)) ?? []
    for (const code of own) expect(detector, code).toContain(`'${code}'`)
    for (const [, code = ''] of detector.matchAll(/\bcode: '([a-z-]+)'/g)) expect(own).toContain(code)
  }
})
