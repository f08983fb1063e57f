import path from 'node:path'
import { expect, it } from 'vitest'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_HOSTS, parseDemoOptions } from './demo-options'

it('takes all hosts on a free port by default', () => {
  expect(parseDemoOptions([], '.demo')).toEqual({
    port: null,
    hostCount: null,
    seed: 1,
    isFresh: false,
    isVerbose: false,
    hasSignIn: false,
    hasHistory: true,
    directory: path.resolve('.demo'),
  })
  expect(parseDemoOptions(['--help'], '.demo')).toBeNull()
})

it('knows how many hosts there are', () => {
  expect(demoFleet({ seed: 1, startAt: new Date(0) })).toHaveLength(DEMO_HOSTS)
})

it('takes the given options', () => {
  const options = parseDemoOptions(
    ['--port', '3100', '--hosts', '8', '--seed', '7', '--fresh', '--no-history'],
    '.demo',
  )
  expect(options).toMatchObject({ port: 3100, hostCount: 8, seed: 7, isFresh: true, hasHistory: false })
})

it.each([
  [['--port', 'x'], '--port is "x", but must be a whole number from 1 to 65535.'],
  [['--hosts', '36'], '--hosts is "36", but must be a whole number from 1 to 35.'],
  [['--seed', '-1'], /^Option '--seed' argument is ambiguous/],
  [['--colour'], /^Unknown option '--colour'.*--help lists the options\.$/s],
])('refuses %j with a sentence', (args, sentence) => {
  expect(() => parseDemoOptions(args, '.demo')).toThrow(sentence)
})
