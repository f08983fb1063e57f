import { expect, it } from 'vitest'
import { detect, editHosts, gapsOf, sentences } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'

const CODE = 'no-live-migration-target'
const pair = () =>
  buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 4, spare: 0 }], hasDomain: false },
  ])
const withHost = (change: Partial<Inventory['host']>, name = 'cmp-2') =>
  editHosts(pair(), (inventory) =>
    inventory.host.name === name ? { ...inventory, host: { ...inventory.host, ...change } } : inventory,
  )
const found = (change: Partial<Inventory['host']>) =>
  sentences(withHost(change)).filter((text) => text.startsWith(CODE))

it('a full target is none for now, and no finding', () => {
  expect(sentences(pair())).toEqual([])
})

it.each<[Partial<Inventory['host']>]>([
  [{ libvirtVersion: '8.0.0' }],
  [{ qemuVersion: '6.2.0 (Debian 1:6.2)' }],
  [{ kernel: '5.15.0-105-generic' }],
  [{ nvidiaDriverVersion: '535.161.05' }],
])('%j leaves neither of two hosts a target', (change) => {
  expect(found(change)).toHaveLength(2)
})

it('names the end that is in the way', () => {
  const [first] = detect(withHost({ libvirtVersion: '8.0.0' })).findings.filter(({ code }) => code === CODE)
  expect(first?.evidence.map(({ reported }) => reported)).toEqual([
    'cmp-2 has libvirt 8.0.0, but 8.6.0 is required',
  ])
})

it('an unknown version is no finding but a gap', () => {
  const input = withHost({ qemuVersion: null })
  expect(gapsOf(input, CODE)).toContain('cmp-2 has a QEMU of unknown version')
  expect(detect(input).findings).toEqual([])
})
