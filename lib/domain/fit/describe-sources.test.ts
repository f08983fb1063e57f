import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { editHosts } from '@/lib/domain/testing/break-cloud'
import { inventoryOf, readPart, silentPart } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud, healthyPlans } from '@/lib/domain/testing/healthy-cloud'
import { l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { describeSources, type PgpuSources } from './describe-sources'

const sourcesOf = (input: FleetFacts): PgpuSources[] => {
  const fleet = joinFleet(input)
  return fleet.hosts.flatMap((host) => host.pgpus.map((entry) => describeSources(fleet, host, entry)))
}

const firstOf = (input: FleetFacts): PgpuSources => {
  const [first] = sourcesOf(input)
  if (first === undefined) throw new Error('the cloud has no pGPU')
  return first
}

const oddOf = ({ rows }: PgpuSources): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ key, disagree }) =>
      disagree === null ? [] : [[key, `${disagree.column}: ${disagree.because}`]],
    ),
  )

const t4 = (): FleetFacts =>
  buildHealthyCloud([{ cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false }])

const withFacts = (input: FleetFacts, facts: Partial<CloudFacts>): FleetFacts => ({
  ...input,
  facts: { ...input.facts, ...facts },
})

const withProviders = (input: FleetFacts, total: number, used: number): FleetFacts =>
  withFacts(input, {
    providers: readPart(
      (input.facts.providers.value ?? []).map((provider) =>
        provider.parentUuid === null
          ? provider
          : { ...provider, inventories: { VGPU: inventoryOf(total, used) } },
      ),
    ),
  })

describe('the four sources of a card whose VFs are assigned by device_spec', () => {
  const novaSays = (input: FleetFacts) => {
    const sources = sourcesOf(input).find(({ rows }) =>
      rows.some(({ hardware }) => hardware?.value === 'L40S-16Q'),
    )
    return Object.fromEntries(
      (sources?.rows ?? []).flatMap(({ key, hardware, novaConf }) =>
        ['type', 'class', 'providers'].includes(key)
          ? [[key, key === 'providers' ? hardware : novaConf]]
          : [],
      ),
    )
  }

  it('state the class of its lines, and nothing about devices outside of Nova', () => {
    expect(novaSays(l40sCloud({ typed: 3 }))).toEqual({
      type: null,
      class: { value: 'CUSTOM_L40S_16Q', reason: null },
      providers: null,
    })
    expect(novaSays(l40sCloud({ typed: 3, isInPlacement: false }))).toEqual({
      type: null,
      class: null,
      providers: null,
    })
    expect(novaSays(l40sCloud({ typed: 3, listed: [] }))).toMatchObject({ class: { value: 'none' } })
  })
})

describe('the four sources of a healthy cloud', () => {
  it('agree everywhere, and nothing is stranded', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(healthyPlans, (plans) => {
        for (const sources of sourcesOf(buildHealthyCloud(plans))) {
          expect(oddOf(sources)).toEqual({})
          expect(sources.stranded).toMatchObject({ value: 0, because: null })
        }
      }),
      { numRuns: 25 },
    )
  })

  it('name occupants as Nova and Keystone do', () => {
    const [occupant] = firstOf(t4()).occupants
    expect(occupant).toMatchObject({ projectName: 'research', flavorName: 'vgpu', source: 'nova' })
  })
})

describe('the odd cell', () => {
  it("is Placement's when its total is not what Nova would count", () => {
    expect(oddOf(firstOf(withProviders(t4(), 16, 2)))).toEqual({
      total: 'placement: Nova would count 4 here now, Placement still has 16',
    })
  })

  it("is Placement's when it has more allocated than guests hold", () => {
    expect(oddOf(firstOf(withProviders(t4(), 4, 3)))).toEqual({
      used: 'placement: Placement has 3 allocated, guests hold 2',
    })
  })

  it('is never marked on a silent host or on an old word of Placement', () => {
    const broken = withProviders(t4(), 16, 3)
    const silent = { ...broken, hosts: broken.hosts.map((host) => ({ ...host, isSilent: true })) }
    expect(oddOf(firstOf(silent))).toEqual({})
    expect(oddOf(firstOf({ ...broken, now: '2026-11-21T11:00:00.000Z' }))).toEqual({})
  })
})

describe('what is unknown', () => {
  it('has a reason, never a 0', () => {
    const sources = firstOf(withFacts(t4(), { providers: silentPart() }))
    expect(sources.advertised.total).toEqual({
      value: null,
      reason: 'Placement could not be queried: connection refused',
    })
    expect(sources.stranded.value).toBeNull()
    for (const row of sources.rows)
      for (const cell of [row.hardware, row.novaConf, row.placement, row.libvirt])
        if (cell?.value === null) expect(cell.reason).toMatch(/\w/)
  })

  it('states when each source reported', () => {
    expect(firstOf({ ...t4(), now: '2026-11-21T11:00:00.000Z' }).times.placement.note).toContain('too old')
  })
})

describe('stranded vGPUs', () => {
  const reasonOf = (facts: Partial<CloudFacts>): string | null =>
    firstOf(withFacts(t4(), facts)).stranded.because

  it('behind a disabled service', () => {
    const services = readPart(
      (t4().facts.services.value ?? []).map((service) => ({
        ...service,
        status: 'disabled' as const,
        disabledReason: 'fans',
      })),
    )
    expect(reasonOf({ services })).toBe('nova-compute is disabled: fans')
  })

  it('are not requested by any flavor', () => {
    expect(reasonOf({ flavors: readPart([]) })).toBe('no flavor requests them')
  })

  it('without CPU, memory or disk next to them', () => {
    const providers = readPart(
      (t4().facts.providers.value ?? []).map((provider) =>
        provider.parentUuid === null
          ? { ...provider, inventories: { ...provider.inventories, MEMORY_MB: inventoryOf(16_384, 12_000) } }
          : provider,
      ),
    )
    expect(reasonOf({ providers })).toBe('the host has no CPU, memory or disk left for them')
  })
})

it('a card without its driver is the odd one out, and nova.conf keeps its word', () => {
  const input = editHosts(t4(), (inventory) => ({
    ...inventory,
    gpus: inventory.gpus.map((gpu) => ({ ...gpu, driver: null, mdevTypes: null })),
    novaConfig: novaConf(
      '[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\ndevice_addresses = 0000:20:00.0',
    ),
    mdevs: [],
    guests: [],
  }))
  const sources = firstOf(input)
  expect(sources.rows.find(({ key }) => key === 'type')).toMatchObject({
    hardware: { value: 'none offered' },
    novaConf: { value: 'nvidia-319' },
    disagree: {
      column: 'hardware',
      because: 'nova.conf names nvidia-319, and the card offers no vGPU types now',
    },
  })
})
