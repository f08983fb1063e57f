import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { type ScanOptions, scanHost } from '@/agent/scan/scan-host'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { removeTree } from '@/simulator/testing/remove-tree'
import { temporaryBase } from './temporary-base'

/** An empty folder that is gone when the test is over. */
export const temporaryRoot = (): string => {
  const root = mkdtempSync(path.join(temporaryBase(), 'sliceboard-agent-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** The same for all tests of a file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(path.join(temporaryBase(), 'sliceboard-agent-'))
  afterAll(() => removeTree(folder))
  return folder
}

/** Scans a tree and holds the result against the contract, which must not have to change anything. */
export const scanTree = async (root: string, options: Partial<ScanOptions> = {}): Promise<Inventory> => {
  const inventory = await scanHost({ root, ...options })
  const parsed = inventorySchema.parse(inventory)
  if (JSON.stringify(parsed) !== JSON.stringify(inventory))
    throw new Error('The contract changed the inventory.')
  return inventory
}

const scanned = new Map<HostSpec, Promise<Inventory>>()

const writeAndScan = async (spec: HostSpec): Promise<Inventory> => {
  const root = mkdtempSync(path.join(temporaryBase(), 'sliceboard-agent-'))
  try {
    writeHostTree(root, spec)
    return await scanTree(root)
  } finally {
    removeTree(root)
  }
}

/** Inventory of a fixture's tree; the tests of one file share it. */
export const scanFixture = (spec: HostSpec): Promise<Inventory> => {
  const held = scanned.get(spec) ?? writeAndScan(spec)
  scanned.set(spec, held)
  return held
}
