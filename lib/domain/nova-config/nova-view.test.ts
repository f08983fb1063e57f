import { expect, test } from 'vitest'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { assignedType, assignTypes } from './assign-types'
import { readMdevConfig } from './mdev-config'
import { novaRange } from './nova-releases'
import { effectiveMdev } from './nova-view'

const read = (text: string, microversion: string | null) => {
  const { mdev, ignored } = effectiveMdev(readMdevConfig(novaConf(text)), novaRange(microversion))
  const assignment = assignTypes(mdev)
  const typeAt = (address: string) => assignedType(assignment, address)?.typeId ?? null
  const classOf = (typeId: string) => mdev.types.find((type) => type.typeId === typeId)?.mdevClass ?? 'VGPU'
  return { mdev, ignored, typeAt, classOf }
}

const SINGLE = `[devices]
enabled_mdev_types = nvidia-560
[mdev_nvidia-560]
device_addresses = 0000:20:00.4
mdev_class = CUSTOM_A40
max_instances = 12`

const OPEN_FIRST = `[devices]
enabled_mdev_types = nvidia-319, nvidia-320
[mdev_nvidia-320]
device_addresses = 0000:21:00.0`

// nova/virt/libvirt/driver.py _get_supported_vgpu_types of 26.2 (Zed) and stable/2024.1.
test.each(['2.90', '2.93', '2.95'])(
  'Nova %s: one enabled type is that of every card, with the class VGPU',
  (nova) => {
    const { typeAt, classOf, mdev, ignored } = read(SINGLE, nova)
    expect(typeAt('0000:20:00.5')).toBe('nvidia-560')
    expect(classOf('nvidia-560')).toBe('VGPU')
    expect(mdev.types[0]?.maxInstances).toBeNull()
    expect(ignored).toMatchObject([{ options: ['device_addresses', 'mdev_class', 'max_instances'] }])
  },
)

test.each(['2.96', '2.103', null])('Nova %s: one enabled type is for its addresses alone', (nova) => {
  const { typeAt, classOf, mdev, ignored } = read(SINGLE, nova)
  expect(typeAt('0000:20:00.5')).toBeNull()
  expect(typeAt('0000:20:00.4')).toBe('nvidia-560')
  expect(classOf('nvidia-560')).toBe('CUSTOM_A40')
  expect(mdev.types[0]?.maxInstances).toBe(12)
  expect(ignored).toEqual([])
})

test('until Nova 28 a type without addresses leaves the first type, on every card', () => {
  const old = read(OPEN_FIRST, '2.95')
  expect([old.typeAt('0000:20:00.0'), old.typeAt('0000:21:00.0')]).toEqual(['nvidia-319', 'nvidia-319'])
  expect(old.ignored).toMatchObject([{ typeId: 'nvidia-320', options: ['type'] }])
  const now = read(OPEN_FIRST, '2.96')
  expect([now.typeAt('0000:20:00.0'), now.typeAt('0000:21:00.0')]).toEqual(['nvidia-319', 'nvidia-320'])
})

test('until Nova 28 several types with addresses are taken as they are, without max_instances', () => {
  const text = `${SINGLE}\n[devices]\nenabled_mdev_types = nvidia-560,nvidia-561\n[mdev_nvidia-561]\ndevice_addresses = 0000:20:00.5`
  const { typeAt, classOf, ignored } = read(text, '2.95')
  expect([typeAt('0000:20:00.4'), typeAt('0000:20:00.5'), typeAt('0000:20:00.6')]).toEqual([
    'nvidia-560',
    'nvidia-561',
    null,
  ])
  expect(classOf('nvidia-560')).toBe('CUSTOM_A40')
  expect(ignored).toMatchObject([{ typeId: 'nvidia-560', options: ['max_instances'] }])
})

test('until Nova 28 an address listed twice before the type without addresses keeps nova-compute from starting', () => {
  const text = `[devices]\nenabled_mdev_types = a, b, c\n[mdev_a]\ndevice_addresses = 0000:21:00.0\n[mdev_b]\ndevice_addresses = 0000:21:00.0`
  const { mdev } = read(text, '2.95')
  expect(assignTypes(mdev).duplicates).toHaveLength(1)
})
