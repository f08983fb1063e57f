import { expect, it } from 'vitest'
import type { Server } from '@/lib/domain/cloud/types'
import { refusedServer } from './refused-server'

const server = (words: Partial<Server>): Server => ({
  uuid: 'a',
  name: 'render-7',
  projectId: 'p1',
  userId: null,
  status: 'ERROR',
  taskState: null,
  host: null,
  hypervisorHostname: null,
  instanceName: null,
  flavorName: 'vgpu.t4-4q',
  vcpus: 4,
  memoryMib: 4096,
  diskGib: 40,
  extraSpecs: { 'resources:VGPU': '1' },
  fault: 'No valid host was found. There are not enough hosts available.',
  createdAt: '2026-11-20T10:00:00Z',
  ...words,
})

it.each([
  ['No valid host was found. There are not enough hosts available.', 'no-valid-host'],
  ['Resource class:VGPU is over limit of 2 due to current usage 2 and delta 1', 'over-limit'],
  ['Quota exceeded for cores: Requested 4, but already used 20 of 20 cores', 'over-limit'],
  [
    'Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures for instance a.',
    'build-failed',
  ],
])('knows why by Nova’s words: %s', (fault, reason) => {
  expect(refusedServer(server({ fault }))).toEqual({
    uuid: 'a',
    projectId: 'p1',
    flavorName: 'vgpu.t4-4q',
    reason,
    message: fault,
    at: '2026-11-20T10:00:00Z',
  })
})

it('is still reported after the server was deleted, and for a card that a PCI alias assigns', () => {
  expect(refusedServer(server({ status: 'DELETED' }))?.reason).toBe('no-valid-host')
  const byAlias = server({ extraSpecs: { 'pci_passthrough:alias': 'k40c:1' } })
  expect(refusedServer(byAlias)?.reason).toBe('no-valid-host')
})

it.each([
  ['one that came to a host', { host: 'cmp1' }],
  ['one that was made', { status: 'ACTIVE', fault: null }],
  ['one that requests no GPU', { extraSpecs: { 'hw:cpu_policy': 'dedicated' } }],
  ['one that failed for something else', { fault: 'Image 42 could not be found.' }],
  ['one that was deleted while it ran', { status: 'DELETED', fault: null }],
])('does not count %s', (_what, words) => {
  expect(refusedServer(server(words))).toBeNull()
})
