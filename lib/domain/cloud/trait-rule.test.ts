import fc from 'fast-check'
import { expect, it } from 'vitest'
import { a40Cloud, editGpuProviders, editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { allSteps } from '@/lib/util/all-steps'
import type { FleetFacts } from './fleet-types'
import { joinFleet } from './join-fleet'
import { cloudTraitRule } from './trait-rule'
import { DEFAULT_TRAIT_RULE, traitOfType } from './type-traits'
import type { Flavor } from './types'

const ruleOf = (input: FleetFacts) => allSteps(cloudTraitRule(joinFleet(input)))
const tagged = (input: FleetFacts, traits: string[]) =>
  editGpuProviders(input, (provider) => ({ ...provider, traits }))
const withFlavors = (input: FleetFacts, flavors: Flavor[]): FleetFacts =>
  ({ ...input, facts: { ...input.facts, flavors: { ...input.facts.flavors, value: flavors } } }) as FleetFacts
const withoutFlavors = (input: FleetFacts) => withFlavors(input, [])

it('without a trait that names a type, the default applies', () => {
  expect(ruleOf(withoutFlavors(tagged(t4Cloud(), ['CUSTOM_RACK_7', 'HW_NUMA_ROOT'])))).toEqual({
    rule: DEFAULT_TRAIT_RULE,
    isFromCloud: false,
  })
})

it.each([
  [['CUSTOM_T4_4C', 'CUSTOM_RACK_7'], 'CUSTOM_{type}'],
  [['CUSTOM_GRID_T4_4C'], 'CUSTOM_GRID_{type}'],
  [['CUSTOM_NVIDIA_319'], 'CUSTOM_{id}'],
  [['CUSTOM_VGPU_TYPE_T4_4C_PROD'], 'CUSTOM_VGPU_TYPE_{type}_PROD'],
  [['CUSTOM_NVIDIA_T4_4C'], 'CUSTOM_{vendor}_{type}'],
])('%j gives %s', (traits, rule) => {
  expect(ruleOf(withoutFlavors(tagged(t4Cloud(), traits)))).toEqual({ rule, isFromCloud: true })
})

it('a type whose name is a part of another name does not take its place', () => {
  const names = ['4C', 'GRID T4-4C']
  const named = editHosts(tagged(t4Cloud(), ['CUSTOM_PAAS_T4_4C']), (inventory) => ({
    ...inventory,
    vgpuTypes: inventory.vgpuTypes.map((type, index) => ({
      ...type,
      name: names[index] ?? type.name,
    })),
  }))
  expect(ruleOf(withoutFlavors(named)).rule).toBe('CUSTOM_PAAS_{type}')
})

it('a flavor that requires a trait shows the rule before any provider has it', () => {
  const flavor = buildFlavor({
    name: 'gpu',
    extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_PAAS_T4_4C': 'required' },
  })
  expect(ruleOf(withFlavors(tagged(t4Cloud(), []), [flavor]))).toEqual({
    rule: 'CUSTOM_PAAS_{type}',
    isFromCloud: true,
  })
})

it('recognizes every rule by the traits that it creates', () => {
  const affix = fc.stringMatching(/^[A-Z]{1,6}$/)
  const rules = fc
    .tuple(affix, fc.constantFrom('{type}', '{id}'), fc.option(affix, { nil: null }))
    .map(([prefix, part, suffix]) => `CUSTOM_X${prefix}_${part}${suffix === null ? '' : `_${suffix}X`}`)
  const [entry] = joinFleet(a40Cloud()).hosts[0]?.pgpus ?? []
  const type = entry?.pgpu.supportedTypes?.[0]
  if (entry === undefined || type === undefined) throw new Error('the cloud has a card with types')
  fc.assert(
    fc.property(rules, (rule) => {
      const trait = traitOfType(rule, { type, vendorId: entry.pgpu.vendorId })
      expect(ruleOf(withoutFlavors(tagged(a40Cloud(), [trait]))).rule).toBe(rule)
    }),
    { numRuns: 30 },
  )
})
