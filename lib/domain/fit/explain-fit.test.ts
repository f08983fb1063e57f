import { describe, expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import {
  a40Cloud,
  editGpuProviders,
  editHosts,
  editList,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import {
  buildFlavor,
  inventoryOf,
  mdevProvider,
  readPart,
  silentPart,
} from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { vfOf } from '@/lib/domain/testing/offers'
import { allSteps } from '@/lib/util/all-steps'
import { askHosts } from './ask-hosts'
import { type FitReport, flavorQuestion } from './explain-fit'
import { judgeInSteps } from './judge-fit'
import { explainFit, judgeFit } from './testing/fit-at-once'
import { typeQuestions } from './type-question'

const T4 = buildFlavor({
  name: 't4',
  extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' },
})
const A40 = buildFlavor({ name: 'a40', extraSpecs: { 'resources:VGPU': '1' } })
const AWAY = { state: 'away' } as const
const explain = (input: FleetFacts, flavor = T4, zone: string | null = null) => {
  const report = explainFit(joinFleet(input), flavorQuestion(flavor, zone))
  const { hosts: _, ...sums } = judgeFit(report, AWAY)
  return { ...report, ...sums }
}
const explainType = (input: FleetFacts, typeId: string) => {
  const fleet = joinFleet(input)
  const questions = typeQuestions(fleet, typeId)
  const indexes = askHosts(fleet, questions)
  const parts = questions.map((question, index) => ({
    ...explainFit(fleet, question),
    hosts: explainFit(fleet, question).hosts.filter(({ host }) => indexes.get(host) === index),
    word: AWAY,
  }))
  const { query, hosts } = parts[0] ?? { query: '', hosts: [] }
  return { query, queries: parts.map((part) => part.query), hosts, fits: allSteps(judgeInSteps(parts)).fits }
}
const reasonsOf = (report: Pick<FitReport, 'hosts'>): string[] => [
  ...report.hosts.flatMap(({ blockers }) => blockers.map(({ because }) => because)),
  ...report.hosts.flatMap(({ pgpus }) =>
    pgpus.flatMap(({ blockers }) => blockers.map(({ because }) => because)),
  ),
]

describe('how many more fit', () => {
  it('what hardware and Placement both have', () => {
    const report = explain(t4Cloud())
    expect(report).toMatchObject({ fits: 2, byPlacement: 2, atOnce: 2, unknownHosts: 0, gap: null })
    expect(report.query).toBe(
      'GET /allocation_candidates?resources=DISK_GB:20,MEMORY_MB:8192,VCPU:4,VGPU:1&required=CUSTOM_T4_4C',
    )
    expect(reasonsOf(report)).toEqual([])
  })

  it('not what Placement alone offers of an SR-IOV card', () => {
    const input = a40Cloud()
    const [root, ...rest] = input.facts.providers.value ?? []
    if (root === undefined) throw new Error('the cloud has no root provider')
    const more = Array.from({ length: 20 }, (_, n) =>
      mdevProvider(root, {
        address: vfOf('0000:20:00.0', 12 + n),
        n: 12 + n,
        inventories: { VGPU: inventoryOf(1, 0) },
      }),
    )
    expect(explain(withFacts(input, { providers: readPart([root, ...rest, ...more]) }), A40)).toMatchObject({
      fits: 9,
      byPlacement: 29,
      atOnce: 1,
    })
  })

  it('no more than CPU, memory and disk allow', () => {
    const small = editList(t4Cloud(), 'providers', (provider) =>
      provider.parentUuid === null
        ? { ...provider, inventories: { ...provider.inventories, VCPU: inventoryOf(16, 9) } }
        : provider,
    )
    expect(explain(small).fits).toBe(1)
    expect(explain(small, { ...T4, vcpus: 8 })).toMatchObject({ fits: 0 })
    expect(reasonsOf(explain(small, { ...T4, vcpus: 8 }))).toEqual([
      '7 of VCPU are free, but 8 are requested',
    ])
  })

  it('of a type, regardless of the flavor', () => {
    expect(explainType(t4Cloud(), 'nvidia-319')).toMatchObject({ fits: 2 })
    const other = explainType(t4Cloud(), 'nvidia-321')
    expect(other.fits).toBe(0)
    expect(reasonsOf(other)).toEqual(['it carries another type'])
  })

  it('of a type that hosts give different resource classes, each host with its own class', () => {
    const plan = { cards: [{ kind: 'T4' as const, used: 2, spare: 1 }], hasDomain: false }
    const types = '[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\n'
    const text = `${types}device_addresses = 0000:20:00.0\nmdev_class = CUSTOM_T4`
    const cloud = editHosts(buildHealthyCloud([plan, plan, plan]), (inventory) =>
      inventory.host.name === 'cmp-3' ? { ...inventory, novaConfig: novaConf(text) } : inventory,
    )
    const mixed = editGpuProviders(cloud, (entry, index) =>
      index === 5 ? { ...entry, inventories: { CUSTOM_T4: inventoryOf(4, 2) } } : entry,
    )
    expect(explainType(mixed, 'nvidia-319')).toMatchObject({
      fits: 6,
      queries: [
        'GET /allocation_candidates?resources=VGPU:1',
        'GET /allocation_candidates?resources=CUSTOM_T4:1',
      ],
    })
  })
})

describe('what is in the way', () => {
  it.each<[string, FleetFacts, string]>([
    [
      'the service',
      editList(t4Cloud(), 'services', (service) => ({ ...service, state: 'down' })),
      'nova-compute is down',
    ],
    ['no provider', editGpuProviders(t4Cloud(), () => null), 'Placement has no resource provider for it'],
    [
      'the class',
      editGpuProviders(t4Cloud(), (entry) => ({ ...entry, inventories: { CUSTOM_X: inventoryOf(4, 0) } })),
      'it offers CUSTOM_X, not VGPU',
    ],
    [
      'the trait',
      editGpuProviders(t4Cloud(), (entry) => ({ ...entry, traits: [] })),
      'it has no trait CUSTOM_T4_4C',
    ],
    [
      'a full provider',
      editGpuProviders(t4Cloud(), (entry) => ({ ...entry, inventories: { VGPU: inventoryOf(4, 4) } })),
      'fully allocated in Placement',
    ],
  ])('%s', (_, input, because) => {
    expect(explain(input).fits).toBe(0)
    expect(reasonsOf(explain(input))).toContain(because)
  })

  it('hardware that can create no more, and what uses it', () => {
    const full = editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      gpus: inventory.gpus.map((gpu) => ({
        ...gpu,
        mdevTypes: (gpu.mdevTypes ?? []).map(([index]) => [index, 0] as [number, number]),
      })),
      mdevs: (inventory.mdevs ?? []).map((mdev, n) => (n === 2 ? { ...mdev, typeId: 'nvidia-232' } : mdev)),
    }))
    expect(explain(full)).toMatchObject({ fits: 0, byPlacement: 2 })
    expect(reasonsOf(explain(full))).toEqual([
      'Placement has some left, but the card can make no more, 1 orphaned mdev holds it on another type',
    ])
  })

  it('zone and aggregate', () => {
    expect(reasonsOf(explain(t4Cloud(), T4, 'north'))).toEqual([
      'it is in the availability zone nova, not north',
    ])
    const gold = { ...T4, extraSpecs: { ...T4.extraSpecs, 'aggregate_instance_extra_specs:gold': 'yes' } }
    expect(reasonsOf(explain(t4Cloud(), gold))).toEqual(['none of its aggregates has gold=yes'])
  })

  it('an extra spec without a scope, once aggregates are requested', () => {
    const bare = (extraSpecs: Record<string, string>) => ({
      ...T4,
      extraSpecs: { ...T4.extraSpecs, group_policy: 'none', ...extraSpecs },
    })
    const tied = (metadata: Record<string, string>) => {
      const hosts = (t4Cloud().facts.services.value ?? []).map(({ host }) => host)
      const aggregate = { id: 1, uuid: 'a1', name: 'gpu', availabilityZone: null, hosts, metadata }
      return withFacts(t4Cloud(), { aggregates: readPart([aggregate]) })
    }
    expect(reasonsOf(explain(tied({ gold: 'yes' }), bare({})))).toEqual([])
    const reason = [expect.stringMatching(/group_policy=none, which .*, because the extra spec has no scope/)]
    const scoped = bare({ 'aggregate_instance_extra_specs:gold': 'yes' })
    expect(reasonsOf(explain(tied({ gold: 'yes' }), scoped))).toEqual(reason)
    expect(reasonsOf(explain(tied({ gold: 'yes' }), bare({ gold: 'yes' })))).toEqual(reason)
    const met = tied({ gold: 'yes', group_policy: 'isolate,none' })
    expect(reasonsOf(explain(met, scoped))).toEqual([])
    expect(explain(met, scoped).fits).toBe(explain(t4Cloud()).fits)
  })
})

describe('what is unknown', () => {
  it('is not 0: a silent host, an alias, a Placement that does not answer', () => {
    const silent = { ...t4Cloud(), hosts: t4Cloud().hosts.map((host) => ({ ...host, isSilent: true })) }
    expect(explain(silent)).toMatchObject({ fits: 0, byPlacement: 2, unknownHosts: 1 })
    expect(explain(silent).hosts[0]?.fits.value).toBeNull()
    expect(explain(silent).hosts[0]?.pgpus[0]?.fits.value).toBeNull()
    const alias = { ...T4, extraSpecs: { 'pci_passthrough:alias': 'a40:1' } }
    const [requested] = explain(t4Cloud(), alias).hosts
    expect(requested?.fits.reason).toContain('alias a40')
    expect(requested?.pgpus.map(({ fits }) => fits.value)).toEqual(requested?.pgpus.map(() => null))
    expect(requested?.pgpus[0]?.fits.reason).toContain('alias a40')
    const mute = explain(withFacts(t4Cloud(), { providers: silentPart() }))
    expect([mute.gap, mute.unknownHosts]).toEqual([
      "Placement's resource providers could not be read: connection refused",
      1,
    ])
  })
})
