import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import type { Mdev } from '@/lib/schemas/agent/inventory'
import { fromRelease } from './break'
import { editGuests } from './edit-hypervisor'
import { expectRepaired, restartOn, runInShell } from './expect-repaired'
import { labHosts, mdevsOf, treeOf } from './lab-cloud'
import { openOperator, waitUntil } from './operator'
import { dropSpareMdevs, makeSpareMdev, removeMdev } from './spare-mdevs'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
/** A server that only this file uses, and that the repair moves to the other host. */
let uuid = ''
/** libvirt's name of its guest. */
let domain = ''
beforeEach(async () => {
  await operator.deleteServer(NAME)
  // Nova would attach one of them, which tests created without a definition.
  await dropSpareMdevs(HOST)
  uuid = (await operator.bootServer({ name: NAME, flavor: 'vgpu.t4-4q', host: HOST })).uuid
  domain = (await guestsOf()).find((guest) => guest.uuid === uuid)?.name ?? ''
  expect(domain).toMatch(/^instance-/)
})
afterAll(async () => {
  await operator.deleteServer(NAME)
  // Nova leaves the mdevs of deleted servers, and they keep a card on its type.
  for (const host of labHosts()) await dropSpareMdevs(host)
  await operator.close()
})

const NAME = 'lab-lost'
const HOST = 'gpu01'
const MDEV = /<hostdev[^>]*type=["']mdev["'][\s\S]*?<\/hostdev>/
const UUID = /<address uuid=["']([\da-f-]{36})["']/

const mdevOf = async (wanted: string): Promise<Mdev | undefined> =>
  (await scanHost({ root: treeOf(HOST) })).mdevs?.find((mdev) => mdev.uuid === wanted)

const guestsOf = async () => (await scanHost({ root: treeOf(HOST) })).guests ?? []

const editGuest = (change: (xml: string, others: string[]) => string) =>
  editGuests(operator, {
    host: HOST,
    change: (guests) =>
      guests.map((guest) =>
        guest.uuid === uuid
          ? {
              ...guest,
              xml: change(
                guest.xml,
                guests.filter((other) => other !== guest).map(({ xml }) => xml),
              ),
            }
          : guest,
      ),
  })

const migrate = async () => {
  await runInShell(
    `openstack server migrate --wait ${uuid} && openstack server migration confirm ${uuid}`,
    HOST,
  )
}

describe('a guest', () => {
  it('without its vGPU has it after the migration', async () => {
    await expectRepaired(operator, {
      code: 'allocation-without-guest',
      sourceToCorrect: 'libvirt',
      about: NAME,
      moves: NAME,
      break: () => editGuest((xml) => xml.replace(MDEV, '')),
    })
  })

  it('with one vGPU too many has as many as are allocated after the migration', async () => {
    await expectRepaired(operator, {
      code: 'allocation-differs',
      sourceToCorrect: 'libvirt',
      about: `${NAME} has 2 attached and 1 allocated`,
      moves: NAME,
      break: async () => {
        const spare = await makeSpareMdev(HOST, { parent: '0000:84:00.0', typeId: 'nvidia-232' })
        await editGuest((xml) => {
          const own = MDEV.exec(xml)?.[0] ?? ''
          return xml.replace(own, `${own}${own.replace(UUID.exec(own)?.[1] ?? '', spare)}`)
        })
      },
    })
  })

  it('with the mdev of another guest has a different one after the migration', async () => {
    await expectRepaired(operator, {
      code: 'mdev-in-two-guests',
      sourceToCorrect: 'libvirt',
      about: domain,
      moves: NAME,
      break: () =>
        editGuest((xml, others) => {
          const taken =
            others.map((other) => UUID.exec(other)?.[1]).find((found) => found !== undefined) ?? ''
          return xml.replace(UUID.exec(xml)?.[1] ?? '', taken)
        }),
      follow: migrate,
    })
  })

  /** The mdev of the server once it is stopped. */
  const stopServer = async (): Promise<Mdev> => {
    await runInShell(`openstack server stop ${uuid}`, HOST)
    const guest = await waitUntil(`${NAME} off`, async () => {
      const found = (await guestsOf()).find((each) => each.uuid === uuid)
      return found?.livePath === null ? found : null
    })
    const mdev = await mdevOf(guest.mdevs[0]?.uuid ?? '')
    if (mdev === undefined) throw new Error(`${NAME} has no mdev.`)
    return mdev
  }

  /** The tree follows libvirt by some moments. */
  const waitForMdev = (lost: string, isThere: (mdev: Mdev | undefined) => boolean) =>
    waitUntil(`mdev ${lost} in libvirt and in the tree`, async () => {
      const inLibvirt = mdevsOf(HOST).some((mdev) => mdev.uuid === lost)
      const inTree = await mdevOf(lost)
      return isThere(inTree) && inLibvirt === (inTree?.isActive ?? false) ? true : null
    })

  it('with an mdev that does not exist has a new one after the migration', async () => {
    const mdev = await stopServer()
    await expectRepaired(operator, {
      code: 'guest-names-missing-mdev',
      sourceToCorrect: 'libvirt',
      about: NAME,
      moves: NAME,
      break: async () => {
        removeMdev(HOST, mdev)
        await waitForMdev(mdev.uuid, (inTree) => inTree === undefined)
      },
      follow: migrate,
    })
  })

  const persistent = fromRelease('2025.1', 'Nova defines mdevs from 30 on')
  it.skipIf(persistent.isSkipped)(
    `with a defined mdev that is not active can start after a restart of nova-compute${persistent.note}`,
    async () => {
      const mdev = await stopServer()
      await expectRepaired(operator, {
        code: 'guest-mdev-inactive',
        sourceToCorrect: 'hardware',
        about: NAME,
        break: async () => {
          removeMdev(HOST, { ...mdev, definition: null })
          await waitForMdev(mdev.uuid, (inTree) => inTree?.isActive === false)
        },
        follow: restartOn(operator, HOST),
      })
      await runInShell(`openstack server start ${uuid}`, HOST)
      await operator.bootServer({ name: NAME, flavor: 'vgpu.t4-4q', host: HOST })
    },
  )

  it('that is gone is created again by the migration', async () => {
    await expectRepaired(operator, {
      code: 'allocation-without-guest',
      sourceToCorrect: 'libvirt',
      about: NAME,
      moves: NAME,
      break: () =>
        editGuests(operator, {
          host: HOST,
          change: (guests) => guests.filter((guest) => guest.uuid !== uuid),
        }),
    })
  })
})
