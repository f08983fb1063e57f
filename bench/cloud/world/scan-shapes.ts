import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import { temporaryBase } from '@/agent/testing/temporary-base'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { populate } from '@/simulator/demo-fleet/populate'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createRandom } from '@/simulator/random/random'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { hostCapacity } from '@/simulator/world/host-use'
import { hostShapes } from './host-shapes'

/** A host with servers, and what the real agent reports of it. */
export type ScannedHost = { fleet: FleetHost; inventory: Inventory }

const SEED = 11
const TREE_BYTES = 256 * 2 ** 20

/** What the real agent reports of a host, from a tree that is removed again. */
export const scanSpec = async (spec: HostSpec): Promise<Inventory> => {
  const root = mkdtempSync(path.join(temporaryBase(TREE_BYTES), 'sliceboard-bench-'))
  try {
    writeHostTree(root, spec)
    return await scanHost({ root, hostName: spec.name })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Each shape filled with about `serversPerHost` servers, less where its cards take fewer. */
export const scanShapes = async (serversPerHost: number, startAt: Date): Promise<ScannedHost[]> => {
  const random = createRandom(SEED)
  const takenNames = new Set<string>()
  let instanceNumber = 0
  const nextInstanceNumber = (): number => {
    instanceNumber += 1
    return instanceNumber
  }
  const scanned: ScannedHost[] = []
  for (const shape of hostShapes()) {
    const use = Math.min(1, serversPerHost / hostCapacity(shape.spec, shape.plan))
    const fleet = populate(shape, use, { random, takenNames, nextInstanceNumber, startAt })
    scanned.push({ fleet, inventory: await scanSpec(fleet.spec) })
  }
  return scanned
}
