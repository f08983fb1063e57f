import { describe, expect, it } from 'vitest'
import {
  autostart,
  buildGuest,
  buildInventory,
  buildMdev,
  novaConf,
  uuidOf,
} from '@/lib/domain/testing/build-inventory'
import { findingsOf, pgpuOf, sentencesOf } from '@/lib/domain/testing/describe'
import { a40Host, t4SeedHost } from '@/lib/domain/testing/fixtures'
import { offersOf, vfOf } from '@/lib/domain/testing/offers'
import type { Inventory } from '@/lib/schemas/agent/inventory'

const T4 = '0000:e7:00.0'

/** A T4 that holds `typeIds`, one mdev each; those of `held` belong to guests. */
const t4With = (
  typeIds: string[],
  {
    held = [],
    configured = 'nvidia-320',
    ...rest
  }: Partial<Inventory> & { held?: number[]; configured?: string },
): Inventory => {
  const mdevs = typeIds.map((typeId, n) => buildMdev({ uuid: uuidOf(n + 1), parent: T4, typeId }))
  return buildInventory({
    cards: [{ address: T4, offers: offersOf('T4', ({ name }) => (/-4[ACQ]$/.test(name) ? 1 : 0)) }],
    mdevs,
    guests: held.map((n) =>
      buildGuest({ uuid: uuidOf(100 + n), name: `instance-${n}`, mdevs: [uuidOf(n + 1)] }),
    ),
    novaConfig: novaConf(`[devices]\nenabled_mdev_types = ${configured}`),
    ...rest,
  })
}

describe('mixed-types', () => {
  it('are named once each, in one order regardless of the ids of the vGPUs', () => {
    expect(sentencesOf(t4With(['nvidia-320', 'nvidia-319', 'nvidia-320'], {}), 'mixed-types')).toEqual([
      'info: the card has vGPUs of T4-4C and T4-8C',
    ])
  })

  it('are none where all are of one', () => {
    expect(sentencesOf(t4With(['nvidia-320', 'nvidia-320'], {}), 'mixed-types')).toEqual([])
    expect(sentencesOf(t4With([], {}), 'mixed-types')).toEqual([])
  })
})

describe('orphan-mdevs', () => {
  it('states the type to which they lock the card', () => {
    const inventory = t4With(['nvidia-319', 'nvidia-319', 'nvidia-319'], {})
    expect(sentencesOf(inventory, 'orphan-mdevs')).toEqual([
      'warning: 3 orphaned mdevs lock the GPU to T4-4C',
    ])
    expect(pgpuOf(inventory).findings[0]?.detail).toContain('nodedev-undefine')
  })

  it('of the configured size only use capacity', () => {
    expect(sentencesOf(t4With(['nvidia-319'], { configured: 'nvidia-232' }), 'orphan-mdevs')).toEqual([
      'warning: 1 orphaned mdev of T4-4C uses capacity',
    ])
  })

  it('are not claimed while a guest definition or nova.conf is unread', () => {
    const problems = [{ source: '/etc/libvirt/qemu/x.xml', code: 'malformed' as const, message: '' }]
    expect(sentencesOf(t4With(['nvidia-319'], { problems }), 'orphan-mdevs')).toEqual([])
    expect(sentencesOf(t4With(['nvidia-319'], { novaConfig: null }), 'orphan-mdevs')).toEqual([])
  })
})

describe('used-type-not-configured', () => {
  it('names who keeps the card on the old type', () => {
    const inventory = t4With(['nvidia-319', 'nvidia-319'], { held: [0, 1] })
    expect(sentencesOf(inventory, 'used-type-not-configured')).toEqual([
      'warning: 2 vGPUs in use are T4-4C, nova.conf names T4-8C',
    ])
    expect(pgpuOf(inventory).findings[0]?.detail).toContain('instance-0 and instance-1')
  })

  it('is silent while a drop-in of nova.conf is unread', () => {
    const problems = [{ source: '/etc/nova/nova.conf.d', code: 'permission' as const, message: '' }]
    expect(sentencesOf(t4With(['nvidia-319'], { held: [0], problems }), 'used-type-not-configured')).toEqual(
      [],
    )
  })

  it('is silent when the type is the configured one', () => {
    const inventory = t4With(['nvidia-319'], { held: [0], configured: 'nvidia-319' })
    expect(sentencesOf(inventory, 'used-type-not-configured')).toEqual([])
  })
})

describe('returning-mdevs', () => {
  const withDefinition = (typeId: string): Inventory => {
    const definition = autostart({ uuid: uuidOf(7), parent: T4, typeId })
    return t4With([], {
      mdevs: [buildMdev({ uuid: uuidOf(7), parent: T4, isActive: false, definition })],
    })
  }

  it('warns when they come back with a type that nova.conf does not name', () => {
    expect(sentencesOf(withDefinition('nvidia-319'), 'returning-mdevs')).toEqual([
      'warning: 1 mdev of T4-4C is recreated at boot',
    ])
  })

  it('only informs when the type is the configured one', () => {
    expect(sentencesOf(withDefinition('nvidia-320'), 'returning-mdevs')).toEqual([
      'info: 1 defined mdev is recreated at boot',
    ])
  })
})

describe('guests and mdevs that do not fit together', () => {
  it('a guest that names an mdev that does not exist', () => {
    const guests = [buildGuest({ uuid: uuidOf(9), name: 'lost', state: 'shutoff', mdevs: [uuidOf(77)] })]
    expect(sentencesOf(t4With([], { guests }), 'guest-names-missing-mdev')).toEqual([
      'error: lost names an mdev that does not exist',
    ])
  })

  it('no finding when the mdevs were not read, or that very one vanished', () => {
    const guests = [buildGuest({ uuid: uuidOf(9), name: 'lost', mdevs: [uuidOf(77)] })]
    expect(sentencesOf(t4With([], { guests, mdevs: null }), 'guest-names-missing-mdev')).toEqual([])
    const problems = [
      { source: `/sys/bus/mdev/devices/${uuidOf(77)}`, code: 'dangling' as const, message: '' },
    ]
    expect(sentencesOf(t4With([], { guests, problems }), 'guest-names-missing-mdev')).toEqual([])
  })

  it('no finding when a folder of mdevs could not be listed', () => {
    const guests = [buildGuest({ uuid: uuidOf(9), name: 'lost', mdevs: [uuidOf(77)] })]
    const problems = [{ source: '/etc/mdevctl.d', code: 'permission' as const, message: '' }]
    expect(sentencesOf(t4With([], { guests, problems }), 'guest-names-missing-mdev')).toEqual([])
  })

  it('no finding when the mdev is defined', () => {
    const guests = [buildGuest({ uuid: uuidOf(9), name: 'off', state: 'shutoff', mdevs: [uuidOf(7)] })]
    const definition = autostart({ uuid: uuidOf(7), parent: T4, typeId: 'nvidia-320' })
    const mdevs = [buildMdev({ uuid: uuidOf(7), parent: T4, isActive: false, definition })]
    expect(sentencesOf(t4With([], { guests, mdevs }), 'guest-names-missing-mdev')).toEqual([])
  })

  it('a stopped guest whose mdev is defined and not active', () => {
    const find = ({ isActive = false, isRunning = false, unread = '' } = {}) => {
      const state = isRunning ? 'running' : 'shutoff'
      const guests = [buildGuest({ uuid: uuidOf(9), name: 'off', state, mdevs: [uuidOf(7)] })]
      const definition = autostart({ uuid: uuidOf(7), parent: T4, typeId: 'nvidia-320' })
      const mdevs = [buildMdev({ uuid: uuidOf(7), parent: T4, isActive, definition })]
      const problems = unread === '' ? [] : [{ source: unread, code: 'permission' as const, message: '' }]
      return sentencesOf(t4With([], { guests, mdevs, problems }), 'guest-mdev-inactive')
    }
    expect(find()).toEqual(['error: off has an mdev that is not active'])
    expect(find({ isActive: true })).toEqual([])
    expect(find({ isRunning: true })).toEqual([])
    expect(find({ unread: '/sys/bus/mdev/devices' })).toEqual([])
    expect(find({ unread: `/sys/bus/mdev/devices/${uuidOf(7)}` })).toEqual([])
  })

  it('an mdev that two guests name', () => {
    const guests = ['a', 'b'].map((name, n) => buildGuest({ uuid: uuidOf(50 + n), name, mdevs: [uuidOf(1)] }))
    const inventory = t4With(['nvidia-320'], { guests })
    expect(sentencesOf(inventory, 'mdev-in-two-guests')).toEqual(['error: a and b name the same mdev'])
    expect(pgpuOf(inventory).findings.map((finding) => finding.code)).toContain('mdev-in-two-guests')
  })

  it('an mdev without a readable type', () => {
    const mdevs = [buildMdev({ uuid: uuidOf(1), parent: T4 })]
    expect(sentencesOf(t4With([], { mdevs }), 'mdev-without-type')).toEqual([
      'warning: 1 mdev without a readable type',
    ])
  })
})

describe('SR-IOV', () => {
  const text = (rest: string) => `[devices]\nenabled_mdev_types = nvidia-560\n[mdev_nvidia-560]\n${rest}`

  it('without max_instances Nova offers one vGPU per free VF', () => {
    expect(sentencesOf(a40Host(), 'sriov-over-promise')).toEqual([
      'warning: Nova offers 32 vGPUs, but 12 fit',
    ])
    const problems = [{ source: '/etc/nova/nova.conf.d', code: 'permission' as const, message: '' }]
    expect(sentencesOf({ ...a40Host(), problems }, 'sriov-over-promise')).toEqual([])
  })

  // A100 with GPU instances of several profiles, one vGPU type each (StackHPC's role vgpu).
  it('types of a MIG card are compared one by one', () => {
    const PF = '0000:21:00.0'
    const card = (listed: string) =>
      buildInventory({
        cards: [
          {
            address: PF,
            deviceId: '20b0',
            functions: [0, 1, 2, 3].map((n) => ({
              address: vfOf(PF, n),
              offers: offersOf('A100').map((offer) => ({
                ...offer,
                available: n > 0 && offer.typeId === 'nvidia-474' ? 1 : 0,
              })),
            })),
          },
        ],
        mdevs: [buildMdev({ uuid: uuidOf(1), parent: vfOf(PF, 0), typeId: 'nvidia-476' })],
        nvidiaSmi: {
          driverVersion: '535.161.05',
          gpus: [
            {
              address: PF,
              name: null,
              uuid: null,
              framebufferMib: 40_536,
              migMode: 'enabled',
              gpuInstances: [
                { id: 1, profile: '3g.20gb' },
                { id: 9, profile: '1g.5gb' },
                { id: 10, profile: '1g.5gb' },
              ],
              heterogeneousMode: null,
              vgpus: [],
            },
          ],
        },
        novaConfig: novaConf(
          `[devices]\nenabled_mdev_types = nvidia-474,nvidia-476\n[mdev_nvidia-476]\ndevice_addresses = ${vfOf(PF, 0)}\n[mdev_nvidia-474]\ndevice_addresses = ${listed}`,
        ),
      })
    const listed = (...indexes: number[]) => indexes.map((n) => vfOf(PF, n)).join(',')
    expect(sentencesOf(card(listed(1, 2)), 'sriov-over-promise')).toEqual([])
    expect(sentencesOf(card(listed(1, 2, 3)), 'sriov-over-promise')).toEqual([
      'warning: Nova offers 3 vGPUs, but at most 2 fit',
    ])
  })

  it('max_instances of what fits is fine', () => {
    const findings = findingsOf(a40Host(text('max_instances = 12')))
    expect(findings.filter((finding) => /max-instances|over-promise/.test(finding.code))).toEqual([])
  })

  it('listing as many VFs as fit is fine without max_instances', () => {
    const listed = Array.from({ length: 12 }, (_, n) => vfOf('0000:41:00.0', n)).join(',')
    const findings = findingsOf(a40Host(text(`device_addresses = ${listed}`)))
    expect(findings).toEqual([])
  })

  it('max_instances below and above what fits', () => {
    expect(sentencesOf(a40Host(text('max_instances = 8')), 'max-instances-too-low')).toEqual([
      'warning: max_instances 8 of nvidia-560 is below the 12 that fit',
    ])
    expect(sentencesOf(a40Host(text('max_instances = 24')), 'max-instances-too-high')).toEqual([
      'warning: max_instances 24 of nvidia-560 is above the 12 that fit',
    ])
  })

  it('fewer VFs listed than vGPUs fit', () => {
    const listed = Array.from({ length: 8 }, (_, n) => vfOf('0000:41:00.0', n)).join(',')
    expect(sentencesOf(a40Host(text(`device_addresses = ${listed}`)), 'too-few-vfs-listed')).toEqual([
      'warning: nova.conf lists 8 VFs of the card, but 12 vGPUs would fit',
    ])
  })

  it('max_instances above what fits offers nothing when no more VFs are listed than fit', () => {
    const listed = Array.from({ length: 12 }, (_, n) => vfOf('0000:41:00.0', n)).join(',')
    expect(findingsOf(a40Host(text(`device_addresses = ${listed}\nmax_instances = 24`)))).toEqual([])
  })

  it('too few VFs are no matter while the card is held by vGPUs of another type', () => {
    const few = `[devices]\nenabled_mdev_types = nvidia-562\n[mdev_nvidia-562]\ndevice_addresses = ${vfOf('0000:41:00.0', 9)}`
    expect(sentencesOf(a40Host(few), 'too-few-vfs-listed')).toEqual([])
    expect(sentencesOf(a40Host(few), 'orphan-mdevs')).toEqual([
      'warning: 1 orphaned mdev locks the GPU to A40-4Q',
    ])
  })

  it('the PF listed instead of the VFs', () => {
    const inventory = a40Host(text('device_addresses = 0000:41:00.0'))
    expect(sentencesOf(inventory, 'address-not-a-parent')).toEqual([
      'warning: nova.conf assigns nvidia-560 to 0000:41:00.0, but no vGPU can be created there',
    ])
    expect(sentencesOf(inventory, 'no-type-configured')).toEqual([
      'warning: nova.conf assigns no vGPU type to the card',
    ])
  })

  it('VFs that are off', () => {
    const off = (nova: string) =>
      buildInventory({
        cards: [{ address: '0000:41:00.0', deviceId: '2235', sriov: { totalVfs: 32, enabledVfs: 0 } }],
        novaConfig: novaConf(nova),
      })
    const sentence = 'the 32 virtual functions are off, so no vGPU can be created'
    expect(sentencesOf(off('[devices]\nenabled_mdev_types = nvidia-560'), 'vfs-not-enabled')).toEqual([
      `warning: ${sentence}`,
    ])
    expect(sentencesOf(off(''), 'vfs-not-enabled')).toEqual([`info: ${sentence}`])
    for (const rest of [{ driver: 'nouveau' }, { vendorId: '8086', driver: 'i915' }]) {
      const card = { address: '0000:41:00.0', sriov: { totalVfs: 32, enabledVfs: 0 }, ...rest }
      const inventory = buildInventory({ cards: [card] })
      expect(sentencesOf(inventory, 'vfs-not-enabled')).toEqual([])
    }
    expect(pgpuOf(off('')).numbers.capacity.reason).toBe(
      'its virtual functions are off, so the card offers no vGPU type',
    )
  })
})

describe('max_instances on cards without SR-IOV', () => {
  it('drops a card that does not fit whole', () => {
    const inventory = {
      ...t4SeedHost(),
      novaConfig: novaConf(
        '[devices]\nenabled_mdev_types = nvidia-230\n[mdev_nvidia-230]\nmax_instances = 40',
      ),
    }
    expect(sentencesOf(inventory, 'max-instances-drops-pgpus')).toEqual([
      'warning: max_instances 40 of nvidia-230 excludes 5 of 8 pGPUs',
    ])
  })
})

describe('a tidy host', () => {
  it('has no findings but the old names of the first seed', () => {
    expect(findingsOf(t4SeedHost()).map((finding) => finding.code)).toEqual(['old-option-names'])
  })
})
