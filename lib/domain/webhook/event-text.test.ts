import { expect, test } from 'vitest'
import { eventPath, eventText, findingText } from './event-text'

const host = { kind: 'host', host: 'cmp-07' } as const
const pgpu = { kind: 'pgpu', host: 'cmp-07', address: '0000:41:00.0' } as const

test('a finding names its host and its pGPU once, where its sentence does so itself', () => {
  expect(findingText({ subject: host, sentence: 'Its agent has been silent' })).toBe(
    'cmp-07: Its agent has been silent',
  )
  expect(findingText({ subject: host, sentence: 'cmp-07 is silent since 08:00' })).toBe(
    'cmp-07 is silent since 08:00',
  )
  expect(findingText({ subject: host, sentence: 'Servers wait for cmp-07.' })).toBe(
    'Servers wait for cmp-07.',
  )
  expect(findingText({ subject: pgpu, sentence: 'cmp-07: 2 orphaned mdevs' })).toBe(
    '0000:41:00.0: cmp-07: 2 orphaned mdevs',
  )
  expect(findingText({ subject: pgpu, sentence: 'cmp-07 0000:41:00.0: 2 orphaned mdevs' })).toBe(
    'cmp-07 0000:41:00.0: 2 orphaned mdevs',
  )
})

test('another host whose name begins alike is none of it', () => {
  expect(findingText({ subject: host, sentence: 'cmp-071 has the same uuid' })).toBe(
    'cmp-07: cmp-071 has the same uuid',
  )
  expect(findingText({ subject: { kind: 'cloud' }, sentence: 'Nova is away' })).toBe(
    'the cloud: Nova is away',
  )
})

test('a free flavor names who waits for it, by id where there is no name', () => {
  const event = {
    ...{
      event: 'flavor.free' as const,
      at: '2026-11-28T08:00:00Z',
      cloud: 'paris',
      availability: 'few' as const,
    },
    flavor: { id: 'f 1', name: 'vgpu.a40-4q' },
    project: { id: 'p1', name: 'cfd-lab' },
    user: { id: 'u1', name: null },
  }
  expect(eventText(event)).toBe('vgpu.a40-4q is available: u1 in project cfd-lab waits for it')
  expect(eventPath(event)).toBe('/catalog?flavor=f+1')
})
