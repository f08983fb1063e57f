import { expect, it } from 'vitest'
import type { RebootServer } from '@/lib/schemas/api/reboot'
import { countFate, rebootOrder, releaseText } from './reboot-labels'

const server = (guestName: string, fate: RebootServer['fate']): RebootServer => ({
  guestUuid: guestName,
  guestName,
  serverName: null,
  projectName: null,
  pgpuAddresses: [],
  mdevUuids: [],
  canMigrate: false,
  fate,
  because: '',
  advice: null,
  command: null,
  isRestarted: null,
})

it('servers that will not start come first, then names in natural order', () => {
  const servers = [
    server('web-10', 'returns'),
    server('web-2', 'returns'),
    server('a', 'unknown'),
    server('z', 'lost'),
  ]
  expect(rebootOrder(servers).map(({ guestName }) => guestName)).toEqual(['z', 'a', 'web-2', 'web-10'])
  expect(countFate({ servers }, 'returns')).toBe(2)
})

it.each([
  ['2.93', 'Nova Zed (compute API 2.93)'],
  ['2.96', 'Nova 2024.1 or 2024.2 (compute API 2.96)'],
  ['2.103', 'Nova 2026.1 (compute API 2.103)'],
  ['2.101', 'Nova between 2025.2 and 2026.1 (compute API 2.101)'],
  ['2.105', 'Nova newer than 2026.2 (compute API 2.105)'],
  ['2.90', 'Nova Xena or Yoga (compute API 2.90)'],
  ['2.88', 'Nova older than Xena (compute API 2.88)'],
  [null, null],
])('compute API %s is %s', (novaVersion, words) => {
  expect(releaseText({ novaVersion, computeVersion: null })).toBe(words)
  expect(releaseText({ novaVersion, computeVersion: '30.1.0' })).toBe('nova-compute 30.1.0')
})
