import { expect, it } from 'vitest'
import { editList, findOne, gapsOf, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { inventoryOf, silentPart, spoken } from '@/lib/domain/testing/build-cloud'

const CODE = 'vgpus-stranded'

it('behind a service that is off or down', () => {
  const off = editList(t4Cloud(), 'services', (service) => ({
    ...service,
    status: 'disabled' as const,
    disabledReason: 'fans',
  }))
  expect(sentences(off)).toEqual([`${CODE}: 2 free vGPUs are out of reach: nova-compute is disabled: fans`])
  const down = editList(t4Cloud(), 'services', (service) => ({ ...service, state: 'down' as const }))
  expect(findOne(down, CODE)).toMatchObject({ blame: 'nova', subject: { kind: 'host', host: 'cmp-1' } })
})

it('that no flavor asks for', () => {
  expect(sentences(withFacts(t4Cloud(), { flavors: spoken([]) }))).toEqual([
    `${CODE}: 2 free vGPUs are out of reach: no flavor asks for them`,
  ])
})

it('beside which no memory is left: those beyond what still fits', () => {
  const input = editList(t4Cloud(), 'providers', (provider) =>
    provider.parentUuid === null
      ? { ...provider, inventories: { ...provider.inventories, MEMORY_MB: inventoryOf(65_536, 55_000) } }
      : provider,
  )
  expect(sentences(input)).toEqual([
    `${CODE}: 1 free vGPU is out of reach: the host has no CPU, memory or disk left beside them`,
  ])
})

it('can not be told without flavors', () => {
  expect(gapsOf(withFacts(t4Cloud(), { flavors: silentPart() }), CODE)).toHaveLength(1)
})
