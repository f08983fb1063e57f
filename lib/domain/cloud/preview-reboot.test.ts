import { describe, expect, it } from 'vitest'
import { editHosts, editNovaConf, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { autostart, buildMdev, uuidOf } from '@/lib/domain/testing/build-inventory'
import type { Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import type { FleetFacts } from './fleet-types'
import { joinFleet } from './join-fleet'
import { previewReboot, type RebootPreview } from './preview-reboot'

const RELEASES = { Zed: '2.93', '2023.2': '2.95', '2024.x': '2.96', '2025.1': '2.100', '2026.1': '2.103' }
type Release = keyof typeof RELEASES

const on = (release: Release, input: FleetFacts): FleetFacts =>
  withFacts(input, { versions: { nova: RELEASES[release], placement: '1.39', keystone: '3.14' } })
const withMdevs = (edit: (mdevs: Mdev[]) => Mdev[], input = t4Cloud()) =>
  editHosts(input, (inventory) => ({ ...inventory, mdevs: edit(inventory.mdevs ?? []) }))
const withHost = (host: Partial<Inventory['host']>, input: FleetFacts) =>
  editHosts(input, (inventory) => ({ ...inventory, host: { ...inventory.host, ...host } }))

const notDefined = () => withMdevs((mdevs) => mdevs.map((mdev) => ({ ...mdev, definition: null })))
const byHand = () =>
  withMdevs((mdevs) =>
    mdevs.map((mdev) => ({
      ...mdev,
      definition: mdev.definition === null ? null : { ...mdev.definition, start: 'manual' as const },
    })),
  )

const preview = (input: FleetFacts): RebootPreview => {
  const fleet = joinFleet(input)
  const [host] = fleet.hosts
  const made = host === undefined ? null : previewReboot(fleet, host)
  if (made === null) throw new Error('no preview')
  return made
}
const fates = (input: FleetFacts) => preview(input).servers.map(({ fate }) => fate)

describe('by release', () => {
  it.each<[Release]>([['Zed'], ['2023.2'], ['2024.x'], ['2025.1'], ['2026.1']])(
    'on %s what is defined with autostart returns, and nova-compute starts',
    (release) => {
      expect(preview(on(release, t4Cloud()))).toMatchObject({
        novaCompute: { isStarting: true, because: null },
        servers: [{ fate: 'returns', advice: null }, { fate: 'returns' }],
        unwanted: [],
      })
    },
  )

  it.each<[string, boolean]>([
    ['29.2.0', false],
    ['30.1.0', true],
  ])('an API of 2024.1 or 2024.2 leaves it to nova-compute %s of the host', (version, isStarting) => {
    const novaCompute = { startedAt: '2026-11-20T08:00:00Z', version }
    const input = on('2024.x', withHost({ novaCompute }, notDefined()))
    expect(preview(input).novaCompute.isStarting).toBe(isStarting)
  })

  it.each<[Release, boolean | null]>([
    ['Zed', false],
    ['2023.2', false],
    ['2024.x', null],
    ['2025.1', true],
    ['2026.1', true],
  ])('on %s undefined mdevs are lost, and nova-compute starts: %s', (release, isStarting) => {
    const { novaCompute, servers } = preview(on(release, notDefined()))
    expect(servers.map(({ fate }) => fate)).toEqual(['lost', 'lost'])
    expect(novaCompute.isStarting).toBe(isStarting)
    expect(servers[0]?.command).toBe(`mdevctl define --auto --uuid ${servers[0]?.mdevUuids[0]}`)
  })

  it.each<[Release, RebootPreview['servers'][number]['fate'], boolean | null]>([
    ['Zed', 'lost', false],
    ['2023.2', 'lost', false],
    ['2024.x', 'unknown', null],
    ['2025.1', 'returns', true],
    ['2026.1', 'returns', true],
  ])('on %s mdevs without autostart: %s', (release, fate, isStarting) => {
    const { novaCompute, servers } = preview(on(release, byHand()))
    expect(servers.map((server) => server.fate)).toEqual([fate, fate])
    expect(novaCompute.isStarting).toBe(isStarting)
  })
})

describe('a nova-compute that looks mdevs up', () => {
  it('recreates defined ones where libvirt gives them by their short name', () => {
    expect(fates(on('Zed', withHost({ libvirtVersion: '7.6.0' }, byHand())))).toEqual(['returns', 'returns'])
  })

  it('ends when nova.conf names another type for them', () => {
    const retyped = editNovaConf(byHand(), '[devices]\nenabled_mdev_types = nvidia-320')
    const { novaCompute, servers } = preview(on('Zed', withHost({ libvirtVersion: '7.6.0' }, retyped)))
    expect(novaCompute.isStarting).toBe(false)
    expect(servers[0]?.because).toContain('no longer names the type')
  })

  it('takes every server of the host down with one that is not defined', () => {
    const one = withMdevs((mdevs) =>
      mdevs.map((mdev, index) => (index === 0 ? { ...mdev, definition: null } : mdev)),
    )
    const { novaCompute, servers } = preview(on('Zed', one))
    expect(novaCompute).toEqual({
      isStarting: false,
      because: 'the mdevs of 1 server would be missing: server-0000',
      isByRelease: true,
    })
    expect(servers[1]).toMatchObject({
      fate: 'lost',
      because: 'its mdev is defined with autostart, but nova-compute does not start',
    })
    expect(servers.map(({ canMigrate }) => canMigrate)).toEqual([false, false])
    expect(fates(on('2026.1', one))).toEqual(['lost', 'returns'])
    expect(preview(on('2026.1', one)).servers.map(({ canMigrate }) => canMigrate)).toEqual([true, false])
  })
})

describe('a nova-compute that starts what is defined', () => {
  const spareOf = (typeId: string) => {
    const spare = { uuid: uuidOf(77), parent: '0000:20:00.0', typeId }
    return withMdevs((mdevs) => [
      ...mdevs.map((mdev) => ({ ...mdev, typeId: mdev.typeId })),
      buildMdev({ ...spare, isActive: false, typeId: null, definition: autostart(spare) }),
    ])
  }

  it.each(['nvidia-321', 'nvidia-9999'])('ends when it can not start one of %s', (typeId) => {
    expect(preview(on('2026.1', spareOf(typeId))).novaCompute.isStarting).toBe(false)
  })

  it('lists mdevs that return unexpectedly, with the command that undefines them', () => {
    expect(preview(on('2026.1', spareOf('nvidia-321'))).unwanted).toEqual([
      expect.objectContaining({
        uuid: uuidOf(77),
        pgpuAddress: '0000:20:00.0',
        because: 'defined with autostart; nova.conf names T4-4C for 0000:20:00.0',
        command: `mdevctl undefine --uuid ${uuidOf(77)}`,
      }),
    ])
  })
})

it('the expected mdevs are unknown without nova.conf', () => {
  const input = editHosts(t4Cloud(), (inventory) => ({ ...inventory, novaConfig: null }))
  expect(preview(input).unwanted).toBeNull()
})

it('an mdev that does not exist even now is lost', () => {
  const gone = withMdevs(() => [])
  expect(preview(on('2026.1', gone))).toMatchObject({
    novaCompute: { isStarting: true },
    servers: [{ fate: 'lost', advice: 'Cold migrate the server.', canMigrate: false }, { fate: 'lost' }],
  })
})

it('unread guests or mdevs give no preview', () => {
  const input = editHosts(t4Cloud(), (inventory) => ({ ...inventory, guests: null }))
  const fleet = joinFleet(input)
  expect(fleet.hosts.map((host) => previewReboot(fleet, host))).toEqual([null])
})

describe('definitions that the agent could not see', () => {
  const hidden = (input: FleetFacts) =>
    editHosts(input, (inventory) => ({
      ...inventory,
      problems: [
        ...inventory.problems,
        { source: '/etc/mdevctl.d', code: 'incomplete', message: 'libvirt runs in a container.' },
      ],
    }))

  it.each<[Release, boolean | null]>([
    ['Zed', null],
    ['2026.1', null],
  ])('on %s no one reports that a server would be lost, and nothing is stated of nova-compute', (release) => {
    const made = preview(hidden(on(release, notDefined())))
    expect(made.servers.map(({ fate }) => fate)).toEqual(['unknown', 'unknown'])
    expect(made.servers[0]?.because).toBe(
      'whether its mdev is defined is unknown: /etc/mdevctl.d could not be read',
    )
    expect(made.novaCompute).toMatchObject({ isStarting: null, isByRelease: false })
    expect(made.unwanted).toBeNull()
  })

  it('a single file that could not be read hides that one mdev only', () => {
    const [first] = t4Cloud().hosts[0]?.inventory.mdevs ?? []
    const source = `/etc/mdevctl.d/${first?.parent}/${first?.uuid.toUpperCase()}`
    const input = editHosts(on('2026.1', notDefined()), (inventory) => ({
      ...inventory,
      problems: [{ source, code: 'malformed', message: 'not JSON' }],
    }))
    expect(fates(input).toSorted()).toEqual(['lost', 'unknown'])
  })
})
