import { describe, expect, it } from 'vitest'
import {
  a40Cloud,
  editGpuProviders,
  editList,
  findOne,
  gapsOf,
  sentences,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { buildFlavor, inventoryOf, readPart, silentPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'

const CODE = 'vgpus-stranded'

it('behind a service that is off or down', () => {
  const off = editList(t4Cloud(), 'services', (service) => ({
    ...service,
    status: 'disabled' as const,
    disabledReason: 'fans',
  }))
  expect(sentences(off)).toEqual([
    `${CODE}: 2 free vGPUs cannot be scheduled: nova-compute is disabled: fans`,
  ])
  const down = editList(t4Cloud(), 'services', (service) => ({ ...service, state: 'down' as const }))
  expect(findOne(down, CODE)).toMatchObject({
    sourceToCorrect: 'nova',
    subject: { kind: 'host', host: 'cmp-1' },
  })
})

it('are not requested by any flavor', () => {
  expect(sentences(withFacts(t4Cloud(), { flavors: readPart([]) }))).toEqual([
    `${CODE}: 2 free vGPUs cannot be scheduled: no flavor requests them`,
  ])
})

it('have no memory left: those beyond what still fits', () => {
  const input = editList(t4Cloud(), 'providers', (provider) =>
    provider.parentUuid === null
      ? { ...provider, inventories: { ...provider.inventories, MEMORY_MB: inventoryOf(65_536, 55_000) } }
      : provider,
  )
  expect(sentences(input)).toEqual([
    `${CODE}: 1 free vGPU cannot be scheduled: the host has no CPU, memory or disk left for them`,
  ])
})

it('is unknown without flavors', () => {
  expect(gapsOf(withFacts(t4Cloud(), { flavors: silentPart() }), CODE)).toHaveLength(1)
})

describe('whose providers lack the trait of their type', () => {
  const COMMAND =
    /^openstack .* trait create CUSTOM_T4_4C && openstack .* trait set --trait CUSTOM_T4_4C \S+$/

  it('is corrected in Placement, since the flavor is right', () => {
    const cards = [{ kind: 'T4' as const, used: 0, spare: 1 }]
    const hosts = buildHealthyCloud([1, 2].map(() => ({ cards, hasDomain: false })))
    const input = editGpuProviders(hosts, (provider) =>
      provider.name.startsWith('cmp-2') ? { ...provider, traits: [] } : provider,
    )
    expect(findOne(input, CODE)).toMatchObject({
      sourceToCorrect: 'placement',
      subject: { kind: 'host', host: 'cmp-2' },
      sentence: expect.stringMatching(
        /^4 free vGPUs .*: 1 resource provider lacks CUSTOM_T4_4C, which vgpu-T4 requires$/,
      ),
      nextStep: 'Add CUSTOM_T4_4C to the resource providers, and let the console manage it.',
      command: expect.stringMatching(COMMAND),
    })
  })

  it('counts every VF', () => {
    const input = editGpuProviders(a40Cloud(), (provider) => ({ ...provider, traits: ['CUSTOM_RACK_7'] }))
    expect(findOne(input, CODE)).toMatchObject({
      sentence: expect.stringMatching(
        /^9 free vGPUs .*: 12 resource providers lack CUSTOM_A40_4Q, which vgpu-A40 requires$/,
      ),
      command: expect.stringContaining('trait set --trait CUSTOM_A40_4Q --trait CUSTOM_RACK_7 '),
    })
  })

  it.each([
    ['requires the trait of another type', { 'trait:CUSTOM_T4_8C': 'required' }],
    ['requires another trait too', { 'trait:CUSTOM_T4_4C': 'required', 'trait:CUSTOM_FAST': 'required' }],
    [
      'forbids a trait that the provider has',
      { 'trait:CUSTOM_T4_4C': 'required', 'trait:CUSTOM_RACK_7': 'forbidden' },
    ],
  ] as [string, Record<string, string>][])('is not the cause where the flavor %s', (_what, specs) => {
    const extraSpecs = { 'resources:VGPU': '1', ...specs }
    const tagged = editGpuProviders(t4Cloud(), (provider) => ({ ...provider, traits: ['CUSTOM_RACK_7'] }))
    const input = withFacts(tagged, { flavors: readPart([buildFlavor({ name: 'odd', extraSpecs })]) })
    expect(findOne(input, CODE)).toMatchObject({ sourceToCorrect: 'nova', command: null })
  })
})
