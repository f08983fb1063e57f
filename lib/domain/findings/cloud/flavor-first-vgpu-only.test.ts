import { expect, it } from 'vitest'
import { a40Cloud, detect, findOne, gapsOf, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-first-vgpu-only'

const asking = (extraSpecs: Record<string, string>, nova: string | null = '2.100', input = t4Cloud()) =>
  withFacts(input, {
    flavors: readPart([buildFlavor({ name: 'two', extraSpecs })]),
    versions: { ...input.facts.versions, nova },
  })
const severityOf = (input: ReturnType<typeof t4Cloud>) =>
  detect(input).findings.find(({ code }) => code === CODE)?.severity ?? null

const TWO = { 'resources1:VGPU': '1', 'resources2:VGPU': '1' }
const UNLIKE = { ...TWO, 'trait1:CUSTOM_T4_4C': 'required', 'trait2:CUSTOM_T4_8C': 'required' }

it('vGPUs of two providers, of which this Nova gives the first', () => {
  const found = findOne(asking({ ...UNLIKE, group_policy: 'none' }), CODE)
  expect(found).toMatchObject({ severity: 'error', subject: { kind: 'flavor', name: 'two' } })
  expect(found.command).toContain('--property resources2:VGPU --property trait2:CUSTOM_T4_8C')
  expect(found.command).not.toContain('resources1')
  expect(severityOf(asking({ ...TWO, group_policy: 'isolate' }))).toBe('error')
  expect(severityOf(asking({ ...TWO, group_policy: 'isolate' }, '2.100', a40Cloud()))).toBe('error')
})

it('is a risk where both may come from one provider', () => {
  expect(severityOf(asking({ ...TWO, group_policy: 'none' }))).toBe('warning')
  expect(severityOf(asking({ 'resources:VGPU': '1', 'resources1:VGPU': '1' }))).toBe('warning')
})

it('is fine from 2026.1 on, for one group, for what is no vGPU, and where no server starts at all', () => {
  expect(severityOf(asking({ ...UNLIKE, group_policy: 'none' }, '2.103'))).toBeNull()
  expect(severityOf(asking({ 'resources:VGPU': '2' }))).toBeNull()
  expect(
    severityOf(asking({ 'resources1:VGPU': '1', 'resources2:CUSTOM_LICENSE': '1', group_policy: 'none' })),
  ).toBeNull()
  expect(severityOf(asking(TWO))).toBeNull()
})

it('is unknown without the release', () => {
  expect(gapsOf(asking({ ...UNLIKE, group_policy: 'none' }, null), CODE)).toEqual([
    "Nova's release could not be read",
  ])
})
