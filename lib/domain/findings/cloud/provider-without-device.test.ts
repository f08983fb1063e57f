import { expect, it } from 'vitest'
import {
  a40Cloud,
  editGpuProviders,
  editHosts,
  editNovaConf,
  findOne,
  gapsOf,
  sentences,
  t4Cloud,
} from '@/lib/domain/testing/break-cloud'
import { inventoryOf } from '@/lib/domain/testing/build-cloud'

const CODE = 'provider-without-device'
const gone = () => editHosts(t4Cloud(), (inventory) => ({ ...inventory, gpus: [], mdevs: [], guests: [] }))

it('a card that was taken out or moved', () => {
  const finding = findOne(gone(), CODE)
  expect(finding).toMatchObject({
    severity: 'error',
    sourceToCorrect: 'placement',
    subject: { kind: 'provider', host: 'cmp-1', name: 'cmp-1_pci_0000_20_00_0' },
    sentence: '1 provider in Placement without a device: the host has no 0000:20:00.0',
  })
  expect(finding.command).toMatch(/ && openstack resource provider delete [0-9a-f-]{36}$/)
})

it('VFs that are off are one finding, not twelve', () => {
  const input = editHosts(a40Cloud(), (inventory) => ({
    ...inventory,
    gpus: inventory.gpus.map((gpu) => ({ ...gpu, virtualFunctions: [] })),
    mdevs: [],
    guests: [],
  }))
  expect(findOne(input, CODE)).toMatchObject({
    sourceToCorrect: 'hardware',
    command: null,
    sentence: expect.stringMatching(/^12 providers in Placement without a device/),
  })
})

it('a type that nova.conf no longer gives, and one that the card does not offer', () => {
  expect(findOne(editNovaConf(t4Cloud(), ''), CODE).sentence).toBe(
    '1 provider in Placement without a device: nova.conf assigns no vGPU type to the card',
  )
  const unsupported = editNovaConf(t4Cloud(), '[devices]\nenabled_mdev_types = nvidia-35')
  expect(findOne(unsupported, CODE)).toMatchObject({
    sourceToCorrect: 'nova.conf',
    command: null,
    sentence: expect.stringContaining('the card does not offer nvidia-35'),
  })
})

it('a card without its driver: the finding does not suggest to delete what comes back with it', () => {
  const input = editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    gpus: inventory.gpus.map((gpu) => ({ ...gpu, driver: null, mdevTypes: null })),
    mdevs: [],
  }))
  expect(findOne(input, CODE)).toMatchObject({
    sourceToCorrect: 'hardware',
    command: null,
    nextStep: expect.stringContaining('Do not delete the provider'),
  })
  expect(findOne(input, 'card-without-framework').sourceToCorrect).toBe('hardware')
  expect(sentences(input).filter((text) => text.startsWith('address-'))).toEqual([])
})

it('is unknown where the devices could not be read', () => {
  const input = editHosts(gone(), (inventory) => ({
    ...inventory,
    problems: [{ source: '/sys/bus/pci/devices', code: 'permission', message: '' }],
  }))
  expect(gapsOf(input, CODE)).toEqual(['/sys/bus/pci/devices could not be read'])
  expect(sentences(input).filter((text) => text.startsWith(CODE))).toEqual([])
})

it('a network card in Placement is none of ours', () => {
  const input = editGpuProviders(gone(), (provider) => ({
    ...provider,
    name: 'cmp-1_0000:99:00.0',
    inventories: { CUSTOM_PCI_8086_1563: inventoryOf(1, 0) },
  }))
  expect(sentences(input).filter((text) => text.startsWith(CODE))).toEqual([])
})
