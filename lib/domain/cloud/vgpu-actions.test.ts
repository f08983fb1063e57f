import { describe, expect, it, test } from 'vitest'
import { minimumProblems } from './minimum-versions'
import {
  olderComputeReason,
  VGPU_ACTION_NAMES,
  type VgpuActionState,
  vgpuAction,
  vgpuActionSentence,
} from './vgpu-actions'

const [W, F, U, L]: VgpuActionState[] = ['supported', 'fails', 'unknown', 'limited']

/** Compute API versions of Nova 25 (and 24), 26, 27 (and 28), 29 (and 30), 31 (and 32), 33 and 34. */
const VERSIONS = ['2.90', '2.93', '2.95', '2.96', '2.100', '2.103', '2.104']

test.each([
  ['suspend', [U, W, W, W, W, W, W]],
  ['move', [W, W, W, W, W, W, W]],
  ['rescue', [W, W, W, W, W, W, W]],
  ['liveMigration', [F, F, F, W, W, W, W]],
  ['vfioLiveMigration', [F, F, F, F, W, W, W]],
  ['multiCreate', [L, L, L, L, L, L, L]],
  ['severalVgpus', [F, F, F, F, F, W, W]],
  ['persistentMdevs', [F, F, F, U, W, W, W]],
] as const)('%s by release', (name, states) => {
  expect(VERSIONS.map((nova) => vgpuAction(name, { nova }).state)).toEqual(states)
})

test('older releases lack what the table names', () => {
  expect(vgpuAction('move', { nova: '2.79' }).state).toBe('fails')
  expect(vgpuAction('rescue', { nova: '2.60' }).state).toBe('fails')
  expect(vgpuAction('suspend', { nova: '2.88' }).state).toBe('fails')
})

describe('the sentence', () => {
  it('names the release that is needed, what happens otherwise and what to do', () => {
    expect(vgpuActionSentence('liveMigration', { nova: '2.93' })).toBe(
      'Live migration with mdevs: Nova 29 (2024.1) or newer is required. nova-api runs Nova 26. The guest XML is not updated with the mdev of the destination. Use cold migration.',
    )
  })

  it('limits support to hosts with a new nova-compute while an older one may run', () => {
    const sentence = (nova: string) => vgpuActionSentence('severalVgpus', { nova })
    expect(sentence('2.103')).toContain('On a host with an older nova-compute, this is not supported.')
    expect(vgpuActionSentence('suspend', { nova: '2.93' })).toContain('On a host with an older nova-compute')
    expect(vgpuActionSentence('suspend', { nova: '2.95' })).not.toContain('older nova-compute')
    expect(vgpuActionSentence('liveMigration', { nova: '2.100' })).not.toContain('older nova-compute')
  })

  it('names the minimum versions of the hosts', () => {
    expect(vgpuActionSentence('liveMigration', { nova: '2.100' })).toContain(
      'libvirt 8.6.0, QEMU 8.1.0 and kernel 5.18',
    )
    expect(vgpuActionSentence('persistentMdevs', { nova: '2.104' })).toContain('libvirt 7.3')
  })

  it('gives the reason when support is unknown', () => {
    expect(vgpuActionSentence('persistentMdevs', { nova: '2.96' })).toBe(
      'Persistent mdevs: Nova 30 (2024.2) or newer is required. nova-api runs Nova 29 or 30, which have the same API version, so support is unknown.',
    )
    const unread = VGPU_ACTION_NAMES.map((name) =>
      vgpuAction(name, { nova: null }, 'The cloud has not been read yet'),
    )
    expect(unread.filter(({ state }) => state === 'unknown')).toHaveLength(VGPU_ACTION_NAMES.length - 1)
    expect(unread[0]?.sentence).toBe(
      'Suspend and resume: Nova 25 (Yoga) or newer is required. The cloud has not been read yet, so support is unknown.',
    )
  })
})

test('every action cites a source and links to it', () => {
  for (const { source, link, title } of VGPU_ACTION_NAMES.map((name) => vgpuAction(name, { nova: '2.96' }))) {
    expect(source, title).toMatch(/release note|nova\/|nova [0-9a-f]{10}|doc\/source/)
    expect(link, title).toMatch(/^https:\/\/(docs\.openstack\.org|bugs\.launchpad\.net)\//)
  }
})

test('minimum versions of a host, with the kernel of Red Hat', () => {
  const host = { libvirtVersion: '8.0.0', qemuVersion: null, kernel: '5.14.0-427.el9_4.x86_64' }
  expect(minimumProblems('mdevLiveMigration', host)).toEqual([
    { because: 'has libvirt 8.0.0, but 8.6.0 is required', isUnknown: false },
    { because: 'has a QEMU of unknown version', isUnknown: true },
  ])
  expect(minimumProblems('persistentMdevs', host)).toEqual([])
})

describe('the release that each nova-compute reports', () => {
  const release = (number: number) => ({ min: number, max: number })
  const action = (nova: string, ...computes: (number | null)[]) =>
    vgpuAction('persistentMdevs', {
      nova,
      computes: computes.map((number) => (number === null ? null : release(number))),
    })

  it('decides where releases share an API version', () => {
    expect(action('2.96', 30, 30).state).toBe('supported')
    expect(action('2.96', 29, 30)).toMatchObject({
      state: 'supported',
      sentence: expect.stringContaining('On a host with an older nova-compute, this is not supported.'),
    })
    expect(action('2.96', 29).state).toBe('fails')
    expect(action('2.96', 30, null).state).toBe('unknown')
    expect(action('2.96').state).toBe('unknown')
  })

  it('replaces the doubt about older ones', () => {
    expect(action('2.100', 31, 31).sentence).not.toContain('older nova-compute')
    expect(action('2.100', 31, null).sentence).toContain('Check the version of nova-compute there.')
    expect(action('2.100', 29, 31).sentence).not.toContain('Check the version')
    expect(action('2.100', 29, 29)).toMatchObject({
      state: 'fails',
      sentence: expect.stringContaining(
        'nova-api runs Nova 31 or 32, and each nova-compute an older release.',
      ),
    })
  })

  it('is the reason on a host', () => {
    expect(olderComputeReason('persistentMdevs', release(29))).toBe(
      'runs Nova 29, Nova 30 (2024.2) or newer is required',
    )
    expect(olderComputeReason('persistentMdevs', release(30))).toBeNull()
    expect(olderComputeReason('persistentMdevs', null)).toBeNull()
    expect(olderComputeReason('multiCreate', release(26))).toBeNull()
  })
})
