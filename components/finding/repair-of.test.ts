import { expect, test } from 'vitest'
import { repairOf, silentRefusalOf } from './repair-of'

const found = (code: string, rest: Partial<Parameters<typeof repairOf>[0]> = {}) =>
  repairOf(
    {
      code,
      subject: { kind: 'host', host: 'cmp1' },
      state: 'open',
      sourceToCorrect: null,
      command: null,
      ...rest,
    },
    'paris',
  )

test('GPUs on a host without headroom lead to a capacity reservation on that host', () => {
  const reservation = {
    path: '/changes/new/fence?cloud=paris&host=cmp1',
    words: 'Reserve capacity',
  }
  expect(found('last-gpu-tight')).toEqual(reservation)
  expect(found('vgpus-stranded')).toEqual(reservation)
  expect(found('last-gpu-tight', { state: 'closed' })).toBeNull()
})

test('GPUs that no flavor requests lead to a new flavor, and a disabled service only to its command', () => {
  expect(found('vgpus-stranded', { sourceToCorrect: 'nova' })?.words).toBe('Create flavor')
  expect(
    found('vgpus-stranded', { sourceToCorrect: 'nova', command: 'openstack compute service set' }),
  ).toBeNull()
})

test('VFs without a type lead to the plan that gives them theirs', () => {
  const subject = { kind: 'pgpu', host: 'cmp1', address: '0000:e1:00.0' } as const
  expect(found('vfs-without-type', { subject, sourceToCorrect: 'hardware' })).toEqual({
    path: expect.stringContaining('/changes/new/type'),
    words: 'Change type',
  })
})

test('a flavor that lands nowhere, or gets too few vGPUs, leads to a change of it', () => {
  const subject = { kind: 'flavor', id: 'f1', name: 'two' } as const
  for (const code of ['flavor-lands-nowhere', 'flavor-first-vgpu-only'])
    expect(found(code, { subject })?.path).toContain('/changes/new/flavor')
})

test('what needs the agent of a silent host is refused with the reason, and nothing else is', () => {
  const silent = new Set(['cmp-1'])
  const refused = 'The agent of cmp-1 is silent. Start it, and plan again when it reports.'
  const onHost = (host: string) => ({ kind: 'pgpu' as const, host, address: '0000:41:00.0' })
  expect(silentRefusalOf({ subject: onHost('cmp-1') }, silent)).toBe(refused)
  expect(silentRefusalOf({ subject: { kind: 'host', host: 'cmp-1' } }, silent)).toBe(refused)
  expect(silentRefusalOf({ subject: onHost('cmp-2') }, silent)).toBeNull()
  expect(silentRefusalOf({ subject: { kind: 'flavor', id: 'f', name: 'gpu' } }, silent)).toBeNull()
})
