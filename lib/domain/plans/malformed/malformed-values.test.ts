import { describe, expect, test } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { editGpuProviders, editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { buildMdev, uuidOf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import type { Inventory, NovaOption } from '@/lib/schemas/agent/inventory'
import { malformedFlavor } from '../flavor/plan-flavors'
import { planOrphans } from '../orphans/plan-orphans'
import { planPassthrough } from '../passthrough/plan-passthrough'
import { planReservation } from '../reservation/plan-reservation'
import { planTraits } from '../traits/plan-traits'
import { planTypeChange } from '../type-change/plan-type-change'
import type { Plan } from '../types'
import { malformedReason } from './malformed'

const HOST = 'cmp-1'
const GPU = { host: HOST, address: '0000:20:00.0' }
const SHELL = 'x\nEND\ntouch /tmp/owned\n'

const twoHosts = (): FleetFacts =>
  buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
  ])

/** Of the first host alone. */
const edited = (input: FleetFacts, edit: (inventory: Inventory) => Inventory): FleetFacts =>
  editHosts(input, (inventory) => (inventory.host.name === HOST ? edit(inventory) : inventory))

const option = (section: string, name: string, value: string): NovaOption => ({
  section,
  name,
  value,
  file: '/etc/nova/nova.conf',
  line: 99,
})

const withOptions = (input: FleetFacts, ...added: NovaOption[]): FleetFacts =>
  edited(input, (inventory) =>
    inventory.novaConfig === null
      ? inventory
      : {
          ...inventory,
          novaConfig: { ...inventory.novaConfig, options: [...inventory.novaConfig.options, ...added] },
        },
  )

const retype = (input: FleetFacts): Plan =>
  planTypeChange(joinFleet(input), {
    gpus: [GPU],
    typeId: 'nvidia-320',
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held: [],
  })

const handOut = (input: FleetFacts): Plan =>
  planPassthrough(
    joinFleet(
      editHosts(input, (inventory) => ({
        ...inventory,
        gpus: inventory.gpus.map((gpu) => ({
          ...gpu,
          iommuGroup: 30,
          iommuGroupMembers: [],
          iommuGroupDevices: [],
        })),
      })),
    ),
    { gpus: [GPU], to: 'whole', alias: null, isFlavorLossAccepted: true, held: [] },
  )

/** Nothing of the value is left anywhere in the plan but in the sentence, where it cannot do anything. */
const expectRefused = (plan: Plan, words: readonly string[]): void => {
  expect(plan.steps).toEqual([])
  const refusal = plan.kind === 'fence' ? plan.fence.refusal : null
  const reason = refusal ?? plan.refusals.map((refusal) => refusal.reason).join('\n')
  for (const word of words) expect(reason).toContain(word)
  expect(reason).toContain('then plan again')
  const texts = JSON.stringify({ ...plan, refusals: [], fence: null }, (key, value: unknown) =>
    key === 'problem' ? undefined : value,
  )
  expect(texts).not.toContain('touch /tmp/owned')
  expect(reason).not.toMatch(/\p{C}/u)
}

describe('a value of nova.conf is refused with its origin', () => {
  const TYPES = option('devices', 'enabled_mdev_types', `nvidia-319,${SHELL}`)
  const CLASS = option('mdev_nvidia-319', 'mdev_class', SHELL)
  const ALIAS = option(
    'pci',
    'alias',
    JSON.stringify({ name: "t4'; touch /tmp/owned; '", vendor_id: '10de' }),
  )
  const SPEC = option('pci', 'device_spec', JSON.stringify({ vendor_id: '10de', [SHELL]: 'x' }))

  test.each<[string, NovaOption, string[], (typeof retype)[]]>([
    [
      'a type id',
      TYPES,
      [
        '[devices] enabled_mdev_types in nova.conf of cmp-1 (/etc/nova/nova.conf:99) is "x\\u{a}END\\u{a}touch',
      ],
      [retype, handOut],
    ],
    [
      'an mdev class',
      CLASS,
      ['[mdev_nvidia-319] mdev_class in nova.conf of cmp-1', 'must be VGPU, or CUSTOM_'],
      [retype, handOut],
    ],
    [
      'the name of an alias',
      ALIAS,
      ['"name" of [pci] alias in nova.conf of cmp-1 (/etc/nova/nova.conf)', 'must have letters'],
      [handOut],
    ],
    ['a member of device_spec', SPEC, ['of [pci] device_spec in nova.conf of cmp-1'], [handOut]],
  ])('%s, by each plan that writes it', (_, bad, words, plans) => {
    for (const plan of plans) expectRefused(plan(withOptions(twoHosts(), bad)), words)
  })

  test.each([
    ['[compute] cpu_shared_set', option('compute', 'cpu_shared_set', SHELL)],
    ['[compute] cpu_dedicated_set', option('compute', 'cpu_dedicated_set', '0-3; touch /tmp/owned')],
    ['[DEFAULT] vcpu_pin_set', option('DEFAULT', 'vcpu_pin_set', SHELL)],
  ])('%s, by a division of the CPUs', (name, bad) => {
    const cloud = k40cCloud()
    const input = editHosts(cloud, (inventory) =>
      inventory.novaConfig === null
        ? inventory
        : {
            ...inventory,
            novaConfig: { ...inventory.novaConfig, options: [...inventory.novaConfig.options, bad] },
          },
    )
    const plan = planReservation(joinFleet(input), {
      way: 'cpus',
      host: 'hyper18',
      sharedSet: '0-20',
      dedicatedSet: '21-22',
      reservedMemoryMib: null,
      flavorIds: ['g1'],
      isMoving: false,
    })
    expectRefused(plan, [`${name} in nova.conf of hyper18`, 'must be a list of CPUs'])
  })
})

describe('a value that an agent reports is refused with its origin', () => {
  test('a driver, by a change of a whole card', () => {
    const input = edited(twoHosts(), (inventory) => ({
      ...inventory,
      gpus: inventory.gpus.map((gpu) => ({ ...gpu, driver: 'nvidia; touch /tmp/owned' })),
    }))
    expectRefused(handOut(input), [
      'The driver of 0000:20:00.0, as the agent of cmp-1 reports it, is "nvidia; touch /tmp/owned"',
      'must be the name of a driver',
    ])
  })

  const orphan = (definition: NonNullable<Inventory['mdevs']>[number]['definition'], typeId = 'nvidia-223') =>
    edited(t4Cloud(), (inventory) => ({
      ...inventory,
      mdevs: [
        ...(inventory.mdevs ?? []),
        buildMdev({ uuid: uuidOf(777), parent: GPU.address, typeId, definition }),
      ],
    }))
  const PATH = { typeId: 'nvidia-223', start: 'auto' as const, path: '/etc/mdevctl.d/$(touch /tmp/owned)' }

  test.each([
    ['the path of a definition', orphan(PATH), 'The path of the definition of mdev'],
    [
      'the path of a definition with links to parents',
      orphan({ ...PATH, path: '/etc/mdevctl.d/../cron.d/x' }),
      'must be an absolute path',
    ],
    ['the type of an mdev', orphan(null, SHELL), 'The type of mdev'],
  ])('%s, by a removal of orphans and by a change of the type', (_, input, words) => {
    expectRefused(planOrphans(joinFleet(input), { gpus: [GPU] }), [words, 'as the agent of cmp-1 reports it'])
    expectRefused(retype(input), [words])
  })
})

test('a trait that Placement reports is refused by a change of traits', () => {
  const input = editGpuProviders(twoHosts(), (provider) => ({
    ...provider,
    traits: [...(provider.traits ?? []), 'CUSTOM_X $(touch /tmp/owned)'],
  }))
  const plan = planTraits(joinFleet(input), { gpus: [GPU], rule: 'CUSTOM_OTHER_{type}', isManaged: false })
  expectRefused(plan, ['The trait of the resource provider', 'in Placement'])
})

test.each([
  ['an alias', { 'pci_passthrough:alias': "a'; touch /tmp/owned:1" }, 'The alias of the extra spec'],
  ['a class', { 'resources:VGPU;id': '1' }, 'The key of the extra spec'],
  ['a class in small letters', { 'resources:vgpu': '1' }, 'The resource class of the extra spec'],
  ['a trait', { 'trait:custom x': 'required' }, 'The trait of the extra spec'],
])('%s that a flavor is to get is refused; what it has already is not judged', (_, extraSpecs, words) => {
  const before = buildFlavor({ id: 'g1', name: 'gpu', extraSpecs: {} })
  const after = { ...before, extraSpecs }
  const found = malformedFlavor({ before, after })
  expect(found === null ? null : malformedReason(found)).toContain(words)
  expect(malformedFlavor({ before: after, after })).toBeNull()
})
