import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { configuredParents } from './configured-parents'
import { labHosts, mdevsOf, treeOf } from './lab-cloud'
import { openOperator, waitUntil } from './operator'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

describe('the tree of a lab host', () => {
  it('shows each pGPU with the total that Nova reports to Placement', async () => {
    for (const host of labHosts()) {
      const configured = configuredParents(await scanHost({ root: treeOf(host) }))
      expect(configured.length).toBeGreaterThan(0)
      for (const { address, made, available } of configured) {
        const provider = await operator.providerNamed(`${host}_pci_${address.replace(/[:.]/g, '_')}`)
        expect(provider, `${host} ${address}`).not.toBeNull()
        const { inventories } = await operator.placement.getInventories(provider?.uuid ?? '')
        expect({ address, total: inventories.VGPU?.total }).toEqual({ address, total: made + available })
      }
    }
  })

  it('shows the guests of Nova’s servers with the mdevs that libvirt has', async () => {
    const { items: servers } = await operator.nova.listServers()
    for (const host of labHosts()) {
      const inventory = await scanHost({ root: treeOf(host) })
      const guests = inventory.guests ?? []
      const there = servers.filter((server) => server.host === host)
      expect(guests.map(({ uuid }) => uuid).sort()).toEqual(there.map(({ uuid }) => uuid).sort())
      const held = guests.flatMap(({ mdevs }) => mdevs.map(({ uuid }) => uuid))
      expect(mdevsOf(host).map(({ uuid }) => uuid)).toEqual(expect.arrayContaining(held))
      for (const guest of guests) {
        const server = there.find(({ uuid }) => uuid === guest.uuid)
        expect(guest).toMatchObject({ name: server?.instanceName, state: 'running' })
      }
    }
  })

  it('keeps passwords of nova.conf to itself', async () => {
    const [host = ''] = labHosts()
    expect(readFileSync(path.join(treeOf(host), 'etc/nova/nova.conf'), 'utf8')).toContain('password = ')
    const inventory = await scanHost({ root: treeOf(host) })
    expect(JSON.stringify(inventory)).not.toContain('labpass')
  })
})

describe('what is done in the tree', () => {
  it('creates an mdev for Nova, and removes it', async () => {
    const parent = path.join(treeOf('gpu01'), 'sys/class/mdev_bus/0000:84:00.0')
    const uuid = randomUUID()
    writeFileSync(path.join(parent, 'mdev_supported_types/nvidia-232/create'), uuid)
    const has = async (wanted: boolean) =>
      mdevsOf('gpu01').some((mdev) => mdev.uuid === uuid) === wanted ? true : null
    await waitUntil('the mdev in libvirt', () => has(true))
    const trigger = path.join(parent, uuid, 'remove')
    await waitUntil('the mdev in the tree', async () => (existsSync(trigger) ? true : null))
    writeFileSync(trigger, '1')
    await waitUntil('the mdev gone from libvirt', () => has(false))
    expect(existsSync(path.join(parent, uuid))).toBe(false)
  })

  it('leaves an mdev alone that a running guest has', async () => {
    const { guests } = await scanHost({ root: treeOf('gpu01') })
    const uuid = guests?.flatMap(({ mdevs }) => mdevs)[0]?.uuid ?? ''
    const trigger = path.join(treeOf('gpu01'), 'sys/bus/mdev/devices', uuid, 'remove')
    writeFileSync(trigger, '1')
    await waitUntil('the refusal', async () => (readFileSync(trigger, 'utf8') === '' ? true : null))
    expect(mdevsOf('gpu01').map((mdev) => mdev.uuid)).toContain(uuid)
    const log = readFileSync(path.join(treeOf('gpu01'), '.sliceboard/kernel.log'), 'utf8')
    expect(log).toContain(`EBUSY`)
  })
})
