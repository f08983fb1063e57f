import { describe, expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { migrationMatrix } from '@/lib/domain/cloud/migration-matrix'
import { detect, editHosts, editList, gapsOf, sentences, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'

const CODE = 'no-live-migration-target'
const pair = () =>
  buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 4, spare: 0 }], hasDomain: false },
  ])
const withHost = (change: Partial<Inventory['host']>, name = 'cmp-2') =>
  editHosts(pair(), (inventory) =>
    inventory.host.name === name ? { ...inventory, host: { ...inventory.host, ...change } } : inventory,
  )
const cellsOf = (input: FleetFacts) =>
  Object.fromEntries(
    migrationMatrix(joinFleet(input), { typeId: 'nvidia-319' }).pairs.map(
      ({ source, destination, verdict, blockers }) => [
        `${source} > ${destination}`,
        [verdict, ...blockers.map(({ because }) => because)],
      ],
    ),
  )

describe('the matrix', () => {
  it('has every ordered pair, and a full host is blocked for now', () => {
    expect(cellsOf(pair())).toEqual({
      'cmp-1 > cmp-2': ['blocked', 'cmp-2 has no free vGPU of the type'],
      'cmp-2 > cmp-1': ['possible'],
    })
    expect(sentences(pair())).toEqual([])
  })

  it.each<[Partial<Inventory['host']>, string]>([
    [{ libvirtVersion: '8.0.0' }, 'cmp-2 has libvirt 8.0.0, 8.6.0 is needed'],
    [{ qemuVersion: '6.2.0 (Debian 1:6.2)' }, 'cmp-2 has QEMU 6.2.0 (Debian 1:6.2), 8.1.0 is needed'],
    [{ kernel: '5.15.0-105-generic' }, 'cmp-2 has kernel 5.15.0-105-generic, 5.18 is needed'],
    [{ nvidiaDriverVersion: '535.161.05' }, 'the drivers differ: 535.161.05 and 550.90.05'],
  ])('%j blocks both ways', (change, because) => {
    expect(cellsOf(withHost(change))['cmp-2 > cmp-1']).toEqual(['blocked', because])
    expect(sentences(withHost(change)).filter((text) => text.startsWith(CODE))).toHaveLength(2)
  })

  it('of a release before 2024.1 is blocked as a whole', () => {
    const old = withFacts(pair(), { versions: { nova: '2.95', placement: '1.39', keystone: null } })
    expect(cellsOf(old)['cmp-2 > cmp-1']).toEqual(['blocked', 'Nova live-migrates mdevs from 2024.1 on'])
  })

  it('names what is only advised against', () => {
    const matrix = migrationMatrix(joinFleet(withHost({ osName: 'Ubuntu 24.04' })), { typeId: 'nvidia-319' })
    expect(matrix.pairs[0]?.cautions).toEqual(['NVIDIA does not support it on Ubuntu (cmp-2)'])
  })

  it('blocks a disabled destination for now', () => {
    const input = editList(pair(), 'services', (service) => ({ ...service, status: 'disabled' as const }))
    expect(cellsOf(input)['cmp-2 > cmp-1']?.[1]).toBe('cmp-1: nova-compute is disabled')
  })
})

it('an unknown version is no finding but a gap', () => {
  const input = withHost({ qemuVersion: null })
  expect(gapsOf(input, CODE)).toContain('the QEMU version of cmp-2 is not known')
  expect(detect(input).findings).toEqual([])
})
