import { expect, test } from 'vitest'
import { pgpuOf } from '@/lib/domain/testing/describe'
import { a40Host, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { fillTypes } from './fill-types'

/** The card of the fixture as a full one, on which the driver lists nothing more, with an unpublished type. */
const fullCard = () => {
  const inventory = vendorVfioHost()
  for (const vf of inventory.gpus[0]?.virtualFunctions ?? [])
    vf.vendorVfio = { currentType: (vf.vendorVfio?.currentType ?? 0) > 0 ? 9154 : 0, creatable: [] }
  return pgpuOf(inventory)
}

const stored = (name: string, description: string | null = null) =>
  readTypeFacts({ typeId: 'nvidia-9154', name, description })

test('a full card takes names from what is stored for its model, marked as such', () => {
  const filled = fillTypes(fullCard(), [stored('NVIDIA A40-4Q'), stored('NVIDIA L40S-16Q')])
  expect(filled.currentType?.shortName).toBe('L40S-16Q')
  expect(filled.supportedTypes).toMatchObject([
    { shortName: 'L40S-16Q', framebufferMib: 16_384, isFromStore: true },
  ])
  expect(filled.cells.map((cell) => cell.typeName)).toEqual(['L40S-16Q', 'L40S-16Q'])
})

test('heads and resolution come from a text that has them, numbers from the host', () => {
  const wording = 'num_heads=4, frl_config=60, framebuffer=16384M, max_resolution=7680x4320, max_instance=3'
  const before = fullCard()
  const filled = fillTypes(before, [stored('NVIDIA L40S-16Q'), stored('NVIDIA L40S-16Q', wording)])
  expect(filled.supportedTypes).toMatchObject([
    { heads: 4, maxResolution: '7680x4320', frameRateLimit: 60, isFromStore: true },
  ])
  expect(filled.numbers).toEqual(before.numbers)
  expect(filled.supportedTypes?.[0]?.maxInstance).toBe(before.supportedTypes?.[0]?.maxInstance)
})

test('nothing stored changes nothing, nor does anything on a card whose driver describes its types', () => {
  const card = fullCard()
  expect(fillTypes(card, [])).toEqual(card)
  const a40 = pgpuOf(a40Host())
  expect(
    fillTypes(a40, [readTypeFacts({ typeId: 'nvidia-560', name: 'NVIDIA A40-9Q', description: null })]),
  ).toBe(a40)
})
