import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editGpuProviders, editHosts, editList } from '@/lib/domain/testing/break-cloud'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud, healthyPlans } from '@/lib/domain/testing/healthy-cloud'
import { couldLand } from './could-land'
import { countDevices, countProblem } from './count-devices'
import { readFlavorRequest } from './flavor-request'
import { hostProblem, slotNeeds } from './host-problem'
import { reachOf } from './reach'
import { reachingRequests } from './reaching-requests'
import { servingHosts } from './serving-hosts'

const OF_NODE = 'CUSTOM_NODE'
const TRAITS = ['CUSTOM_T4_4C', 'CUSTOM_A40_4Q', 'CUSTOM_OTHER', OF_NODE]

const group = fc.record({ amount: fc.integer({ min: 1, max: 3 }), trait: fc.constantFrom(null, ...TRAITS) })

const flavors = fc.array(
  fc.record({
    groups: fc.array(group, { minLength: 1, maxLength: 3 }),
    policy: fc.constantFrom('none', 'isolate'),
    isNumbered: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)
type FlavorPlan = (typeof flavors extends fc.Arbitrary<infer Plans extends readonly unknown[]>
  ? Plans
  : never)[number]

const toFlavor = ({ groups, policy, isNumbered }: FlavorPlan, index: number) =>
  buildFlavor({
    name: `flavor-${index}`,
    extraSpecs: Object.fromEntries([
      ['group_policy', policy],
      ...groups.flatMap(({ amount, trait }, number) => {
        const suffix = number === 0 && !isNumbered ? '' : `${number + 1}`
        return [
          [`resources${suffix}:VGPU`, `${amount}`],
          ...(trait === null ? [] : [[`trait${suffix}:${trait}`, 'required']]),
        ]
      }),
    ]),
  })

/** Some providers lose their trait, were not read, or offer more than the card has. */
const withOdds = (input: FleetFacts, odds: readonly number[]): FleetFacts =>
  editGpuProviders(input, (provider, index) => {
    const odd = odds[index % odds.length] ?? 0
    if (odd === 0) return { ...provider, traits: [] }
    if (odd === 1) return { ...provider, inventories: null }
    const { VGPU } = provider.inventories ?? {}
    return odd === 2 && VGPU !== undefined
      ? { ...provider, inventories: { VGPU: { ...VGPU, capacity: VGPU.capacity + 2, maxUnit: 2 } } }
      : provider
  })

/** Some compute nodes have a trait, which counts for the group without a number. */
const withNodeTrait = (input: FleetFacts, odds: readonly number[]): FleetFacts =>
  editList(input, 'providers', (provider, index) =>
    provider.parentUuid === null && (odds[index % odds.length] ?? 0) % 2 === 0
      ? { ...provider, traits: [...(provider.traits ?? []), OF_NODE] }
      : provider,
  )

/** Half of the hosts can create no more mdevs. */
const withFullCards = (input: FleetFacts): FleetFacts =>
  editHosts(input, (inventory) =>
    Number(inventory.host.name.slice('cmp-'.length)) * 2 > input.hosts.length
      ? inventory
      : {
          ...inventory,
          gpus: inventory.gpus.map((gpu) => ({
            ...gpu,
            mdevTypes: gpu.mdevTypes?.map(([type]): [number, number] => [type, 0]) ?? null,
          })),
        },
  )

const clouds = fc.record({
  plans: healthyPlans,
  odds: fc.array(fc.nat(12), { minLength: 1, maxLength: 9 }),
  flavors,
})

it('hosts in one group have the same counts as each host alone', () => {
  fc.assert(
    fc.property(clouds, ({ plans, odds, flavors }) => {
      const fleet = joinFleet(withFullCards(withOdds(buildHealthyCloud([...plans, ...plans]), odds)))
      for (const request of flavors.map(toFlavor).map(readFlavorRequest))
        for (const joined of fleet.hosts) {
          const needs = slotNeeds(request)
          const isIsolated = request.groupPolicy === 'isolate'
          const alone = hostProblem({ joined, needs, room: Number.POSITIVE_INFINITY, isIsolated })
          expect(countDevices(fleet, joined, request)).toEqual(countProblem(alone))
        }
    }),
    { numRuns: 30 },
  )
})

it('a host that a request does not concern takes nothing of it, in use or empty', () => {
  fc.assert(
    fc.property(clouds, ({ plans, odds, flavors }) => {
      const cloud = withNodeTrait(withOdds(buildHealthyCloud([...plans, ...plans]), odds), odds)
      const fleet = joinFleet(withFullCards(cloud))
      for (const request of flavors.map(toFlavor).map(readFlavorRequest))
        for (const isEmptied of [false, true]) {
          const serving = new Set(servingHosts(fleet, request, { isEmptied }))
          const others = fleet.hosts.filter((joined) => !serving.has(joined))
          const takes = others.map((joined) =>
            isEmptied
              ? couldLand(fleet, joined, request)
              : countDevices(fleet, joined, request).byPlacement.count > 0,
          )
          expect(takes).toEqual(others.map(() => false))
        }
    }),
    { numRuns: 30 },
  )
})

it('equal providers are reached by the same requests as each provider alone', () => {
  fc.assert(
    fc.property(clouds, ({ plans, odds, flavors }) => {
      const fleet = joinFleet(withOdds(buildHealthyCloud(plans), odds))
      const all = flavors.map(toFlavor)
      for (const { pgpus, root } of fleet.hosts)
        for (const { providers } of pgpus) {
          const amounts = all.flatMap(
            (flavor) =>
              providers
                .map((entry) => reachOf(readFlavorRequest(flavor), entry, root.value))
                .find((match) => match !== null)?.amount ?? [],
          )
          const found = reachingRequests(all, providers, root.value)
          expect(new Set(found.map(({ amount }) => amount))).toEqual(new Set(amounts))
        }
    }),
    { numRuns: 30 },
  )
})
