import { expect, test } from 'vitest'
import { buildInventory, buildMdev, uuidOf } from '@/lib/domain/testing/build-inventory'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'

const BASE = buildInventory({ cards: [] })

const parsed = (edit: (inventory: Inventory) => void): Inventory => {
  const inventory = structuredClone(BASE)
  edit(inventory)
  return inventorySchema.parse(inventory)
}

test('a control character or a mark of direction of any sender becomes U+FFFD', () => {
  const { host, problems } = parsed((inventory) => {
    inventory.host.osName = 'Debian\u001b[2J\u202e\nEND'
    inventory.problems = [{ source: '/etc/x\0', code: 'malformed', message: 'a\u2028b' }]
  })
  expect(host.osName).toBe('Debian\ufffd[2J\ufffd\ufffdEND')
  expect(problems).toEqual([{ source: '/etc/x\ufffd', code: 'malformed', message: 'a\ufffdb' }])
})

test('a value of nova.conf stays as it is, in several lines or malformed: findings judge it', () => {
  const option = { section: 'devices', name: 'enabled_mdev_types', file: '/etc/nova/nova.conf', line: 1 }
  const { novaConfig } = parsed((inventory) => {
    inventory.novaConfig = {
      deployment: 'package',
      files: ['/etc/nova/nova.conf'],
      options: [{ ...option, value: 'nvidia-222,\nnvidia 223; x' }],
    }
  })
  expect(novaConfig?.options[0]?.value).toBe('nvidia-222,\nnvidia 223; x')
})

test('what names a device or a type has its form, or the report is refused with the member', () => {
  const mdev = buildMdev({ uuid: uuidOf(1), parent: '0000:18:00.0' })
  expect(() =>
    parsed((inventory) => {
      inventory.mdevs = [{ ...mdev, parent: '../cron.d' }]
    }),
  ).toThrow(/parent/)
  expect(() =>
    parsed((inventory) => {
      inventory.vgpuTypes = [{ typeId: 'x\nEND', name: null, description: null, deviceApi: null }]
    }),
  ).toThrow(/typeId/)
})
