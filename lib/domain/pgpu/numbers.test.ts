import { describe, expect, it } from 'vitest'
import { buildGuest, buildInventory, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { pgpuOf, valuesOf } from '@/lib/domain/testing/describe'
import { a40Host, k40cHost, sriovCard, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { offersOf, vfOf } from '@/lib/domain/testing/offers'
import type { Inventory } from '@/lib/schemas/agent/inventory'

const T4 = '0000:e7:00.0'

/** A T4 with three T4-4C (of 4) while nova.conf names `configured`; the first `held` belong to guests. */
const t4With4C = (configured: string, held: number, rest: Partial<Inventory> = {}): Inventory => {
  const mdevs = [1, 2, 3].map((n) => buildMdev({ uuid: uuidOf(n), parent: T4, typeId: 'nvidia-319' }))
  return buildInventory({
    cards: [{ address: T4, offers: offersOf('T4', ({ name }) => (/-4[ACQ]$/.test(name) ? 1 : 0)) }],
    mdevs,
    guests: mdevs
      .slice(0, held)
      .map((mdev, n) => buildGuest({ uuid: uuidOf(100 + n), name: `i-${n}`, mdevs: [mdev.uuid] })),
    novaConfig: novaConf(`[devices]\nenabled_mdev_types = ${configured}`),
    ...rest,
  })
}

describe('spare and orphan', () => {
  it('an unattached mdev of the configured type is spare', () => {
    expect(valuesOf(pgpuOf(t4With4C('nvidia-319', 1)))).toEqual({
      capacity: 4,
      used: 1,
      spare: 2,
      orphan: 0,
      returning: 0,
      creatable: 1,
    })
  })

  it('of another type it is an orphan and keeps the card on its type', () => {
    const card = pgpuOf(t4With4C('nvidia-320', 0))
    expect(card.currentType?.shortName).toBe('T4-4C')
    expect(valuesOf(card)).toEqual({
      capacity: 4,
      used: 0,
      spare: 0,
      orphan: 3,
      returning: 0,
      creatable: 1,
    })
    expect(card.supportedTypes?.find((type) => type.shortName === 'T4-8C')).toMatchObject({
      creatable: 0,
      limitReason: 'locked to 4 GiB types by 3 existing vGPUs',
    })
  })

  it('of the same size but another type it is an orphan too', () => {
    expect(pgpuOf(t4With4C('nvidia-232', 0)).numbers.orphan.value).toBe(3)
  })

  it('with no type configured at all it is an orphan', () => {
    expect(pgpuOf(t4With4C('', 0)).numbers.orphan.value).toBe(3)
  })

  it('is decided by the type of the very VF that carries it', () => {
    const inventory = a40Host(
      `[devices]\nenabled_mdev_types = nvidia-560,nvidia-596\n[mdev_nvidia-596]\ndevice_addresses = ${vfOf('0000:41:00.0', 2)}`,
    )
    expect(valuesOf(pgpuOf(inventory))).toMatchObject({ used: 2, spare: 0, orphan: 1 })
  })

  it('a shut-off guest keeps its vGPU', () => {
    const inventory = t4With4C('nvidia-319', 0, {
      guests: [buildGuest({ uuid: uuidOf(9), name: 'off', state: 'shutoff', mdevs: [uuidOf(1)] })],
    })
    expect(valuesOf(pgpuOf(inventory))).toMatchObject({ used: 1, spare: 2 })
  })

  it('an mdev that two guests name is used once, by the one that runs', () => {
    const guests = (['shutoff', 'running'] as const).map((state, n) =>
      buildGuest({ uuid: uuidOf(50 + n), name: state, state, mdevs: [uuidOf(1)] }),
    )
    expect(pgpuOf(t4With4C('nvidia-319', 0, { guests })).cells[0]?.occupant?.guestName).toBe('running')
    expect(valuesOf(pgpuOf(t4With4C('nvidia-319', 0, { guests })))).toMatchObject({ used: 1, spare: 2 })
  })
})

describe('returning', () => {
  it('counts autostart definitions that are not active, and not the manual ones', () => {
    const definition = (n: number, start: 'auto' | 'manual') =>
      buildMdev({
        uuid: uuidOf(n),
        parent: T4,
        isActive: false,
        definition: { typeId: 'nvidia-319', start, path: `/etc/mdevctl.d/${T4}/${uuidOf(n)}` },
      })
    const inventory = t4With4C('nvidia-319', 1, {
      mdevs: [definition(1, 'auto'), definition(2, 'manual'), definition(3, 'auto')],
    })
    expect(valuesOf(pgpuOf(inventory))).toMatchObject({ used: 0, spare: 0, returning: 2 })
    expect(pgpuOf(inventory).cells.some((cell) => cell.kind === 'used')).toBe(false)
  })

  it('is unknown when a definition of this card could not be read, and known for the other cards', () => {
    const problem = (parent: string) => ({
      problems: [{ source: `/etc/mdevctl.d/${parent}/x`, code: 'malformed' as const, message: 'not JSON' }],
    })
    expect(pgpuOf(t4With4C('nvidia-319', 1, problem(T4))).numbers.returning).toEqual({
      value: null,
      reason: `/etc/mdevctl.d/${T4}/x could not be read`,
    })
    expect(pgpuOf(t4With4C('nvidia-319', 1, problem('0000:18:00.0'))).numbers.returning.value).toBe(0)
    const inContainer = {
      source: '/var/lib/docker/overlay2/abc/diff/etc/mdevctl.d',
      code: 'permission' as const,
      message: 'may not be read',
    }
    const hidden = pgpuOf(t4With4C('nvidia-319', 1, { problems: [inContainer] }))
    expect(hidden.numbers.returning.reason).toBe(`${inContainer.source} could not be read`)
    const gone = { source: `/etc/mdevctl.d/${T4}/x`, code: 'vanished' as const, message: 'gone' }
    expect(pgpuOf(t4With4C('nvidia-319', 1, { problems: [gone] })).numbers.returning.value).toBe(0)
  })
})

describe('unknown', () => {
  it('guests that could not be read make used, spare and orphan unknown, never 0', () => {
    const card = pgpuOf(t4With4C('nvidia-319', 1, { guests: null }))
    const unread = { value: null, reason: 'the guests could not be read' }
    expect(card.numbers).toMatchObject({ used: unread, spare: unread, orphan: unread })
    expect(valuesOf(card)).toMatchObject({ capacity: 4, creatable: 1 })
    expect(card.cells.map((cell) => cell.kind)).toEqual(['unknown', 'unknown', 'unknown', 'free'])
  })

  it('holds for an empty card and a passed-through one as well', () => {
    const empty = pgpuOf({ ...t4SeedHost(), guests: null }, '0000:18:00.0')
    expect(empty.numbers.used.value).toBeNull()
    const whole = pgpuOf({ ...k40cHost(), guests: null })
    expect(valuesOf(whole)).toMatchObject({ capacity: 1, used: null, creatable: null })
    expect(whole.cells.map((cell) => cell.kind)).toEqual(['unknown'])
  })

  it('one unread guest definition blurs only cards with an unattached vGPU', () => {
    const problems = [
      { source: '/etc/libvirt/qemu/instance-0000000c.xml', code: 'malformed' as const, message: 'half' },
    ]
    expect(pgpuOf(t4With4C('nvidia-319', 1, { problems })).numbers.used).toEqual({
      value: null,
      reason: 'not every guest definition could be read',
    })
    expect(valuesOf(pgpuOf(t4With4C('nvidia-319', 3, { problems })))).toMatchObject({
      used: 3,
      spare: 0,
      orphan: 0,
    })
  })

  it('a guest file that vanished, or whose guest is known from its other file, is no gap', () => {
    const problems = [
      { source: '/run/libvirt/qemu/gone.xml', code: 'vanished' as const, message: 'gone' },
      { source: '/run/libvirt/qemu/i-0.xml', code: 'permission' as const, message: 'no' },
    ]
    expect(pgpuOf(t4With4C('nvidia-319', 1, { problems })).numbers.used.value).toBe(1)
  })

  it('no folder of shut-off guests is a gap', () => {
    const problems = [
      {
        source: '/var/lib/docker/volumes/nova_libvirt_qemu/_data, /etc/libvirt/qemu',
        code: 'incomplete' as const,
        message: 'none',
      },
    ]
    expect(pgpuOf(t4With4C('nvidia-319', 1, { problems })).numbers.spare.value).toBeNull()
  })

  it('an mdev without a readable type is neither spare nor orphan, and used is still known', () => {
    const inventory = t4With4C('nvidia-319', 1)
    const mdevs = inventory.mdevs?.map((mdev, n) => (n === 2 ? { ...mdev, typeId: null } : mdev)) ?? null
    const card = pgpuOf({ ...inventory, mdevs })
    expect(card.numbers).toMatchObject({
      used: { value: 1 },
      spare: { value: null, reason: 'an mdev has no readable type' },
      orphan: { value: null, reason: 'an mdev has no readable type' },
    })
    expect(card.cells.map((cell) => cell.kind)).toEqual(['used', 'spare', 'unknown', 'free'])
  })

  it('without nova.conf spare and orphan are unknown as soon as something is unattached', () => {
    expect(pgpuOf(t4With4C('nvidia-319', 1, { novaConfig: null })).numbers.spare).toEqual({
      value: null,
      reason: 'nova.conf could not be read',
    })
    expect(pgpuOf(t4With4C('nvidia-319', 3, { novaConfig: null })).numbers.spare.value).toBe(0)
  })

  it('an unreadable drop-in of nova.conf counts like no nova.conf', () => {
    const problems = [
      { source: '/etc/nova/nova.conf.d', code: 'permission' as const, message: 'may not be read' },
    ]
    expect(pgpuOf(t4With4C('nvidia-320', 1, { problems })).numbers.orphan).toEqual({
      value: null,
      reason: '/etc/nova/nova.conf.d could not be read',
    })
  })

  it('so does any unreadable file that nova-compute is started with', () => {
    const inventory = t4With4C('nvidia-320', 1, {
      novaConfig: {
        ...novaConf('[devices]\nenabled_mdev_types = nvidia-320'),
        files: ['/srv/compute.ini', '/etc/nova/nova.conf'],
      },
      problems: [{ source: '/srv/compute.ini', code: 'permission', message: '' }],
    })
    expect(pgpuOf(inventory).numbers.orphan.reason).toBe('/srv/compute.ini could not be read')
  })

  it('one VF that offers a MIG-backed type is one more vGPU, two are at least one', () => {
    const offering = (count: number) =>
      pgpuOf(
        buildInventory({
          cards: [
            {
              address: '0000:21:00.0',
              functions: [0, 1, 2].map((n) => ({
                address: vfOf('0000:21:00.0', n),
                offers: offersOf('A100', ({ typeId }) => (typeId === 'nvidia-474' && n < count ? 1 : 0)),
              })),
            },
          ],
          novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-474'),
        }),
      ).numbers.creatable.value
    expect([offering(0), offering(1), offering(2)]).toEqual([0, 1, null])
  })

  it('an SR-IOV card that takes no more vGPUs has no known capacity when the driver gives no maximum', () => {
    const address = '0000:21:00.0'
    const functions = [0, 1, 2].map((n) => ({
      address: vfOf(address, n),
      offers: [{ typeId: 'nvidia-999', name: null, description: null, available: 0 }],
    }))
    const { numbers } = pgpuOf(
      buildInventory({
        cards: [{ address, functions }],
        mdevs: [buildMdev({ uuid: uuidOf(1), parent: vfOf(address, 0), typeId: 'nvidia-999' })],
        novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-999'),
      }),
    )
    expect([numbers.spare.value, numbers.creatable.value]).toEqual([1, 0])
    expect(numbers.capacity).toEqual({ value: null, reason: expect.stringContaining('driver') })
  })

  it('mdevs that could not be read leave only what the driver reports', () => {
    const card = pgpuOf(t4With4C('nvidia-319', 1, { mdevs: null }))
    expect(valuesOf(card)).toEqual({
      capacity: 4,
      used: null,
      spare: null,
      orphan: null,
      returning: null,
      creatable: 1,
    })
    expect(card.cells.map((cell) => cell.kind)).toEqual(['unknown', 'unknown', 'unknown', 'free'])
  })

  it('available_instances that could not be read makes creatable unknown', () => {
    const inventory = buildInventory({
      cards: [{ address: T4, offers: offersOf('T4', () => null) }],
      novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-319'),
    })
    expect(pgpuOf(inventory).numbers).toMatchObject({
      capacity: { value: 4 },
      creatable: { value: null, reason: 'available_instances could not be read' },
    })
  })

  it('a VF whose type could not be read makes a vendor-VFIO card uncountable', () => {
    const inventory = vendorVfioHost()
    const [vf] = inventory.gpus[0]?.virtualFunctions ?? []
    if (vf?.vendorVfio != null) vf.vendorVfio.currentType = null
    expect(pgpuOf(inventory).numbers.used).toEqual({
      value: null,
      reason: 'the vGPU type of 0000:c8:00.4 could not be read',
    })
  })
})

describe('the reason for no capacity', () => {
  const reasonOf = (rest: Partial<Inventory>): string | null =>
    pgpuOf({ ...buildInventory({ cards: [{ address: T4, offers: offersOf('T4') }] }), ...rest }).numbers
      .capacity.reason

  it.each([
    [{}, 'no vGPU type is set'],
    [{ novaConfig: null }, 'nova.conf could not be read'],
    [{ mdevs: null }, 'the mdevs could not be read'],
    [{ mdevs: [buildMdev({ uuid: uuidOf(1), parent: T4 })] }, 'its mdevs have no readable type'],
    [
      { novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-35') },
      'nova.conf names nvidia-35, which this card does not offer',
    ],
    [
      { problems: [{ source: '/etc/nova/nova.conf.d', code: 'permission', message: '' }] },
      '/etc/nova/nova.conf.d could not be read',
    ],
  ] satisfies [Partial<Inventory>, string][])('%j → %s', (rest, reason) => {
    expect(reasonOf(rest)).toBe(reason)
  })
})

describe('places that can not be filled now', () => {
  it('are locked: a driver that offers none while the card is not full', () => {
    const mdev = buildMdev({ uuid: uuidOf(1), parent: T4, typeId: 'nvidia-319' })
    const inventory = buildInventory({
      cards: [{ address: T4, offers: offersOf('T4', () => 0) }],
      mdevs: [mdev],
      guests: [buildGuest({ uuid: uuidOf(2), name: 'i-1', mdevs: [mdev.uuid] })],
      novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-319'),
    })
    const card = pgpuOf(inventory)
    expect(card.cells.map((cell) => cell.kind)).toEqual(['used', 'locked', 'locked', 'locked'])
    expect(card.supportedTypes?.find((type) => type.shortName === 'T4-4C')?.limitReason).toBe(
      'the driver currently offers none; it can report 0 while a vGPU starts',
    )
    expect(card.supportedTypes?.find((type) => type.shortName === 'T4-4Q')?.limitReason).toBe(
      'locked by 1 existing T4-4C',
    )
  })

  it('an SR-IOV card whose VFs are all in use is reported', () => {
    const address = '0000:41:00.0'
    const mdevs = [0, 1].map((n) =>
      buildMdev({ uuid: uuidOf(n + 1), parent: vfOf(address, n), typeId: 'nvidia-560' }),
    )
    const inventory = buildInventory({
      cards: [sriovCard({ address, model: 'A40', functions: 2, made: 2, available: () => 0 })],
      mdevs,
      novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-560'),
    })
    const reasons = pgpuOf(inventory).supportedTypes ?? []
    expect(reasons.find((type) => type.shortName === 'A40-4Q')?.limitReason).toBe(
      'all virtual functions are in use',
    )
  })

  it('an SR-IOV card with fewer VFs than fit is reported', () => {
    const inventory = buildInventory({
      cards: [
        sriovCard({ address: '0000:41:00.0', model: 'A40', functions: 8, made: 0, available: () => 1 }),
      ],
      novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-560'),
    })
    expect(valuesOf(pgpuOf(inventory))).toMatchObject({ capacity: 12, creatable: 8 })
    expect(pgpuOf(inventory).supportedTypes?.find((type) => type.shortName === 'A40-4Q')?.limitReason).toBe(
      'only 8 virtual functions are free',
    )
  })
})

describe('several sizes on one card', () => {
  it('do not add up to a capacity by VFs, so that it is unknown', () => {
    const mdevs = ['nvidia-560', 'nvidia-560', 'nvidia-562'].map((typeId, n) =>
      buildMdev({ uuid: uuidOf(n + 1), parent: vfOf('0000:41:00.0', n), typeId }),
    )
    const inventory = { ...a40Host(), mdevs, guests: [] }
    const card = pgpuOf(inventory)
    expect(card.currentType?.shortName).toBe('A40-4Q')
    expect(card.numbers.creatable.value).toBeNull()
    expect(card.numbers.capacity).toEqual({
      value: null,
      reason: 'several sizes share the card, and the driver does not report how many more fit',
    })
    expect(card.numbers.spare.value).toBe(2)
    expect(card.numbers.orphan.value).toBe(1)
  })
})
