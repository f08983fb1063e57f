import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectFound, type Repair } from './break'
import { hostFile, treeOf } from './lab-cloud'
import { findInLab } from './lab-fleet'
import { giveHardware } from './other-hardware'

const A2 = '0000:41:00.0'
const T4 = '0000:84:00.0'

/** Rewrites gpu02's cards as a reboot with other hardware would leave them, and waits until the tree follows. */
const changeCard =
  (address: string, change: Record<string, unknown>, isDone: () => boolean) => async (): Promise<Repair> => {
    const file = hostFile('gpu02', 'host.json')
    const before = readFileSync(file, 'utf8')
    const host: { cards: { address: string }[] } = JSON.parse(before)
    const cards = host.cards.map((card) => (card.address === address ? { ...card, ...change } : card))
    const follow = async (text: string, wanted: boolean) => {
      await giveHardware('gpu02', text)
      expect(isDone()).toBe(wanted)
    }
    const repair = () => follow(before, false)
    try {
      await follow(JSON.stringify({ ...host, cards }), true)
    } catch (error) {
      await repair()
      throw error
    }
    return repair
  }

const device = (address: string, ...rest: string[]): string =>
  path.join(treeOf('gpu02'), 'sys/bus/pci/devices', address, ...rest)

describe('a card', () => {
  it('is found without its driver, and nothing else is blamed', async () => {
    await expectFound({
      code: 'card-without-framework',
      blame: 'hardware',
      about: T4,
      break: async () => {
        const repair = await changeCard(T4, { hasDriver: false }, () => !existsSync(device(T4, 'driver')))()
        const alarms = (await findInLab()).findings.filter(({ severity }) => severity !== 'info')
        expect(alarms.length).toBeGreaterThan(1)
        expect(new Set(alarms.map(({ blame }) => blame))).toEqual(new Set(['hardware']))
        return repair
      },
    })
  })

  it('is found with its virtual functions off, and nova.conf is not blamed for them', async () => {
    await expectFound({
      code: 'vfs-not-enabled',
      blame: 'hardware',
      about: A2,
      break: async () => {
        const repair = await changeCard(A2, { enabledVfs: 0 }, () => !existsSync(device('0000:41:00.4')))()
        const codes = (await findInLab()).findings.map(({ code }) => code)
        expect(codes).not.toContain('address-without-device')
        return repair
      },
    })
  })
})

/** Live and persistent XML of gpu01's one guest. */
const guestFiles = (): string[] =>
  ['etc/libvirt/qemu', 'run/libvirt/qemu'].flatMap((at) => {
    const folder = path.join(treeOf('gpu01'), at)
    return readdirSync(folder)
      .filter((name) => name.endsWith('.xml'))
      .map((name) => path.join(folder, name))
  })

describe('an mdev', () => {
  it('is found when it is defined and comes back at the next start', async () => {
    const folder = path.join(treeOf('gpu02'), 'etc/mdevctl.d', T4)
    const file = path.join(folder, randomUUID())
    await expectFound({
      code: 'returning-mdevs',
      blame: 'hardware',
      about: T4,
      break: () => {
        mkdirSync(folder, { recursive: true })
        writeFileSync(file, JSON.stringify({ mdev_type: 'nvidia-232', start: 'auto', attrs: [] }))
        return () => rmSync(file)
      },
    })
  })

  it('is found when two guests name it', async () => {
    const file = guestFiles().find((name) => name.includes('etc/libvirt')) ?? ''
    const second = path.join(path.dirname(file), 'instance-0000ffff.xml')
    await expectFound({
      code: 'mdev-in-two-guests',
      blame: 'libvirt',
      about: 'instance-0000ffff',
      break: () => {
        const text = readFileSync(file, 'utf8')
          .replace(/<uuid>[^<]*<\/uuid>/, `<uuid>${randomUUID()}</uuid>`)
          .replace(/<name>[^<]*<\/name>/, '<name>instance-0000ffff</name>')
        writeFileSync(second, text, { mode: 0o600 })
        return () => rmSync(second)
      },
    })
  })
})

describe('a guest', () => {
  it('is found with an mdev that does not exist', async () => {
    const files = guestFiles()
    const uuid = /<address uuid=["']([\da-f-]{36})["']/
    await expectFound({
      code: 'guest-names-missing-mdev',
      blame: 'libvirt',
      about: 'lab-t4',
      break: () => {
        const texts = files.map((file) => readFileSync(file, 'utf8'))
        const held = texts.map((text) => uuid.exec(text)?.[1]).find((found) => found !== undefined) ?? ''
        for (const [place, file] of files.entries())
          writeFileSync(file, (texts[place] ?? '').replaceAll(held, '99999999-1111-4222-8333-444444444444'))
        return () => {
          for (const [place, file] of files.entries()) writeFileSync(file, texts[place] ?? '')
        }
      },
    })
  })
})
