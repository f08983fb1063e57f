import { expect, test } from 'vitest'
import { buildInventory, novaConf } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'
import { offersOf } from '@/lib/domain/testing/offers'

const messagesOf = (...lines: string[]): string[] =>
  sentencesOf(
    buildInventory({
      cards: [{ address: '0000:af:00.0', offers: offersOf('T4') }],
      novaConfig: novaConf(lines.join('\n')),
    }),
    'mdev-group-not-enabled',
  )

const ENABLED = ['[devices]', 'enabled_mdev_types = nvidia-232']
const OF_THE_CARD = 'device_addresses = 0000:af:00.0'
const OF_ANOTHER = 'device_addresses = 0000:3b:00.0'

test('a group whose name is a slip of the pen leaves its card without a type', () => {
  const listed = ['[mdev_nvidia-232]', OF_ANOTHER]
  expect(messagesOf(...ENABLED, ...listed, '[mdev_nvidia33]', OF_THE_CARD)).toEqual([
    'warning: nova.conf has [mdev_nvidia33], but does not enable nvidia33, so 0000:af:00.0 has no type',
  ])
})

test('groups and no list of types at all', () => {
  expect(messagesOf('[vgpu_nvidia-232]', OF_THE_CARD)).toEqual([
    'warning: nova.conf has [vgpu_nvidia-232], but does not enable nvidia-232, so 0000:af:00.0 has no type',
  ])
})

test.each([
  ['another type has the card now', ['[mdev_nvidia-232]', OF_THE_CARD, '[mdev_nvidia-35]', OF_THE_CARD]],
  ['another type is the default of the card', ['[mdev_nvidia-35]', OF_THE_CARD]],
  ['the address is of another host', ['[mdev_nvidia-35]', OF_ANOTHER]],
  ['it has no address', ['[mdev_nvidia-35]', 'max_instances = 4']],
])('what an earlier type left is a note: %s', (_, lines) => {
  expect(messagesOf(...ENABLED, ...lines)).toEqual([
    'info: nova.conf has [mdev_nvidia-35], but does not enable nvidia-35',
  ])
})

test.each([
  ['its type is enabled', [...ENABLED, '[mdev_nvidia-232]', OF_THE_CARD]],
  ['in other letters, as oslo.config compares them', [...ENABLED, '[MDEV_NVIDIA-232]', OF_THE_CARD]],
  ['a group of something else', [...ENABLED, '[pci]', 'alias = {}']],
])('nothing is stated where %s', (_, lines) => {
  expect(messagesOf(...lines)).toEqual([])
})
