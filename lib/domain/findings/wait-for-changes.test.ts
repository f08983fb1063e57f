import { expect, it } from 'vitest'
import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { detect, editGpuProviders, editList, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { inventoryOf } from '@/lib/domain/testing/build-cloud'
import { waitForChanges } from './wait-for-changes'

const CARD = { host: 'cmp-1', address: '0000:20:00.0' }
const codesWith = (
  input: Parameters<typeof detect>[0],
  holds: { host: string; address: string }[],
  isOpen: (key: string) => boolean = () => false,
) => waitForChanges({ findings: detect(input).findings, holds, isOpen }).map(({ code }) => code)

const oldTotal = () =>
  editGpuProviders(t4Cloud(), (provider) => ({ ...provider, inventories: { VGPU: inventoryOf(8, 2) } }))

// Fault row C13: a change's own steps opened findings against the console.
it('what a change writes on its pGPU is no finding while the change is active', () => {
  expect(codesWith(oldTotal(), [])).toContain('placement-total-old')
  expect(codesWith(oldTotal(), [CARD])).not.toContain('placement-total-old')
})

it('a change elsewhere delays nothing', () => {
  expect(codesWith(oldTotal(), [{ ...CARD, address: '0000:21:00.0' }])).toContain('placement-total-old')
  expect(codesWith(oldTotal(), [{ ...CARD, host: 'cmp-2' }])).toContain('placement-total-old')
})

it('a finding that is open already stays', () => {
  expect(codesWith(oldTotal(), [CARD], () => true)).toContain('placement-total-old')
})

it('a host that the change disabled has no stranded vGPUs, but a dead nova-compute is found', () => {
  const disabled = editList(t4Cloud(), 'services', (service) => ({ ...service, status: 'disabled' as const }))
  expect(codesWith(disabled, [])).toContain('vgpus-stranded')
  expect(codesWith(disabled, [CARD])).toEqual([])
  const down = editList(t4Cloud(), 'services', (service) => ({ ...service, state: 'down' as const }))
  expect(codesWith(down, [CARD])).toEqual(['nova-compute-down'])
})

it.each(['gpu-lost', 'driver-warning', 'guests-outside-libvirt'])('%s is not caused by a change', (code) => {
  expect(HOST_FINDINGS).toHaveProperty(code)
  const found = detect(oldTotal()).findings.find((finding) => finding.code === 'placement-total-old')
  if (found === undefined) throw new Error('nothing is found')
  const finding = { ...found, code, key: `${code} of the card` }
  expect(waitForChanges({ findings: [finding], holds: [CARD], isOpen: () => false })).toEqual([finding])
})
