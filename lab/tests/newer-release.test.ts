import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { fromRelease } from './break'
import { treeOf } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { openOperator, waitUntil } from './operator'
import { dropSpareMdevs } from './spare-mdevs'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const newer = fromRelease('2025.1', 'Nova defines mdevs from 30 on and moves them from 29 on')

const labT4 = async () => {
  const server = (await operator.nova.listServers()).items.find(({ name }) => name === 'lab-t4')
  if (server === undefined) throw new Error('Nova has no server lab-t4.')
  return server
}

const moveTo = async (host: string): Promise<void> => {
  const { uuid, host: source } = await labT4()
  if (source === host) return
  const body = { 'os-migrateLive': { host, block_migration: 'auto' } }
  await operator.ask('POST', `/servers/${uuid}/action`, body)
  await waitUntil(`lab-t4 ACTIVE on ${host}`, async () => {
    const server = await labT4()
    return server.host === host && server.status === 'ACTIVE' ? server : null
  })
  // What the source still has of it counts as held.
  await operator.guestIsThere(host, uuid, true)
  if (source !== null) await operator.guestIsThere(source, uuid, false)
}

describe.skipIf(newer.isSkipped)(`a newer release${newer.note}`, () => {
  it('defines the mdev of a server, so that it comes back after a reboot', async () => {
    const { uuid, host } = await labT4()
    const inventory = await scanHost({ root: treeOf(host ?? '') })
    const held = inventory.guests?.find((guest) => guest.uuid === uuid)?.mdevs.map((mdev) => mdev.uuid)
    expect(held).toHaveLength(1)
    expect(inventory.mdevs?.filter((mdev) => mdev.uuid === held?.[0])).toMatchObject([
      { isActive: true, definition: { start: 'auto' } },
    ])
  })

  it('moves a server with its vGPU, and the console finds nothing wrong on either host', async () => {
    const { host } = await labT4()
    const other = host === 'gpu01' ? 'gpu02' : 'gpu01'
    try {
      await moveTo(other)
      await becomesCalm()
    } finally {
      await moveTo(host ?? 'gpu01')
      // The mdev that the server had there stays, and would lock the card on its type for the tests that follow.
      await dropSpareMdevs(other)
    }
    await becomesCalm()
  })
})
