import { expect, test } from 'vitest'
import { repairOf } from './repair-of'

const found = (code: string, rest: Partial<Parameters<typeof repairOf>[0]> = {}) =>
  repairOf(
    { code, subject: { kind: 'host', host: 'cmp1' }, state: 'open', blame: null, command: null, ...rest },
    'paris',
  )

test('GPUs without room beside them lead to keeping some, on their host', () => {
  const room = { path: '/changes/new/fence?cloud=paris&host=cmp1', words: 'Keep room for GPUs' }
  expect(found('last-gpu-tight')).toEqual(room)
  expect(found('vgpus-stranded')).toEqual(room)
  expect(found('last-gpu-tight', { state: 'closed' })).toBeNull()
})

test('GPUs that no flavor asks for lead to building one, and a closed service to its command alone', () => {
  expect(found('vgpus-stranded', { blame: 'nova' })?.words).toBe('Build a flavor')
  expect(found('vgpus-stranded', { blame: 'nova', command: 'openstack compute service set' })).toBeNull()
})

test('VFs without a type lead to the plan that gives them theirs', () => {
  const subject = { kind: 'pgpu', host: 'cmp1', address: '0000:e1:00.0' } as const
  expect(found('vfs-without-type', { subject, blame: 'hardware' })).toEqual({
    path: expect.stringContaining('/changes/new/type'),
    words: 'Change type',
  })
})

test('a flavor that lands nowhere, or gets too few vGPUs, leads to a change of it', () => {
  const subject = { kind: 'flavor', id: 'f1', name: 'two' } as const
  for (const code of ['flavor-lands-nowhere', 'flavor-first-vgpu-only'])
    expect(found(code, { subject })?.path).toContain('/changes/new/flavor')
})
