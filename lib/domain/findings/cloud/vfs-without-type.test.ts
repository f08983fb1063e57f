import { expect, it } from 'vitest'
import { detect, editList, findOne, gapsOf } from '@/lib/domain/testing/break-cloud'
import { inventoryOf } from '@/lib/domain/testing/build-cloud'
import { L40S, L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'

const CODE = 'vfs-without-type'

const codesOf = (input: ReturnType<typeof l40sCloud>): string[] =>
  detect(input)
    .findings.map(({ code }) => code)
    .filter((code) => code === CODE || code === 'vgpus-stranded')

it('names the card, the offer, what can be allocated, and the repair', () => {
  expect(findOne(l40sCloud({ typed: 2 }), CODE)).toMatchObject({
    subject: { kind: 'pgpu', address: L40S },
    sentence: 'Placement offers 3 VFs, but only 2 have a vGPU type',
    consequence: `A server that gets ${L40S_VFS[2]} does not start: Nova does not set the type of a VF.`,
    nextStep: expect.stringContaining('Use “Change type” to set L40S-16Q on 1 VF.'),
    command: `echo 1154 > /sys/bus/pci/devices/${L40S_VFS[2]}/nvidia/current_vgpu_type`,
    sourceToCorrect: 'hardware',
  })
})

it('finds a card of which no VF has a type, and takes the type from the resource class', () => {
  expect(findOne(l40sCloud({ typed: 0 }), CODE)).toMatchObject({
    sentence: 'Placement offers 3 VFs, but none has a vGPU type',
    command: `for vf in ${L40S_VFS.join(' ')}; do echo 1154 > /sys/bus/pci/devices/"$vf"/nvidia/current_vgpu_type; done`,
  })
})

it('is the one finding of its cause: the VFs do not count as stranded too', () => {
  expect(codesOf(l40sCloud({ typed: 2 }))).toEqual([CODE])
  expect(codesOf(l40sCloud({ typed: 3 }))).toEqual([])
})

it('is reported in addition to vGPUs that are stranded for another cause, which are counted without its VFs', () => {
  const tight = editList(l40sCloud({ typed: 2 }), 'providers', (provider) =>
    provider.parentUuid === null
      ? { ...provider, inventories: { ...provider.inventories, MEMORY_MB: inventoryOf(65_536, 57_344) } }
      : provider,
  )
  expect(codesOf(tight)).toEqual([CODE, 'vgpus-stranded'])
  expect(findOne(tight, 'vgpus-stranded').sentence).toMatch(
    /^1 free vGPU cannot be scheduled: the host has no CPU/,
  )
})

it('names nova.conf as the source to correct for VFs for which the card has no capacity', () => {
  expect(findOne(l40sCloud({ typed: 2, isFull: true }), CODE)).toMatchObject({
    nextStep:
      'No more vGPUs of L40S-16Q fit on the card: remove 1 VF from [pci] device_spec and restart nova-compute.',
    command: null,
    sourceToCorrect: 'nova.conf',
  })
})

it('goes by device_spec where PCI devices are not in Placement', () => {
  const input = l40sCloud({ typed: 1, listed: L40S_VFS.slice(0, 2), isInPlacement: false })
  expect(findOne(input, CODE).sentence).toBe('device_spec assigns 2 VFs, but only 1 has a vGPU type')
})

it('ignores VFs that are not assigned', () => {
  expect(codesOf(l40sCloud({ typed: 2, listed: L40S_VFS.slice(0, 2) }))).toEqual([])
})

it('is unknown for a VF whose type could not be read', () => {
  expect(gapsOf(l40sCloud({ typed: 2, isUnread: true }), CODE)).toEqual([
    `the vGPU type of ${L40S_VFS[2]} could not be read`,
  ])
})
