import { describe, expect, it } from 'vitest'
import { novaRange } from '@/lib/domain/nova-config/nova-releases'
import { buildGuest, buildInventory, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { findingsOf, pgpuOf, sentencesOf } from '@/lib/domain/testing/describe'
import { a40Host, k40cHost, mttyHost, novaDocumentHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { offersOf, vfOf } from '@/lib/domain/testing/offers'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { SEVERITIES } from '@/lib/schemas/severity'
import { HOST_FINDINGS } from './registry'

const hostWith = (nova: string, rest: Partial<Inventory> = {}): Inventory =>
  buildInventory({
    cards: [{ address: '0000:af:00.0', offers: offersOf('T4') }],
    novaConfig: novaConf(nova),
    ...rest,
  })

const devices = (types: string, rest = ''): string => `[devices]\nenabled_mdev_types = ${types}\n${rest}`

describe('types of the functions of one card', () => {
  const [first, second] = [vfOf('0000:41:00.0', 0), vfOf('0000:41:00.0', 1)]
  const twoTypes = (one: string, other: string): string =>
    devices(
      `${one},${other}`,
      `[mdev_${one}]\ndevice_addresses = ${first}\n[mdev_${other}]\ndevice_addresses = ${second}`,
    )

  it.each([
    ['nvidia-1', 'nvidia-560'],
    ['nvidia-560', 'nvidia-1'],
  ])('one of them is none of the card: %s, %s', (one, other) => {
    expect(sentencesOf(a40Host(twoTypes(one, other)), 'type-not-supported')).toEqual([
      'error: nova.conf names nvidia-1 on 1 of its VFs, which this card does not offer',
    ])
  })

  it('both are', () => {
    expect(sentencesOf(a40Host(twoTypes('nvidia-560', 'nvidia-596')), 'type-not-supported')).toEqual([])
  })
})

describe('what stops nova-compute', () => {
  it('an address under two types', () => {
    const nova = devices(
      'nvidia-35,nvidia-36',
      '[mdev_nvidia-35]\ndevice_addresses = 0000:af:00.0\n[mdev_nvidia-36]\ndevice_addresses = 0000:af:00.0',
    )
    expect(sentencesOf(hostWith(nova), 'address-duplicate')).toEqual([
      'error: 0000:af:00.0 is listed under nvidia-35 and nvidia-36; nova-compute does not start',
    ])
  })

  it('an address without its domain', () => {
    const nova = devices('nvidia-232', '[mdev_nvidia-232]\ndevice_addresses = af:00.0')
    expect(sentencesOf(hostWith(nova), 'address-malformed')).toEqual([
      'error: device_addresses of nvidia-232 holds af:00.0; nova-compute does not start',
    ])
  })

  it('but not the name of a virtual parent that is there', () => {
    const novaConfig = novaConf(devices('mtty-2', '[mdev_mtty-2]\ndevice_addresses = mtty_mtty'))
    const inventory = { ...mttyHost(), novaConfig }
    expect(findingsOf(inventory)).toEqual([])
    expect(pgpuOf(inventory).configuredType?.typeId).toBe('mtty-2')
    expect(findingsOf(inventory, novaRange('2.104'))).toEqual([])
    // nova/virt/libvirt/driver.py _get_supported_vgpu_types of stable/2026.1.
    expect(findingsOf(inventory, novaRange('2.103'))).toMatchObject([
      { code: 'address-malformed', detail: expect.stringContaining('before Nova 34 (2026.2)') },
    ])
  })

  it('a class or limit that oslo.config refuses', () => {
    const nova = devices('nvidia-232', '[mdev_nvidia-232]\nmdev_class = custom_t4\nmax_instances = 0')
    expect(sentencesOf(hostWith(nova), 'option-invalid')).toEqual([
      'error: mdev_class = custom_t4 in [mdev_nvidia-232] is invalid; nova-compute does not start',
      'error: max_instances = 0 in [mdev_nvidia-232] is invalid; nova-compute does not start',
    ])
  })

  it('not a blank limit, or one that int() of Python reads', () => {
    const invalid = (value: string) =>
      sentencesOf(
        hostWith(devices('nvidia-232', `[mdev_nvidia-232]\nmax_instances = ${value}`)),
        'option-invalid',
      )
    expect(['', '+3', '1_0'].flatMap(invalid)).toEqual([])
    expect(['x', '-1', '2.0', '1__0'].flatMap(invalid)).toHaveLength(4)
  })

  it('only an option that the release reads', () => {
    const invalid = (nova: string, minor: string) =>
      findingsOf(hostWith(nova), novaRange(minor)).filter(({ code }) => code === 'option-invalid').length
    const single = devices('nvidia-232', '[mdev_nvidia-232]\nmdev_class = wrong\nmax_instances = x')
    expect([invalid(single, '2.93'), invalid(single, '2.96')]).toEqual([0, 2])
    const listed = devices(
      'nvidia-232,nvidia-233',
      '[mdev_nvidia-232]\ndevice_addresses = 0000:af:00.0\n[mdev_nvidia-233]\ndevice_addresses = 0000:d8:00.0\nmax_instances = x',
    )
    expect([invalid(listed, '2.93'), invalid(listed, '2.96')]).toEqual([0, 1])
    // nova/virt/libvirt/driver.py _get_supported_vgpu_types of 26.2: a class before the type without addresses is read.
    const before = devices(
      'nvidia-232,nvidia-233',
      '[mdev_nvidia-232]\ndevice_addresses = 0000:af:00.0\nmdev_class = wrong',
    )
    const after = devices(
      'nvidia-232,nvidia-233',
      '[mdev_nvidia-233]\ndevice_addresses = 0000:af:00.0\nmdev_class = wrong',
    )
    expect([invalid(before, '2.93'), invalid(after, '2.93'), invalid(after, '2.96')]).toEqual([1, 0, 1])
  })

  it('not a separator other than the dot, with which an address matches no card', () => {
    const nova = devices('nvidia-232', '[mdev_nvidia-232]\ndevice_addresses = 0000:af:00-0')
    expect(sentencesOf(hostWith(nova), 'address-malformed')).toEqual([])
    expect(sentencesOf(hostWith(nova), 'address-without-device')).toEqual([
      'warning: nova.conf assigns nvidia-232 to 0000:af:00-0, but no GPU has this address',
    ])
  })

  it('a blank address, before the release that accepts virtual parents', () => {
    const nova = devices('nvidia-232', '[mdev_nvidia-232]\ndevice_addresses = ,0000:af:00.0')
    const malformed = (minor: string) =>
      findingsOf(hostWith(nova), novaRange(minor)).filter(({ code }) => code === 'address-malformed').length
    expect([malformed('2.103'), malformed('2.104')]).toEqual([1, 0])
  })

  it('not in the group of a type that is not enabled', () => {
    const nova = devices('nvidia-232', '[mdev_nvidia-35]\nmdev_class = wrong')
    expect(sentencesOf(hostWith(nova), 'option-invalid')).toEqual([])
  })

  it('a device_spec that is no JSON', () => {
    expect(sentencesOf(hostWith('[pci]\ndevice_spec = {vendor_id: 10de}'), 'device-spec-malformed')).toEqual([
      'error: Nova refuses [pci] device_spec in /etc/nova/nova.conf:2: it is not JSON; nova-compute does not start',
    ])
  })

  it('explains the form of a device_spec only where the form is wrong', () => {
    const detailOf = (spec: string) => findingsOf(hostWith(`[pci]\ndevice_spec = ${spec}`))[0]?.detail
    expect(detailOf('[1]')).toContain('Write a JSON object')
    expect(detailOf('{"vendor_id": "10defg"}')).toBe('The value is {"vendor_id": "10defg"}.')
  })
})

describe('what Nova takes without a word', () => {
  it('an address in upper case', () => {
    const nova = devices('nvidia-232', '[mdev_nvidia-232]\ndevice_addresses = 0000:AF:00.0')
    expect(sentencesOf(hostWith(nova), 'address-upper-case')).toEqual([
      'error: 0000:AF:00.0 is in upper case, so Nova never gives it nvidia-232',
    ])
    expect(pgpuOf(hostWith(nova)).configuredType).toBeNull()
  })

  it('an address that no card has', () => {
    const slip = devices('nvidia-232', '[mdev_nvidia-232]\ndevice_addresses = 0000:fa:00.0')
    expect(sentencesOf(hostWith(slip), 'address-without-device')).toEqual([
      'warning: nova.conf assigns nvidia-232 to 0000:fa:00.0, but no GPU has this address',
    ])
    const known = devices('nvidia-232', '[mdev_nvidia-232]\ndevice_addresses = 0000:af:00.0')
    expect(sentencesOf(hostWith(known), 'address-without-device')).toEqual([])
  })

  it('a list that was written for several hosts, which is harmless', () => {
    const list = devices('nvidia-232', '[mdev_nvidia-232]\ndevice_addresses = 0000:af:00.0,0000:d8:00.0')
    expect(sentencesOf(hostWith(list), 'address-without-device')).toEqual([
      'info: nova.conf assigns nvidia-232 to 0000:d8:00.0, but no GPU has this address',
    ])
  })

  it('but not the addresses of virtual functions that are off, nor of a device that could not be read', () => {
    const nova = devices('nvidia-746', '[mdev_nvidia-746]\ndevice_addresses = 0000:41:00.4')
    const card = { address: '0000:41:00.0', sriov: { totalVfs: 16, enabledVfs: 0 } }
    const off = buildInventory({ cards: [card], novaConfig: novaConf(nova) })
    expect(sentencesOf(off, 'address-without-device')).toEqual([])
    const on = { ...card, sriov: { totalVfs: 0, enabledVfs: 0 } }
    const gone = buildInventory({ cards: [on], novaConfig: novaConf(nova) })
    expect(sentencesOf(gone, 'address-without-device')).toHaveLength(1)
    const source = '/sys/bus/pci/devices/0000:41:00.4/class'
    const problems = [{ source, code: 'io' as const, message: '' }]
    expect(sentencesOf({ ...gone, problems }, 'address-without-device')).toEqual([])
  })

  it('a second type without addresses', () => {
    expect(sentencesOf(hostWith(devices('nvidia-232,nvidia-319')), 'second-default-dropped')).toEqual([
      'warning: nvidia-319 has no addresses and is dropped: nvidia-232 is already the default',
    ])
  })

  it('a class on the default type', () => {
    const nova = devices('nvidia-232', '[mdev_nvidia-232]\nmdev_class = CUSTOM_T4')
    expect(sentencesOf(hostWith(nova), 'mdev-class-without-addresses')).toEqual([
      'error: CUSTOM_T4 of nvidia-232 has no device_addresses: servers start without a vGPU',
    ])
  })

  it('a type that the card does not offer', () => {
    const inventory = hostWith(devices('nvidia-35'))
    expect(sentencesOf(inventory, 'type-not-supported')).toEqual([
      'error: nova.conf names nvidia-35, which this card does not offer',
    ])
    expect(pgpuOf(inventory).currentType).toBeNull()
  })

  it('an unlisted card', () => {
    expect(sentencesOf(novaDocumentHost(), 'no-type-configured')).toEqual([
      'warning: nova.conf assigns no vGPU type to the card',
    ])
    expect(pgpuOf(novaDocumentHost(), '0000:87:00.0').findings).toHaveLength(1)
  })

  it('the same card sliced and assigned whole', () => {
    const nova = `${devices('nvidia-232')}[pci]\ndevice_spec = {"vendor_id":"10de","product_id":"1eb8"}`
    expect(sentencesOf(hostWith(nova), 'claimed-twice')).toEqual([
      'warning: nova.conf configures the card for nvidia-232 and for PCI passthrough',
    ])
  })
})

describe('passthrough and vendor VFIO', () => {
  it('a card with an orphaned mdev that device_spec names is not sliced by nova.conf', () => {
    const mdevs = [buildMdev({ uuid: uuidOf(1), parent: '0000:af:00.0', typeId: 'nvidia-232' })]
    const inventory = hostWith('[pci]\ndevice_spec = {"address":"0000:af:00.0"}', { mdevs })
    expect(pgpuOf(inventory).framework).toBe('mdev')
    expect(sentencesOf(inventory, 'claimed-twice')).toEqual([])
  })

  it('a card that could be sliced but is named by device_spec alone is assigned whole', () => {
    const card = pgpuOf(hostWith('[pci]\ndevice_spec = {"address":"0000:af:00.0"}'))
    expect(card.framework).toBe('passthrough')
    expect(card.numbers.capacity.value).toBe(1)
    expect(card.findings.map(({ code }) => code)).toEqual(['passthrough-driver'])
  })

  it('a running guest uses a card that is bound to another driver', () => {
    const guests = [buildGuest({ uuid: uuidOf(1), name: 'i-1', pciDevices: ['0000:86:00.0'] })]
    const inventory = { ...k40cHost(), guests }
    const [gpu] = inventory.gpus
    if (gpu !== undefined) gpu.driver = 'nouveau'
    expect(sentencesOf(inventory, 'passthrough-driver')).toEqual([
      'warning: i-1 uses the card, but it is bound to nouveau',
    ])
    expect(sentencesOf(k40cHost(), 'passthrough-driver')).toEqual([])
  })

  it('a VF that two guests name', () => {
    const inventory = vendorVfioHost()
    const guests = ['a', 'b'].map((name, n) =>
      buildGuest({ uuid: uuidOf(n + 1), name, pciDevices: ['0000:c8:00.4'] }),
    )
    expect(sentencesOf({ ...inventory, guests }, 'device-in-two-guests')).toEqual([
      'error: a and b name the same PCI device',
    ])
  })

  it('vGPUs that no device_spec names', () => {
    expect(findingsOf(vendorVfioHost())).toEqual([])
    expect(sentencesOf({ ...vendorVfioHost(), novaConfig: novaConf('') }, 'vendor-vfio-not-listed')).toEqual([
      'warning: no [pci] device_spec matches 1 VF with a vGPU type',
    ])
    expect(sentencesOf({ ...vendorVfioHost(), novaConfig: null }, 'vendor-vfio-not-listed')).toEqual([])
  })
})

describe('what could not be read', () => {
  it('guests and nova.conf are named once for the host', () => {
    const inventory = hostWith('', { guests: null, novaConfig: null })
    expect(sentencesOf(inventory, 'guests-not-read')).toEqual([
      'warning: the guests could not be read, so use is unknown',
    ])
    expect(sentencesOf(inventory, 'nova-conf-not-read')).toEqual([
      'warning: nova.conf could not be read, so the configured types are unknown',
    ])
  })

  it('a partly read nova.conf leads to no finding about missing options', () => {
    const problems = [{ source: '/etc/nova/nova.conf.d', code: 'permission' as const, message: '' }]
    const nova = devices('nvidia-35,nvidia-36', '[mdev_nvidia-35]\nmdev_class = CUSTOM_T4')
    for (const text of ['', nova]) {
      const codes = findingsOf(hostWith(text, { problems })).map((finding) => finding.code)
      expect(codes).toEqual(['nova-conf-not-read', 'scan-problems'])
    }
    expect(findingsOf(hostWith(nova)).length).toBeGreaterThan(2)
  })

  it('problems are a warning, things that only went away are not', () => {
    const problem = (code: 'vanished' | 'dangling') => ({ source: '/sys/x', code, message: '' })
    expect(sentencesOf(hostWith('', { problems: [problem('vanished')] }), 'scan-problems')).toEqual([
      'info: 1 item disappeared during the scan',
    ])
    expect(
      sentencesOf(hostWith('', { problems: [problem('vanished'), problem('dangling')] }), 'scan-problems'),
    ).toEqual(['warning: 1 item on the host could not be read'])
  })
})

describe('every finding', () => {
  const all = [
    hostWith(devices('nvidia-232,nvidia-319', '[mdev_nvidia-232]\nmdev_class = CUSTOM_T4')),
    hostWith('', { guests: null, novaConfig: null }),
    vendorVfioHost(),
    novaDocumentHost(),
  ].flatMap((inventory) => findingsOf(inventory))

  it('has a known code, a short sentence without an end, and a next step in whole sentences', () => {
    expect(all.length).toBeGreaterThan(5)
    for (const { code, sentence, detail } of all) {
      expect(Object.keys(HOST_FINDINGS)).toContain(code)
      expect(sentence.length).toBeLessThan(120)
      expect(sentence).not.toMatch(/[.!]$/)
      expect(detail).toMatch(/\.$/)
      expect(detail).not.toContain('!')
    }
  })

  it('is most urgent first', () => {
    const host = hostWith(
      devices('nvidia-35,nvidia-36', '[mdev_nvidia-36]\nmdev_class = bad\ndevice_addresses = 0000:AF:00.0'),
    )
    const ranks = findingsOf(host).map((finding) => SEVERITIES.indexOf(finding.severity))
    expect(ranks.length).toBeGreaterThan(2)
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  })
})
