import { describe, expect, it } from 'vitest'
import { buildNovaConfig, novaConf } from '@/lib/domain/testing/build-inventory'
import { assignedType, assignTypes } from './assign-types'
import { describeNovaOptions } from './describe-options'
import { splitList } from './effective-options'
import { readMdevConfig } from './mdev-config'

const typesOf = (text: string) => readMdevConfig(novaConf(text)).types
const assign = (text: string) => assignTypes(readMdevConfig(novaConf(text)))
const typeAt = (text: string, parent: string) => assignedType(assign(text), parent)?.typeId ?? null

describe('reading [devices] and [mdev_*]', () => {
  it('takes a list with blanks and trailing commas apart', () => {
    expect(splitList(' nvidia-35 ,nvidia-36,, ')).toEqual(['nvidia-35', 'nvidia-36'])
    expect(splitList('')).toEqual([])
  })

  it('reads the old names', () => {
    const text = `[devices]
enabled_vgpu_types = nvidia-319,nvidia-320
[vgpu_nvidia-319]
device_addresses = 0000:18:00.0,0000:19:00.0
[vgpu_nvidia-320]
device_addresses = 0000:e7:00.0`
    expect(typeAt(text, '0000:19:00.0')).toBe('nvidia-319')
    expect(typeAt(text, '0000:e7:00.0')).toBe('nvidia-320')
    expect(typeAt(text, '0000:f5:00.0')).toBeNull()
  })

  it('reads class and limit of a group of the present name only', () => {
    const text = `[devices]
enabled_mdev_types = nvidia-35,nvidia-36
[mdev_nvidia-35]
mdev_class = CUSTOM_BIG
max_instances = 8
[vgpu_nvidia-36]
mdev_class = CUSTOM_SMALL`
    expect(typesOf(text)).toMatchObject([
      { typeId: 'nvidia-35', mdevClass: 'CUSTOM_BIG', maxInstances: 8 },
      { typeId: 'nvidia-36', mdevClass: null, maxInstances: null },
    ])
  })

  it('finds the group of a type with capitals, since oslo.config compares groups in lower case', () => {
    const text =
      '[devices]\nenabled_mdev_types = i915-GVTg_V5_4\n[mdev_i915-GVTg_V5_4]\ndevice_addresses = 0000:00:02.0'
    expect(typeAt(text, '0000:00:02.0')).toBe('i915-GVTg_V5_4')
    expect(typeAt(text, '0000:00:03.0')).toBeNull()
  })

  it('states which line sets each option', () => {
    const config = readMdevConfig(
      novaConf('[devices]\nenabled_mdev_types = a\n[mdev_a]\ndevice_addresses = 0000:84:00.0'),
    )
    expect(config.typesSource).toBe('/etc/nova/nova.conf:2')
    expect(config.types[0]?.addressesSource).toBe('/etc/nova/nova.conf:4')
  })
})

describe('which line wins', () => {
  const files = (main: string, dropIn: string) =>
    readMdevConfig(
      buildNovaConfig({ '/etc/nova/nova.conf': main, '/etc/nova/nova.conf.d/10-gpu.conf': dropIn }),
    ).types.map((type) => type.typeId)

  it('the last line of a file', () => {
    expect(
      typesOf('[devices]\nenabled_mdev_types = a\nenabled_mdev_types = b').map((type) => type.typeId),
    ).toEqual(['b'])
  })

  it('the last file', () => {
    expect(files('[devices]\nenabled_mdev_types = a', '[devices]\nenabled_mdev_types = b')).toEqual(['b'])
  })

  it('the present name within one file, even when the old one is below', () => {
    expect(
      typesOf('[devices]\nenabled_mdev_types = new\nenabled_vgpu_types = old').map((type) => type.typeId),
    ).toEqual(['new'])
  })

  it('the old name in a later file', () => {
    expect(files('[devices]\nenabled_mdev_types = new', '[devices]\nenabled_vgpu_types = old')).toEqual([
      'old',
    ])
  })

  it('an empty value too: it switches the types off', () => {
    expect(files('[devices]\nenabled_mdev_types = a', '[devices]\nenabled_mdev_types =')).toEqual([])
  })

  it('is marked on every line, and multi-valued options all count', () => {
    const options = describeNovaOptions(
      novaConf(`pci_alias = {"name":"a"}
[devices]
enabled_vgpu_types = old
enabled_mdev_types = new
[pci]
passthrough_whitelist = {"address":"0000:86:00.0"}
device_spec = {"address":"0000:87:00.0"}
device_spec = {"address":"0000:88:00.0"}
alias = {"name":"b"}`),
    )
    expect(options.map(({ name, isOverridden, presentName }) => [name, isOverridden, presentName])).toEqual([
      ['pci_alias', false, '[pci] alias'],
      ['enabled_vgpu_types', true, 'enabled_mdev_types'],
      ['enabled_mdev_types', false, null],
      ['passthrough_whitelist', false, 'device_spec'],
      ['device_spec', false, null],
      ['device_spec', false, null],
      ['alias', false, null],
    ])
  })

  it('names the present group of an old one', () => {
    const [option] = describeNovaOptions(novaConf('[vgpu_nvidia-35]\ndevice_addresses = 0000:84:00.0'))
    expect(option?.presentName).toBe('[mdev_nvidia-35] device_addresses')
  })
})

describe('which type a parent gets', () => {
  it('one type without addresses is the default of every parent', () => {
    expect(typeAt('[devices]\nenabled_mdev_types = nvidia-222', '0000:18:00.0')).toBe('nvidia-222')
  })

  it('of two types without addresses the first is the default and the second is dropped', () => {
    const assignment = assign('[devices]\nenabled_mdev_types = nvidia-35,nvidia-36')
    expect(assignedType(assignment, '0000:18:00.0')?.typeId).toBe('nvidia-35')
    expect(assignment.droppedDefaults).toEqual(['nvidia-36'])
  })

  it('a blank item before the first type is not the default', () => {
    const assignment = assign('[devices]\nenabled_mdev_types = ,nvidia-35,nvidia-36')
    expect(assignedType(assignment, '0000:18:00.0')?.typeId).toBe('nvidia-35')
    expect(assignment.droppedDefaults).toEqual(['nvidia-36'])
  })

  it('an unlisted parent gets the default, and none when every type has addresses', () => {
    const listed = '[mdev_a]\ndevice_addresses = 0000:84:00.0\n'
    expect(typeAt(`[devices]\nenabled_mdev_types = a,b\n${listed}`, '0000:85:00.0')).toBe('b')
    expect(typeAt(`[devices]\nenabled_mdev_types = a\n${listed}`, '0000:85:00.0')).toBeNull()
  })

  it('an address in upper case never matches', () => {
    const text = '[devices]\nenabled_mdev_types = a\n[mdev_a]\ndevice_addresses = 0000:AF:00.0'
    expect(typeAt(text, '0000:af:00.0')).toBeNull()
  })

  it('the same address under two types is a duplicate, and so is a type listed twice', () => {
    const addresses = '[mdev_a]\ndevice_addresses = 0000:84:00.0\n[mdev_b]\ndevice_addresses = 0000:84:00.0'
    expect(assign(`[devices]\nenabled_mdev_types = a,b\n${addresses}`).duplicates).toEqual([
      { address: '0000:84:00.0', typeIds: ['a', 'b'] },
    ])
    expect(assign(`[devices]\nenabled_mdev_types = a,a\n${addresses}`).duplicates).toHaveLength(1)
  })

  it('upper and lower case of one address are no duplicate for Nova', () => {
    const text =
      '[devices]\nenabled_mdev_types = a,b\n[mdev_a]\ndevice_addresses = 0000:AF:00.0\n[mdev_b]\ndevice_addresses = 0000:af:00.0'
    expect(assign(text).duplicates).toEqual([])
    expect(typeAt(text, '0000:af:00.0')).toBe('b')
  })
})
