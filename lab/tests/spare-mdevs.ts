import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import type { Mdev } from '@/lib/schemas/agent/inventory'
import { knownMdevsOf, mdevsOf, treeOf } from './lab-cloud'
import { waitUntil } from './operator'

/** Removes an mdev of a host and its definition. */
export const removeMdev = (host: string, { uuid, parent, isActive, definition }: Mdev): void => {
  if (definition !== null) rmSync(path.join(treeOf(host), definition.path), { force: true })
  if (isActive) writeFileSync(path.join(treeOf(host), 'sys/class/mdev_bus', parent, uuid, 'remove'), '1')
}

/** Destroys and undefines the mdevs of a host that no guest holds, as an operator must: Nova never does. */
export const dropSpareMdevs = async (host: string): Promise<void> => {
  const { guests, mdevs } = await scanHost({ root: treeOf(host) })
  const held = new Set((guests ?? []).flatMap((guest) => guest.mdevs.map(({ uuid }) => uuid)))
  const spare = (mdevs ?? []).filter(({ uuid }) => !held.has(uuid))
  for (const mdev of spare) removeMdev(host, mdev)
  const gone = new Set(spare.map(({ uuid }) => uuid))
  await waitUntil(`${host} without spare mdevs`, async () =>
    knownMdevsOf(host).some(({ uuid }) => gone.has(uuid)) ? null : true,
  )
}

/** Makes an mdev that no guest holds, as a server that is deleted leaves one behind. */
export const makeSpareMdev = async (
  host: string,
  { parent, typeId }: { parent: string; typeId: string },
): Promise<string> => {
  const uuid = randomUUID()
  const types = path.join(treeOf(host), 'sys/class/mdev_bus', parent, 'mdev_supported_types')
  writeFileSync(path.join(types, typeId, 'create'), uuid)
  await waitUntil(`mdev ${uuid} in libvirt`, async () =>
    mdevsOf(host).some((mdev) => mdev.uuid === uuid) ? true : null,
  )
  return uuid
}
