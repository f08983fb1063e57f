import fc from 'fast-check'
import type { Fleet, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { Flavor } from '@/lib/domain/cloud/types'
import { editGpuProviders, editHosts, editList } from './break-cloud'
import { buildFlavor } from './build-cloud'
import { buildHealthyCloud, healthyPlans } from './healthy-cloud'

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

type RandomCloud = { fleet: Fleet; flavors: Flavor[] }

/** Clouds in which half of the hosts are full and some providers are wrong, and flavors for them. */
export const randomClouds: fc.Arbitrary<RandomCloud> = fc
  .record({ plans: healthyPlans, odds: fc.array(fc.nat(12), { minLength: 1, maxLength: 9 }), flavors })
  .map(({ plans, odds, flavors }) => ({
    fleet: joinFleet(
      withFullCards(withNodeTrait(withOdds(buildHealthyCloud([...plans, ...plans]), odds), odds)),
    ),
    flavors: flavors.map(toFlavor),
  }))
