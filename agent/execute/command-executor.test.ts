import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import type { SignedCommand } from '@/lib/schemas/agent/command'
import { createCommandExecutor } from './command-executor'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { openJournal } from './journal'
import { createSignedOrders } from './testing/signed-orders'

vi.setConfig({ testTimeout: 60_000 })

const console_ = createSignedOrders()
const stranger = createSignedOrders()

/** A tree whose restart script notes each run. */
const openTree = () => {
  const root = temporaryRoot()
  const state = temporaryRoot()
  mkdirSync(path.join(root, '.sliceboard'))
  const script = '#!/bin/sh\necho run >> "$(dirname "$0")/runs"\n'
  writeFileSync(path.join(root, '.sliceboard/restart'), script, { mode: 0o755 })
  const runs = (): number => {
    const file = path.join(root, '.sliceboard/runs')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0
  }
  return { root, state, runs }
}

type Tree = ReturnType<typeof openTree>
type ExecutorOptions = { key?: string; now?: Date; onEnded?: () => void }

const openExecutor = async (
  { root, state }: Tree,
  {
    key = console_.key,
    now = new Date('2026-11-21T12:00:00Z'),
    onEnded = () => undefined,
  }: ExecutorOptions = {},
) =>
  createCommandExecutor({
    host: createCommandHost({
      root,
      settings: {
        ...DEFAULT_COMMANDS,
        allow: ['restart-nova-compute'],
        restartNovaCompute: ['/.sliceboard/restart'],
      },
    }),
    journal: await openJournal(state),
    key: () => key,
    hostName: () => 'cmp-01',
    now: () => now,
    onEnded,
    log: { info: () => undefined, warn: () => undefined },
  })

const carryOut = async (tree: Tree, orders: readonly SignedCommand[], options?: ExecutorOptions) => {
  const executor = await openExecutor(tree, options)
  executor.take(orders)
  await executor.idle()
  executor.scanned()
  return executor
}

test('a signed order is carried out once, however often it comes, also after a restart', async () => {
  const tree = openTree()
  const order = console_.order()
  const executor = await carryOut(tree, [order, order])
  executor.take([order])
  await executor.idle()
  const result = executor.result()
  expect(result).toMatchObject({ outcome: 'done' })
  await executor.reported(result?.id ?? '')
  expect(executor.result()).toBeNull()
  const onEnded = vi.fn()
  const later = await carryOut(tree, [order], { onEnded })
  // The new report of the result is in memory before the journal is written; the folder goes after that.
  await vi.waitFor(() => expect(onEnded).toHaveBeenCalledOnce())
  expect(later.result()).toEqual(result)
  expect(tree.runs()).toBe(1)
})

test('an answer waits for a scan that began after the effect', async () => {
  const tree = openTree()
  const executor = await openExecutor(tree)
  executor.take([console_.order()])
  await executor.idle()
  expect(executor.result()).toBeNull()
  executor.scanned()
  expect(executor.result()).toMatchObject({ outcome: 'done' })
})

describe('is refused, and nothing is run:', () => {
  const good = console_.orderOf()
  const tampered = { ...console_.signed(good), order: JSON.stringify({ ...good, step: 'change:9/step:9' }) }
  test.each([
    ['another host', console_.order({ host: 'cmp-02' }), {}, 'is for the host cmp-02'],
    ['a signature of another key', stranger.order(), {}, 'not signed with the key that this host knows'],
    ['words that were not signed', tampered, {}, 'not signed with the key'],
    [
      'an order that has expired',
      console_.order({ expiresAt: '2026-11-21T11:59:59.000Z' }),
      {},
      'was valid until',
    ],
    [
      'an unknown form',
      console_.signed({ ...console_.orderOf(), version: 2 }),
      {},
      'a form that this agent does not know',
    ],
    [
      'what agent.toml does not allow',
      console_.order({ command: { name: 'set-vfio-type', address: '0000:41:00.4', typeNumber: 1, was: 0 } }),
      {},
      'does not allow set-vfio-type',
    ],
  ])('%s', async (_what, order, options, words) => {
    const tree = openTree()
    const executor = await carryOut(tree, [order], options)
    expect(executor.result()).toMatchObject({ outcome: 'refused', message: expect.stringContaining(words) })
    expect(tree.runs()).toBe(0)
  })

  test('everything, when the journal can’t be written', async () => {
    const tree = openTree()
    const executor = await openExecutor(tree)
    const { rmSync } = await import('node:fs')
    rmSync(tree.state, { recursive: true })
    executor.take([console_.order()])
    await executor.idle()
    expect(executor.result()).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('could not be noted'),
    })
    expect(tree.runs()).toBe(0)
  })

  test('a start with a damaged journal', async () => {
    const { state } = openTree()
    writeFileSync(path.join(state, 'commands.json'), '{"entries":[{')
    await expect(openJournal(state)).rejects.toThrow(/could be carried out twice/)
  })
})

test.each([
  ['before-effect', 0],
  ['after-effect', 1],
] as const)('killed %s, it reports that at the next start and does nothing again', async (stage, runs) => {
  const tree = openTree()
  const order = console_.order()
  const program = path.join(import.meta.dirname, 'testing/crash-executor.ts')
  const words = [
    '--import',
    'tsx',
    program,
    tree.root,
    tree.state,
    console_.key,
    stage,
    JSON.stringify(order),
  ]
  const killed = await promisify(execFile)(process.execPath, words).catch((error: unknown) => error)
  expect(killed).toMatchObject({ signal: 'SIGKILL' })
  expect(tree.runs()).toBe(runs)
  const executor = await carryOut(tree, [order])
  expect(executor.result()).toMatchObject({ outcome: 'interrupted' })
  expect(tree.runs()).toBe(runs)
})
