import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { expectAllRepaired, expectRepaired, runInShell } from './expect-repaired'
import { hostFile, knownMdevsOf, mdevsOf, treeOf } from './lab-cloud'
import { becomesCalm, findInLab, scanInTree } from './lab-fleet'
import { inLongForm } from './long-form'
import { openOperator, waitUntil } from './operator'
import { giveHardware } from './other-hardware'
import { removeMdev } from './spare-mdevs'
import { addFile } from './tree-files'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const HARDWARE = hostFile('gpu02', 'host.json')

const A2 = '0000:41:00.0'
const T4 = '0000:84:00.0'

/** Gives gpu02 other cards, as a reboot would, and waits until the tree follows. The results restore them. */
const changeCard = async (address: string, change: Record<string, unknown>, isDone: () => boolean) => {
  const before = readFileSync(HARDWARE, 'utf8')
  const host: { cards: { address: string }[] } = JSON.parse(before)
  const cards = host.cards.map((card) => (card.address === address ? { ...card, ...change } : card))
  await giveHardware('gpu02', JSON.stringify({ ...host, cards }))
  expect(isDone()).toBe(true)
  return () => giveHardware('gpu02', before)
}

const device = (address: string, ...rest: string[]): string =>
  path.join(treeOf('gpu02'), 'sys/bus/pci/devices', address, ...rest)

type Alarms = Awaited<ReturnType<typeof findInLab>>['findings']

describe('a card', () => {
  it.each([
    {
      what: 'without its driver',
      code: 'card-without-framework',
      about: T4,
      change: { hasDriver: false },
      isDone: () => !existsSync(device(T4, 'driver')),
      check: (alarms: Alarms) => {
        expect(alarms.length).toBeGreaterThan(1)
        expect(new Set(alarms.map(({ sourceToCorrect }) => sourceToCorrect))).toEqual(new Set(['hardware']))
      },
    },
    {
      what: 'with its virtual functions off',
      code: 'vfs-not-enabled',
      about: A2,
      change: { enabledVfs: 0 },
      isDone: () => !existsSync(device('0000:41:00.4')),
      // nova.conf is not their cause.
      check: (alarms: Alarms) =>
        expect(alarms.map(({ code }) => code)).not.toContain('address-without-device'),
    },
    {
      what: 'with a part of its virtual functions',
      code: 'vfs-partly-enabled',
      about: 'only 2 of 16 virtual functions are enabled',
      change: { enabledVfs: 2 },
      isDone: () => !existsSync(device('0000:41:00.6')),
      check: (alarms: Alarms) => expect(alarms.length).toBeGreaterThan(0),
    },
  ])('is found $what', async ({ code, about, change, isDone, check }) => {
    let restore: () => unknown
    await expectRepaired(operator, {
      code,
      sourceToCorrect: 'hardware',
      about,
      break: async () => {
        restore = await changeCard(about === T4 ? T4 : A2, change, isDone)
        check((await findInLab()).findings.filter(({ severity }) => severity !== 'info'))
        return restore
      },
      // As after the driver or all VFs are there again.
      follow: () => restore(),
    })
  })
})

describe('an mdev', () => {
  it('is found when it is defined and comes back at the next start, and when two guests name it', async () => {
    const [definition, second] = [
      `etc/mdevctl.d/${T4}/${randomUUID()}`,
      'etc/libvirt/qemu/instance-0000ffff.xml',
    ]
    const [guest] = (await scanHost({ root: treeOf('gpu01') })).guests ?? []
    const text = readFileSync(path.join(treeOf('gpu01'), guest?.persistentPath ?? ''), 'utf8')
    let undefineMdev: () => unknown
    let undefineGuest: () => unknown
    await expectAllRepaired(operator, [
      {
        code: 'returning-mdevs',
        sourceToCorrect: 'hardware',
        about: T4,
        break: () => {
          const json = { mdev_type: 'nvidia-232', start: 'auto', attrs: [] }
          undefineMdev = addFile('gpu02', definition, JSON.stringify(json))
          return undefineMdev
        },
        follow: () => undefineMdev(),
      },
      {
        code: 'mdev-in-two-guests',
        sourceToCorrect: 'libvirt',
        about: 'instance-0000ffff',
        break: () => {
          const other = text
            .replace(/<uuid>[^<]*<\/uuid>/, `<uuid>${randomUUID()}</uuid>`)
            .replace(/<name>[^<]*<\/name>/, '<name>instance-0000ffff</name>')
          undefineGuest = addFile('gpu01', second, other)
          return undefineGuest
        },
        // Nova does not list that guest.
        follow: () => undefineGuest(),
      },
    ])
  })

  inLongForm('is found missing by the guest that names it, and is created again with its UUID', async () => {
    const uuid = mdevsOf('gpu01')[0]?.uuid ?? ''
    const mdev = (await scanInTree('gpu01')).mdevs?.find((each) => each.uuid === uuid)
    if (mdev === undefined) throw new Error('gpu01 has no mdev.')
    const { parent, definition } = mdev
    // From 2025.1 on Nova has defined it.
    const definitionText =
      definition === null ? '' : readFileSync(path.join(treeOf('gpu01'), definition.path), 'utf8')
    const exists = (wanted: boolean) =>
      waitUntil(`${uuid} ${wanted ? 'in' : 'not in'} libvirt`, async () =>
        knownMdevsOf('gpu01').some((each) => each.uuid === uuid) === wanted ? true : null,
      )
    const server = (await operator.nova.listServers()).items.find(({ name }) => name === 'lab-t4')
    await runInShell(`openstack server stop ${server?.uuid}`, '')
    await waitUntil('lab-t4 off', async () =>
      (await scanHost({ root: treeOf('gpu01') })).guests?.[0]?.livePath === null ? true : null,
    )
    await expectRepaired(operator, {
      code: 'guest-names-missing-mdev',
      sourceToCorrect: 'libvirt',
      about: 'lab-t4',
      break: async () => {
        removeMdev('gpu01', mdev)
        await exists(false)
      },
      follow: async () => {
        const types = path.join(treeOf('gpu01'), 'sys/class/mdev_bus', parent, 'mdev_supported_types')
        writeFileSync(path.join(types, 'nvidia-232/create'), uuid)
        await exists(true)
        if (definition !== null) addFile('gpu01', definition.path, definitionText)
      },
    })
    await runInShell(`openstack server start ${server?.uuid}`, '')
    await operator.bootServer({ name: 'lab-t4', flavor: 'vgpu.t4-4q', host: 'gpu01' })
    await becomesCalm()
  })
})
