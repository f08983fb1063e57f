import { expect, test } from 'vitest'
import { editGpuProviders, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { reuseUnchanged } from './reuse-unchanged'

test('what did not change since the round before is the same object', async () => {
  const before = t4Cloud()
  const same = await reuseUnchanged(before.facts, structuredClone(before.facts))
  expect(same.providers.value).toBe(before.facts.providers.value)
  expect(same.servers.value).toBe(before.facts.servers.value)

  const edited = editGpuProviders(before, (provider) => ({ ...provider, traits: [] }))
  const after = await reuseUnchanged(before.facts, structuredClone(edited.facts))
  expect(after).toEqual(edited.facts)
  expect(after.servers.value).toBe(before.facts.servers.value)
  const reused = (after.providers.value ?? []).map(
    (provider, index) => provider === before.facts.providers.value?.[index],
  )
  expect(new Set(reused)).toEqual(new Set([true, false]))
})

test('times and errors are those of the round', async () => {
  const { facts } = t4Cloud()
  const at = '2026-12-01T00:00:00.000Z'
  const later = { ...facts, services: { ...facts.services, at } } as typeof facts
  expect((await reuseUnchanged(facts, structuredClone(later))).services.at).toBe(at)
  expect(await reuseUnchanged(null, facts)).toBe(facts)
})
