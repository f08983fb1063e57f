import { expect, test } from 'vitest'
import { flavorOffer } from '@/lib/domain/catalog/flavor-offer'
import { gpuClassesOf } from '@/lib/domain/catalog/project-flavors'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { limitView } from '@/lib/domain/limits/limit-view'
import { neededLimits } from '@/lib/domain/limits/set-up/needed-limits'
import { detect, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, inventoryOf, readPart, rootOf } from '@/lib/domain/testing/build-cloud'

// Ironic's documentation, "Scheduling based on resource classes": VCPU, MEMORY_MB and DISK_GB are 0.
const EMPTY = { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0', 'resources:DISK_GB': '0' }
const bareMetal = buildFlavor({
  name: 'bm.gpu',
  extraSpecs: { 'resources:CUSTOM_BAREMETAL_GPU': '1', ...EMPTY },
})
const retired = buildFlavor({
  name: 'bm.old',
  extraSpecs: { 'resources:CUSTOM_BAREMETAL_OLD': '1', ...EMPTY, 'trait:CUSTOM_RAID': 'required' },
})
const licensed = buildFlavor({ name: 'licensed', extraSpecs: { 'resources:CUSTOM_LICENSE': '1' } })

const cloud = () => {
  const base = t4Cloud()
  const node = rootOf('1be26c0b-03f2-4d2e-ae87-c02d7f33c123', 77, {
    inventories: { CUSTOM_BAREMETAL_GPU: inventoryOf(1, 1) },
    traits: [],
  })
  const other = rootOf('license-host', 78, {
    inventories: {
      VCPU: inventoryOf(8, 0),
      MEMORY_MB: inventoryOf(64_000, 0),
      CUSTOM_LICENSE: inventoryOf(4, 0),
    },
  })
  return withFacts(base, {
    providers: readPart([...(base.facts.providers.value ?? []), node, other]),
    flavors: readPart([...(base.facts.flavors.value ?? []), bareMetal, retired, licensed]),
  })
}

test('flavors of bare metal and of other resources are no GPU flavors', () => {
  const { findings, unverified } = detect(cloud())
  expect(findings.filter(({ sentence }) => /bm\.|licensed|BAREMETAL|LICENSE/.test(sentence))).toEqual([])
  expect(unverified.filter(({ scope }) => JSON.stringify(scope).includes('bm.'))).toEqual([])
})

test('they get no limit of 0, and no entry in the catalog of tenants', () => {
  const fleet = joinFleet(cloud())
  const view = limitView(fleet)
  if (view === null) throw new Error('the cloud has limits')
  const needed = neededLimits(fleet, view).filter(({ resourceName }) =>
    /BAREMETAL|LICENSE/.test(resourceName),
  )
  expect(needed.filter(({ proposed }) => proposed === 0)).toEqual([])
  for (const flavor of [bareMetal, retired, licensed])
    expect(flavorOffer(fleet, flavor, { own: [], others: [] })).toBeNull()
})

test('they are not among the limits of a flavor that also requests a vGPU', () => {
  const flavor = buildFlavor({
    name: 'licensed-vgpu',
    extraSpecs: { ...licensed.extraSpecs, 'resources1:VGPU': '1' },
  })
  expect(gpuClassesOf(joinFleet(cloud()), flavor)).toEqual(['VGPU'])
})

test('a class that nothing offers stays a finding of an ordinary flavor', () => {
  const input = cloud()
  const typo = buildFlavor({ name: 'typo', extraSpecs: { 'resources:CUSTOM_T4_4D': '1' } })
  const codes = detect(withFacts(input, { flavors: readPart([...(input.facts.flavors.value ?? []), typo]) }))
    .findings.filter(({ sentence }) => sentence.includes('CUSTOM_T4_4D'))
    .map(({ code }) => code)
  expect(codes).toContain('flavor-class-without-inventory')
})
