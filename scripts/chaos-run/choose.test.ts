import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { chooseScenarios } from './choose'
import { SCENARIOS } from './scenarios'

const idsOf = (...args: string[]) => chooseScenarios(args).scenarios.map(({ id }) => id)

test('without a number all of them are played, with numbers those', () => {
  expect(idsOf()).toEqual(SCENARIOS.map(({ id }) => id))
  expect(idsOf('r7', 'R6')).toEqual(['R6', 'R7'])
  expect(chooseScenarios(['--long', 'R6']).isLong).toBe(true)
})

test('the rest is what no suite runs', () => {
  const { scenarios } = chooseScenarios(['--rest'])
  expect(scenarios.map(({ id }) => id)).not.toContain('R13')
  expect(scenarios.flatMap(({ runs }) => runs).every(({ project }) => project === 'chaos')).toBe(true)
})

test.each(['R99', '--short'])('%s is reported as unknown', (arg) => {
  expect(() => chooseScenarios([arg])).toThrow(`${arg} is not known: there are `)
})

test('every file that a scenario names is there, and every test of chaos has its scenario', () => {
  const named = SCENARIOS.flatMap(({ runs }) => runs).flatMap(({ files }) => files)
  const inChaos = readdirSync('chaos').filter((name) => name.endsWith('.test.ts'))
  for (const file of named.filter((name) => !name.startsWith('chaos/')))
    expect(existsSync(path.resolve(file)), file).toBe(true)
  const prefixes = named.filter((name) => name.startsWith('chaos/'))
  for (const prefix of prefixes)
    expect(
      inChaos.some((name) => `chaos/${name}`.startsWith(prefix)),
      prefix,
    ).toBe(true)
  for (const name of inChaos)
    expect(
      prefixes.some((prefix) => `chaos/${name}`.startsWith(prefix)),
      name,
    ).toBe(true)
})
