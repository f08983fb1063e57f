import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { NAIVE_ENCODERS } from './testing/hostile/naive-encoders'
import { switchEncoders, switchedOff } from './testing/hostile/switched-encoders'

const SEED = fc.readConfigureGlobal()?.seed ?? 1
const folder = makeTemporaryDirectory('sliceboard-hostile-')
let encoders: string[] = []
let findEffect: () => Promise<string | null>

beforeAll(async () => {
  encoders = await switchEncoders()
  const { openSandbox } = await import('./testing/hostile/sandbox')
  const { createControl } = await import('./testing/hostile/control-run')
  findEffect = await createControl({ seed: SEED, sandbox: openSandbox(folder) })
}, 240_000)
afterAll(() => {
  switchedOff.name = null
  vi.resetModules()
  removeTree(folder)
})

test('every encoder has a naive form for this test', () => {
  expect(Object.keys(NAIVE_ENCODERS).toSorted()).toEqual(encoders.toSorted())
})

test('no attack has an effect with every encoder in place', async () => {
  switchedOff.name = null
  expect(await findEffect()).toBeNull()
})

test.each(Object.keys(NAIVE_ENCODERS))('without %s an attack has an effect', async (name) => {
  switchedOff.name = name
  expect(await findEffect()).not.toBeNull()
})
