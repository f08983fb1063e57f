import { describe, expect, it } from 'vitest'
import type { Pgpu, PgpuNumbers } from '@/lib/domain/pgpu/types'
import {
  a40Host,
  a100SlidesHost,
  gvtgHost,
  k40cHost,
  migHost,
  mttyHost,
  novaDocumentHost,
  t4SeedHost,
  vendorVfioHost,
} from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { describeHost } from './describe-host'

const valuesOf = (numbers: PgpuNumbers) =>
  Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, number.value]))

const pgpuAt = (inventory: Inventory, address: string): Pgpu => {
  const pgpu = describeHost(inventory).pgpus.find((candidate) => candidate.address === address)
  if (pgpu === undefined) throw new Error(`no pGPU at ${address}`)
  return pgpu
}

const kindsOf = (pgpu: Pgpu): string => pgpu.cells.map((cell) => cell.kind[0]).join('')

describe('the T4 host of the first seed', () => {
  const host = describeHost(t4SeedHost())

  it('has eight pGPUs of one model with 17 types each', () => {
    expect(host.pgpus.map((pgpu) => pgpu.address)).toEqual([
      '0000:18:00.0',
      '0000:19:00.0',
      '0000:35:00.0',
      '0000:36:00.0',
      '0000:e7:00.0',
      '0000:e8:00.0',
      '0000:f4:00.0',
      '0000:f5:00.0',
    ])
    expect(new Set(host.pgpus.map((pgpu) => pgpu.model))).toEqual(new Set(['NVIDIA Tesla T4']))
    expect(host.pgpus.every((pgpu) => pgpu.supportedTypes?.length === 17)).toBe(true)
  })

  it('shows the T4-16C of instance-00000004 as the only used vGPU', () => {
    const card = pgpuAt(t4SeedHost(), '0000:f4:00.0')
    expect(valuesOf(card.numbers)).toEqual({
      capacity: 1,
      used: 1,
      spare: 0,
      orphan: 0,
      returning: 0,
      creatable: 0,
    })
    expect(card.currentType).toMatchObject({ typeId: 'nvidia-321', shortName: 'T4-16C', maxInstance: 1 })
    expect(card.cells).toMatchObject([
      { kind: 'used', typeName: 'T4-16C', occupant: { guestName: 'instance-00000004' } },
    ])
    expect(host.guests).toMatchObject([{ pgpuAddresses: ['0000:f4:00.0'] }])
  })

  it('takes the configured type of an empty card as its current type', () => {
    const card = pgpuAt(t4SeedHost(), '0000:18:00.0')
    expect(card.configuredType).toEqual({ typeId: 'nvidia-321', source: '/etc/nova/nova.conf:2' })
    expect(valuesOf(card.numbers)).toMatchObject({ capacity: 1, used: 0, creatable: 1 })
    expect(card.framebufferMib).toBe(16127)
  })

  it('states why other types cannot be created on the card in use', () => {
    const types = pgpuAt(t4SeedHost(), '0000:f4:00.0').supportedTypes ?? []
    const reason = (shortName: string) => types.find((type) => type.shortName === shortName)?.limitReason
    expect(reason('T4-4Q')).toBe('locked by 1 existing T4-16C')
    expect(reason('T4-16C')).toBe('full')
    expect(reason('T4-16Q')).toBe('full')
  })
})

describe("the pGPUs of Nova's document", () => {
  it('get their type by address, with a group of the old name too', () => {
    const configured = describeHost(novaDocumentHost()).pgpus.map(
      (pgpu) => pgpu.configuredType?.typeId ?? null,
    )
    expect(configured).toEqual(['nvidia-35', 'nvidia-35', 'nvidia-36', null])
  })

  it('take made plus available as capacity when the driver describes nothing', () => {
    expect(valuesOf(pgpuAt(novaDocumentHost(), '0000:84:00.0').numbers)).toMatchObject({
      capacity: 16,
      used: 0,
      creatable: 16,
    })
  })

  it('have no capacity without a type, with the reason', () => {
    const { numbers, currentType, cells } = pgpuAt(novaDocumentHost(), '0000:87:00.0')
    expect(currentType).toBeNull()
    expect(numbers.capacity).toEqual({ value: null, reason: 'no vGPU type is set' })
    expect(numbers.used.value).toBe(0)
    expect(cells).toEqual([])
  })
})

describe('SR-IOV cards', () => {
  it('hold what the card holds, not one per VF: the A100 of the slides is full with 10 on 16 VFs', () => {
    const card = pgpuAt(a100SlidesHost(), '0000:41:00.0')
    expect(card.framework).toBe('mdev-sriov')
    expect(valuesOf(card.numbers)).toEqual({
      capacity: 10,
      used: 9,
      spare: 1,
      orphan: 0,
      returning: 0,
      creatable: 0,
    })
    expect(kindsOf(card)).toBe('uuuuuuuuus')
    expect(card.supportedTypes?.find((type) => type.shortName === 'A100-4C')?.limitReason).toBe('full')
  })

  it('bound the creatable vGPUs by what the card leaves: 9 more on 29 free VFs of an A40', () => {
    const card = pgpuAt(a40Host(), '0000:41:00.0')
    expect(valuesOf(card.numbers)).toEqual({
      capacity: 12,
      used: 2,
      spare: 1,
      orphan: 0,
      returning: 0,
      creatable: 9,
    })
    expect(kindsOf(card)).toBe('uusfffffffff')
  })

  it('keep types of the same size creatable and lock the others', () => {
    const types = pgpuAt(a40Host(), '0000:41:00.0').supportedTypes ?? []
    const shown = Object.fromEntries(
      types.map((type) => [type.shortName, [type.creatable, type.limitReason]]),
    )
    expect(shown).toMatchObject({
      'A40-4Q': [9, '3 vGPUs use the other 3'],
      'A40-4A': [9, '3 vGPUs use the other 3'],
      'A40-4C': [9, '3 vGPUs use the other 3'],
      'A40-8Q': [0, 'locked to 4 GiB types by 3 existing vGPUs'],
      'A40-48Q': [0, 'locked to 4 GiB types by 3 existing vGPUs'],
    })
  })
})

describe('vendor-specific VFIO', () => {
  const card = pgpuAt(vendorVfioHost(), '0000:c8:00.0')

  it('counts VFs with a type: one of a guest, one spare, and one more by the published maximum', () => {
    expect(card.framework).toBe('vendor-vfio')
    expect(valuesOf(card.numbers)).toEqual({
      capacity: 3,
      used: 1,
      spare: 1,
      orphan: 0,
      returning: 0,
      creatable: 1,
    })
    expect(kindsOf(card)).toBe('usf')
  })

  it('states the source of the capacity', () => {
    expect(card.rawFacts).toContainEqual({
      label: 'L40S-16Q maximum on one GPU',
      value: '3',
      source:
        'published table, not this host: github.com/NVIDIA/vgpu-device-manager acb7270, examples (2026-08-20)',
    })
  })

  it('is full when no VF offers the type, regardless of the table', () => {
    const inventory = vendorVfioHost()
    for (const vf of inventory.gpus[0]?.virtualFunctions ?? []) {
      if (vf.vendorVfio !== null) vf.vendorVfio.creatable = ['ID    : vGPU Name']
    }
    const full = pgpuAt(inventory, '0000:c8:00.0')
    expect(full.currentType).toMatchObject({ typeId: 'nvidia-1154', name: null, shortName: 'L40S-16Q' })
    expect(valuesOf(full.numbers)).toMatchObject({ capacity: 2, used: 1, spare: 1, creatable: 0 })
  })

  it('takes the name of a running type from nvidia-smi when the card is full', () => {
    const inventory = vendorVfioHost()
    for (const vf of inventory.gpus[0]?.virtualFunctions ?? []) {
      if (vf.vendorVfio !== null) vf.vendorVfio.creatable = []
    }
    inventory.nvidiaSmi = {
      driverVersion: '550.90.05',
      gpus: [
        {
          address: '0000:c8:00.0',
          name: 'NVIDIA L40S',
          uuid: null,
          framebufferMib: 46068,
          migMode: null,
          heterogeneousMode: null,
          vgpus: [
            {
              vgpuId: '3251634191',
              guestUuid: '00000000-0000-4000-8000-0000000000c8',
              guestName: 'i-1',
              typeName: 'NVIDIA L40S-16Q',
              mdevUuid: null,
              licenseStatus: 'Licensed',
            },
          ],
        },
      ],
    }
    expect(pgpuAt(inventory, '0000:c8:00.0').currentType).toMatchObject({
      shortName: 'L40S-16Q',
      maxInstance: 3,
    })
  })
})

describe('other parents', () => {
  it('Intel GVT-g: sizes of several lines add up, capacity is made plus available', () => {
    const card = pgpuAt(gvtgHost(), '0000:00:02.0')
    expect(card.model).toBe('Intel UHD Graphics 630')
    expect(card.currentType).toMatchObject({
      shortName: 'GVTg_V5_4',
      framebufferMib: 640,
      maxResolution: '1920x1200',
    })
    expect(valuesOf(card.numbers)).toMatchObject({ capacity: 2, used: 1, creatable: 1 })
  })

  it("the kernel's mtty: a parent without PCI ids and types without description", () => {
    const card = pgpuAt(mttyHost(), 'mtty')
    expect(card).toMatchObject({ framework: 'mdev', model: 'mtty', vendorId: null })
    expect(valuesOf(card.numbers)).toMatchObject({ capacity: 12, used: 1, creatable: 11 })
  })

  it('a Tesla K40c on vfio-pci is assigned whole, and console graphics is no pGPU', () => {
    const host = describeHost(k40cHost())
    expect(host.pgpus).toHaveLength(1)
    expect(host.pgpus[0]).toMatchObject({
      model: 'NVIDIA Tesla K40c',
      framework: 'passthrough',
      currentType: null,
    })
    expect(host.pgpus[0]?.cells).toMatchObject([
      { kind: 'used', address: '0000:86:00.0', occupant: { guestName: 'instance-00000ee0' } },
    ])
  })

  it('MIG: several instance sizes share the card, and the free number is unknown if it is not reported', () => {
    const card = pgpuAt(migHost(), '0000:21:00.0')
    expect(card.isMigBacked).toBe(true)
    expect(card.numbers.used.value).toBe(4)
    expect(card.numbers.orphan.value).toBe(0)
    expect(card.numbers.creatable).toEqual({
      value: null,
      reason: 'the driver does not report how many GPU instances are free',
    })
    const types = card.supportedTypes ?? []
    expect(types.find((type) => type.shortName === 'A100-4C')?.limitReason).toBe('MIG mode is on')
    expect(types.find((type) => type.shortName === 'A100-3-20C')?.limitReason).toBe(
      'no free GPU instance of its size',
    )
  })
})

describe('MIG with its GPU instances reported', () => {
  const cutInto = (...profiles: string[]) => {
    const { nvidiaSmi, ...rest } = migHost()
    const gpuInstances = profiles.map((profile, id) => ({ id, profile }))
    const gpus = nvidiaSmi?.gpus.map((gpu) => ({ ...gpu, gpuInstances })) ?? []
    return pgpuAt({ ...rest, nvidiaSmi: { driverVersion: null, gpus } }, '0000:21:00.0')
  }
  const ones = (number: number) => Array<string>(number).fill('1g.5gb')

  it('as many can be made as instances of the profile are free, never more than the VFs or the card take', () => {
    expect(cutInto(...ones(5), '3g.20gb').numbers.creatable).toEqual({ value: 2, reason: null })
    expect(cutInto(...ones(4), '1g.5gb+me', '3g.20gb').numbers.creatable.value).toBe(1)
    expect(cutInto(...ones(40), '3g.20gb').numbers.creatable.value).toBe(4)
    const type = cutInto(...ones(5), '3g.20gb').supportedTypes?.find(
      ({ shortName }) => shortName === 'A100-1-5C',
    )
    expect(type?.limitReason).toBe('only 2 GPU instances of its size are free')
  })

  it('is unknown when the driver offers one that no profile reports', () => {
    expect(cutInto('3g.20gb', '4g.20gb').numbers.creatable).toEqual({
      value: null,
      reason: 'its GPU instances cannot be identified by their profiles',
    })
  })
})

describe('definitions of mdevs', () => {
  const inContainer = { source: '/etc/mdevctl.d', code: 'incomplete' as const, message: 'in a container' }
  const definedOn = (problems: Inventory['problems']) => {
    const inventory = t4SeedHost()
    return describeHost({ ...inventory, problems }).mdevs?.map(({ isDefined }) => isDefined)
  }

  it('are none where the folder was read, and unknown where it was not', () => {
    expect(definedOn([])).toEqual([false])
    expect(definedOn([inContainer])).toEqual([null])
  })
})
