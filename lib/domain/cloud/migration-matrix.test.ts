import { describe, expect, it } from 'vitest'
import { editHosts, editList, withFacts } from '@/lib/domain/testing/break-cloud'
import { hostFacts } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { blockerText } from './blocker-text'
import type { FleetFacts } from './fleet-types'
import { joinFleet } from './join-fleet'
import { migrationMatrix } from './migration-matrix'

const T4 = 'nvidia-319'
const host = (used: number) => ({ cards: [{ kind: 'T4' as const, used, spare: 0 }], hasDomain: false })
/** cmp-1 has room, cmp-2 is full. */
const pair = () => buildHealthyCloud([host(1), host(4)])
const withHost = (change: Partial<Inventory['host']>, name = 'cmp-2') =>
  editHosts(pair(), (inventory) =>
    inventory.host.name === name ? { ...inventory, host: { ...inventory.host, ...change } } : inventory,
  )
const withConf = (text: string, name: string) =>
  editHosts(pair(), (inventory) =>
    inventory.host.name === name
      ? { ...inventory, novaConfig: novaConf(`${text}\n[devices]\nenabled_mdev_types = ${T4}`) }
      : inventory,
  )
const matrixOf = (input: FleetFacts) => migrationMatrix(joinFleet(input), T4)

/** `cmp-1 > cmp-2` → verdict and sentences. */
const waysOf = (input: FleetFacts) => {
  const { hosts, pairs } = matrixOf(input)
  const nameOf = (group: number) => hosts.find((entry) => entry.group === group)?.name ?? ''
  return Object.fromEntries(
    pairs.map(({ source, destination, verdict, blockers, cautions }) => {
      const names = { source: nameOf(source), destination: nameOf(destination) }
      const texts = [...blockers, ...cautions].map((entry) => blockerText(entry, names))
      return [`${names.source} > ${names.destination}`, [verdict, ...texts]]
    }),
  )
}
const back = 'cmp-2 > cmp-1'

it('has both ways between two hosts, and a full one is none for now', () => {
  expect(waysOf(pair())).toEqual({
    'cmp-1 > cmp-2': ['later', 'cmp-2 has no free vGPU of the type'],
    'cmp-2 > cmp-1': ['possible'],
  })
  expect(matrixOf(pair()).hosts).toMatchObject([{ free: 3 }, { free: 0 }])
})

describe('blocks', () => {
  it.each<[Partial<Inventory['host']>, string]>([
    [{ libvirtVersion: '8.0.0' }, 'cmp-2 has libvirt 8.0.0, but 8.6.0 is required'],
    [{ qemuVersion: '6.2.0 (Debian 1:6.2)' }, 'cmp-2 has QEMU 6.2.0 (Debian 1:6.2), but 8.1.0 is required'],
    [{ kernel: '5.15.0-105-generic' }, 'cmp-2 has kernel 5.15.0-105-generic, but 5.18 is required'],
    [{ nvidiaDriverVersion: '535.161.05' }, 'the drivers differ: 535.161.05 and 550.90.05'],
  ])('%j', (change, because) => {
    expect(waysOf(withHost(change))[back]).toEqual(['blocked', because])
  })

  it('post-copy at either end', () => {
    const input = withConf(
      '[libvirt]\nlive_migration_permit_post_copy = true\nlive_migration_downtime = 500000',
      'cmp-1',
    )
    const because = 'cmp-1 has live_migration_permit_post_copy enabled, which does not work with vGPUs'
    expect(waysOf(input)[back]).toEqual(['blocked', because])
    expect(waysOf(input)['cmp-1 > cmp-2']?.slice(0, 2)).toEqual(['blocked', because])
  })

  it('a pair of systems that NVIDIA excludes', () => {
    const input = editHosts(pair(), (inventory) => ({
      ...inventory,
      host: {
        ...inventory.host,
        kernel: inventory.host.name === 'cmp-2' ? '6.12.0-55.el10_0.x86_64' : '5.14.0-427.13.1.el9_4.x86_64',
      },
    }))
    expect(waysOf(input)[back]).toEqual([
      'blocked',
      expect.stringMatching(/^NVIDIA does not support live migration between RHEL 9\.4 and RHEL 10 \(docs/),
    ])
  })

  it('a release before 2024.1, and reports none without one', () => {
    const old = withFacts(pair(), { versions: { nova: '2.95', placement: '1.39', keystone: null } })
    expect(waysOf(old)[back]).toEqual([
      'blocked',
      'Live migration with mdevs: Nova 29 (2024.1) or newer is required. nova-api runs Nova 27 or 28. The guest XML is not updated with the mdev of the destination. Use cold migration',
    ])
    const none = withFacts(pair(), { versions: { nova: null, placement: null, keystone: null } })
    expect(waysOf(none)[back]).toEqual([
      'unknown',
      "Live migration with mdevs: Nova 29 (2024.1) or newer is required. Nova's release could not be read, so support is unknown",
    ])
  })

  it('a type that nova.conf no longer names at the destination', () => {
    const input = editHosts(pair(), (inventory) =>
      inventory.host.name === 'cmp-2'
        ? { ...inventory, novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-320') }
        : inventory,
    )
    expect(waysOf(input)['cmp-1 > cmp-2']?.[1]).toBe('cmp-2 no longer names the type in nova.conf')
  })
})

it.each([
  ['5.14.0-427.13.1.el9_4.x86_64', 'possible'],
  ['5.14.0-362.8.1.el9_3.x86_64', 'blocked'],
  ['6.12.0-55.el10.x86_64', 'possible'],
  ['5.14.21-150500-default', 'blocked'],
])('kernel %s, as its distribution patches it: %s', (kernel, verdict) => {
  expect(waysOf(withHost({ kernel }))[back]?.[0]).toBe(verdict)
})

it('a disabled destination is none for now', () => {
  const input = editList(pair(), 'services', (service) => ({ ...service, status: 'disabled' as const }))
  expect(waysOf(input)[back]).toEqual(['later', 'cmp-1 accepts no servers: nova-compute is disabled'])
})

it('a silent host has no row, regardless of its last report', () => {
  const input = withHost({ libvirtVersion: '8.0.0', nvidiaDriverVersion: '535.161.05' })
  const silent = {
    ...input,
    hosts: input.hosts.map((facts) =>
      facts.name === 'cmp-2' ? hostFacts(facts.inventory, { isSilent: true }) : facts,
    ),
  }
  expect(waysOf(silent)[back]).toEqual(['unknown', 'cmp-2 is silent: its current state is unknown'])
  expect(matrixOf(silent).hosts[1]).toMatchObject({ isSilent: true, free: null })
})

it('names what is only advised against', () => {
  expect(waysOf(withHost({ osName: 'Ubuntu 24.04' }))[back]).toEqual(['possible'])
  expect(waysOf(withHost({ nvidiaDriverVersion: '612.10.01' }))[back]).toEqual([
    'blocked',
    'the drivers differ: 550.90.05 and 612.10.01',
    'cmp-2 has driver 612.10.01, which is newer than vGPU 20 (595), the newest release with known rules',
  ])
  expect(waysOf(withConf('', 'cmp-2'))[back]).toEqual([
    'possible',
    'cmp-2 has live_migration_downtime 500 (default); 500000 is recommended',
    'cmp-2 has live_migration_downtime_steps 10 (default); 3 is recommended',
    'cmp-2 has live_migration_downtime_delay 75 (default); 3 is recommended',
    'cmp-2 has live_migration_completion_timeout 800 (default); 0 is recommended',
  ])
  const settings = `[libvirt]
live_migration_downtime = 600000
live_migration_downtime_steps = 4
live_migration_downtime_delay = 2
live_migration_completion_timeout = 0`
  expect(waysOf(withConf(settings, 'cmp-2'))[back]).toEqual([
    'possible',
    'cmp-2 has live_migration_downtime_steps 4; 3 is recommended',
  ])
})

it('two hundred equal hosts are one group, and every host keeps its own line', () => {
  const many = buildHealthyCloud([...Array.from({ length: 199 }, () => host(1)), host(4)])
  const { hosts, groupCount, pairs } = matrixOf(many)
  expect([hosts.length, groupCount, pairs.length]).toEqual([200, 2, 3])
  expect(hosts.slice(0, 3).map(({ name }) => name)).toEqual(['cmp-1', 'cmp-2', 'cmp-3'])
})
