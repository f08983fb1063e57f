import { renameSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { codesOf, type TreeContents, treeWith } from '@/agent/testing/tree'
import { guest } from '@/simulator/fixtures/host-parts'
import { liveXml, persistentXml } from '@/simulator/host-tree/guest-xml'
import { collectGuests, type GuestMemory } from './guests'

const MDEV_A = '4b20d080-1b54-4048-85b3-a6a62d165c01'
const MDEV_B = '5c31e191-2c65-4159-96c4-b7b73e276d12'
const one = guest({ name: 'instance-00000001', serverName: 'one', mdevs: [MDEV_A] })
const two = guest({ name: 'instance-00000002', serverName: 'two', pciDevices: ['0000:86:00.0'] })

const collect = (contents: TreeContents, folders?: string[]) => {
  const { files, problems } = treeWith(contents)
  return { guests: collectGuests({ files, problems, folders, memory: new Map() }), problems }
}

const RUN = '/run/libvirt/qemu'
const ETC = '/etc/libvirt/qemu'
const KOLLA = '/var/lib/docker/volumes/nova_libvirt_qemu/_data'

describe('live and persistent XML', () => {
  test('are one guest; each device has its location', () => {
    const live = { ...one, mdevs: [MDEV_A], pciDevices: ['0000:86:00.0'] }
    const persistent = { ...one, mdevs: [MDEV_A, MDEV_B] }
    const { guests, problems } = collect({
      [`${RUN}/instance-00000001.xml`]: liveXml(live),
      [`${RUN}/instance-00000001.pid`]: '77',
      [`${ETC}/instance-00000001.xml`]: persistentXml(persistent),
      [`${ETC}/networks/default.xml`]: '<network/>',
      [`${ETC}/autostart/instance-00000001.xml`]: { link: `${ETC}/instance-00000001.xml` },
    })
    expect(guests).toEqual([
      {
        uuid: one.uuid,
        name: 'instance-00000001',
        state: 'running',
        livePath: `${RUN}/instance-00000001.xml`,
        persistentPath: `${ETC}/instance-00000001.xml`,
        nova: expect.objectContaining({ serverName: 'one' }),
        mdevs: [
          { uuid: MDEV_A, isLive: true, isPersistent: true },
          { uuid: MDEV_B, isLive: false, isPersistent: true },
        ],
        pciDevices: [{ address: '0000:86:00.0', isLive: true, isPersistent: false }],
      },
    ])
    expect(problems.list()).toEqual([])
  })

  test('a guest with persistent XML alone is shut off, one with live XML alone is transient', () => {
    const { guests } = collect({
      [`${RUN}/instance-00000001.xml`]: liveXml(one),
      [`${ETC}/instance-00000002.xml`]: persistentXml(two),
    })
    const states = guests?.map(({ name, state, livePath, persistentPath }) => [
      name,
      state,
      livePath,
      persistentPath,
    ])
    expect(states?.sort()).toEqual([
      ['instance-00000001', 'running', `${RUN}/instance-00000001.xml`, null],
      ['instance-00000002', 'shutoff', null, `${ETC}/instance-00000002.xml`],
    ])
  })
})

describe('the folders', () => {
  test.each([
    KOLLA,
    '/var/lib/containers/storage/volumes/nova_libvirt_qemu/_data',
    '/var/snap/openstack-hypervisor/common/etc/libvirt/qemu',
    ETC,
  ])('%s holds persistent XML', (folder) => {
    const { guests, problems } = collect({ [`${folder}/a.xml`]: persistentXml(one) })
    expect(guests?.map(({ persistentPath }) => persistentPath)).toEqual([`${folder}/a.xml`])
    expect(problems.list()).toEqual([])
  })

  test.each([RUN, '/var/snap/openstack-hypervisor/common/run/libvirt/qemu'])(
    '%s holds live XML',
    (folder) => {
      const { guests, problems } = collect({ [`${folder}/a.xml`]: liveXml(one), [`${ETC}/x`]: '' })
      expect(guests?.map(({ livePath }) => livePath)).toEqual([`${folder}/a.xml`])
      expect(problems.list()).toEqual([])
    },
  )

  test('a guest in the volume of Kolla and in a left-over /etc/libvirt is one guest, the volume counts', () => {
    const { guests } = collect({
      [`${KOLLA}/a.xml`]: persistentXml(one),
      [`${ETC}/a.xml`]: persistentXml({ ...one, mdevs: [] }),
      [`${ETC}/b.xml`]: persistentXml(two),
    })
    expect(guests?.map(({ persistentPath }) => persistentPath).sort()).toEqual([
      `${ETC}/b.xml`,
      `${KOLLA}/a.xml`,
    ])
  })

  test('none is null: whether guests hold vGPUs is unknown', () => {
    const { guests, problems } = collect({ '/etc/hostname': 'x' })
    expect(guests).toBeNull()
    expect(problems.list()[0]?.message).toBe(
      'No folder with the XML of libvirt guests was found; name it with --guest-xml.',
    )
  })

  test('an empty folder is no guest', () => {
    expect(collect({ [`${ETC}/networks/x`]: '' }).guests).toEqual([])
  })

  test('live XML alone leaves shut-off guests unknown, with a problem', () => {
    const { guests, problems } = collect({ [`${RUN}/a.xml`]: liveXml(one) })
    expect(guests).toHaveLength(1)
    expect(problems.list().map(({ code, message }) => [code, message])).toEqual([
      ['incomplete', 'No folder with the XML of shut-off guests was found; name it with --guest-xml.'],
    ])
  })

  test('given folders are read instead of the known ones', () => {
    const contents = { '/srv/xml/a.xml': persistentXml(one), [`${ETC}/b.xml`]: persistentXml(two) }
    expect(collect(contents, ['/srv/xml']).guests?.map(({ name }) => name)).toEqual(['instance-00000001'])
    expect(codesOf(collect(contents, ['/srv/typo']).problems)).toEqual([['/srv/typo', 'incomplete']])
  })
})

test('files that cannot be read as a guest are problems, the others are read', () => {
  const { guests, problems } = collect({
    [`${RUN}/a.xml`]: liveXml(one),
    [`${RUN}/half.xml`]: liveXml(two).slice(0, 900),
    [`${ETC}/doctype.xml`]: '<!DOCTYPE d [<!ENTITY s SYSTEM "file:///etc/shadow">]><domain>&s;</domain>',
    [`${ETC}/dangling.xml`]: { link: '/nowhere.xml' },
    [`${ETC}/huge.xml`]: `<domain>${' '.repeat(2_100_000)}</domain>`,
  })
  expect(guests?.map(({ name }) => name)).toEqual(['instance-00000001'])
  expect(codesOf(problems)).toEqual([
    [`${ETC}/dangling.xml`, 'dangling'],
    [`${ETC}/doctype.xml`, 'refused'],
    [`${ETC}/huge.xml`, 'too-large'],
    [`${RUN}/half.xml`, 'malformed'],
  ])
  expect(problems.list()[3]?.message).toBe(
    `${RUN}/half.xml is not the XML of a libvirt guest: it ends in the middle; the guest is missing from this report.`,
  )
})

test('when no file can be read the guests are unknown, not none', () => {
  expect(collect({ [`${RUN}/a.xml`]: 'x', [`${ETC}/b.xml`]: 'y' }).guests).toBeNull()
})

describe('the memory between scans', () => {
  const contents = { [`${ETC}/a.xml`]: persistentXml(one) }
  const names = (options: Parameters<typeof collectGuests>[0]) =>
    collectGuests(options)?.map(({ name }) => name)

  test('an unchanged file is not read again, a changed or replaced one is', () => {
    const { root, files, problems } = treeWith(contents)
    const memory: GuestMemory = new Map()
    expect(names({ files, problems, memory })).toEqual(['instance-00000001'])
    const path = `${ETC}/a.xml`
    const held = memory.get(path)
    if (held === undefined) throw new Error('nothing was remembered')
    memory.set(path, { ...held, facts: { ...held.facts, name: 'from-memory' } })
    expect(names({ files, problems, memory })).toEqual(['from-memory'])
    // libvirt writes a new file and renames it.
    writeFileSync(`${root}${path}.new`, persistentXml({ ...one, name: 'instance-renamed1' }))
    renameSync(`${root}${path}.new`, `${root}${path}`)
    expect(names({ files, problems, memory })).toEqual(['instance-renamed1'])
  })

  test('forgets files that are gone and never remembers a failure', () => {
    const { root, files, problems } = treeWith({ ...contents, [`${ETC}/b.xml`]: '<domain>' })
    const memory: GuestMemory = new Map()
    names({ files, problems, memory })
    expect([...memory.keys()]).toEqual([`${ETC}/a.xml`])
    renameSync(`${root}${ETC}/a.xml`, `${root}${ETC}/c.xml`)
    names({ files, problems, memory })
    expect([...memory.keys()]).toEqual([`${ETC}/c.xml`])
  })
})
