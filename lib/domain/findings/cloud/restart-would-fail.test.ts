import { describe, expect, it } from 'vitest'
import {
  a40Cloud,
  editGpuProviders,
  editHosts,
  editNovaConf,
  findOne,
  sentences,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { autostart, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'restart-would-fail'
const TYPE =
  '[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\ndevice_addresses = 0000:20:00.0\n'

describe('nova-compute would not start again', () => {
  it('after its class changed while allocated', () => {
    expect(findOne(editNovaConf(t4Cloud(), `${TYPE}mdev_class = CUSTOM_T4`), CODE)).toMatchObject({
      severity: 'error',
      sourceToCorrect: 'nova.conf',
      subject: { kind: 'host', host: 'cmp-1' },
      sentence: 'mdev_class changes VGPU to CUSTOM_T4 while VGPU is allocated',
    })
  })

  it('with a defined mdev that cannot be created', () => {
    const mdev = { uuid: uuidOf(9), parent: '0000:20:00.0', typeId: 'nvidia-321' }
    const input = editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      mdevs: [
        ...(inventory.mdevs ?? []),
        buildMdev({ ...mdev, typeId: null, isActive: false, definition: autostart(mdev) }),
      ],
    }))
    expect(findOne(input, CODE)).toMatchObject({
      sourceToCorrect: 'hardware',
      command: 'virsh nodedev-undefine mdev_00000000_0000_4000_8000_000000000009_0000_20_00_0',
    })
  })

  it.each([
    [
      '[compute]\ncpu_shared_set = 0-3\ncpu_dedicated_set = 3-8',
      'cpu_shared_set and cpu_dedicated_set overlap',
    ],
    [
      'reserved_host_cpus = 2\n[compute]\ncpu_shared_set = 0-3',
      'reserved_host_cpus is set together with cpu_shared_set',
    ],
    [
      'vcpu_pin_set = 1-4\n[compute]\ncpu_dedicated_set = 5-8',
      'vcpu_pin_set is set together with cpu_dedicated_set',
    ],
    ['[libvirt]\nlive_migration_downtime = 99', 'live_migration_downtime = 99 is invalid'],
    [
      '[libvirt]\nlive_migration_completion_timeout = -1',
      'live_migration_completion_timeout = -1 is invalid',
    ],
  ])('with %j', (text, rule) => {
    const input = editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      novaConfig: novaConf(`${text}\n${TYPE}`),
    }))
    expect(findOne(input, CODE).sentence).toContain(rule)
  })

  it.each([
    [
      'two classes on VFs of one card',
      ['CUSTOM_A', 'CUSTOM_B'],
      'VFs of 0000:20:00.0 have the classes CUSTOM_A and CUSTOM_B',
    ],
    ['one class', ['CUSTOM_A', 'CUSTOM_A'], null],
  ])('with %s in device_spec', (_, classes, rule) => {
    const specs = classes.map(
      (name, n) => `device_spec = {"address":"0000:20:00.${n + 4}","resource_class":"${name}"}`,
    )
    const input = editHosts(a40Cloud(), (inventory) => ({
      ...inventory,
      novaConfig: novaConf(`[pci]\nreport_in_placement = true\n${specs.join('\n')}`),
    }))
    const found = sentences(input).filter((text) => text.startsWith(CODE))
    expect(found).toEqual(
      rule === null ? [] : [`${CODE}: ${rule}; nova-compute does not start with report_in_placement`],
    )
  })

  it('with one_time_use on a VF', () => {
    const input = editHosts(a40Cloud(), (inventory) => ({
      ...inventory,
      novaConfig: novaConf(
        '[pci]\nreport_in_placement = true\ndevice_spec = {"address":"0000:20:00.4","one_time_use":"false"}',
      ),
    }))
    const { sentence, nextStep } = findOne(input, CODE)
    expect(sentence).toContain('0000:20:00.4 is a VF and has one_time_use')
    expect(nextStep).toContain('Remove one_time_use from VFs.')
  })

  const ofVfs = (first: string, second: string, nova: string) => {
    const specs = [first, second].map((keys, n) => `device_spec = {"address":"0000:20:00.${n + 4}",${keys}}`)
    const input = editHosts(a40Cloud(), (inventory) => ({
      ...inventory,
      novaConfig: novaConf(`[pci]\nreport_in_placement = true\n${specs.join('\n')}`),
    }))
    const versions = { nova, placement: '1.39', keystone: '3.14' }
    return sentences(withFacts(input, { versions })).filter((text) => text.startsWith(CODE))
  }

  it.each([
    ['2.90', []],
    ['2.93', [expect.stringContaining('have the classes')]],
  ])('with report_in_placement, which came with Nova 26: %s', (nova, found) => {
    expect(ofVfs('"resource_class":"CUSTOM_A"', '"resource_class":"CUSTOM_B"', nova)).toEqual(found)
  })

  // nova/compute/pci_placement_translator.py _get_traits_for_dev (262acaff61).
  it.each([
    ['2.100', []],
    ['2.103', []],
    ['2.104', [expect.stringContaining('different traits: HW_PCI_LIVE_MIGRATABLE and none')]],
  ])('with live_migratable, a trait since Nova 34: %s', (nova, found) => {
    expect(ofVfs('"live_migratable":"yes"', '"live_migratable":"no"', nova)).toEqual(found)
  })

  it('with one_time_use on one of the VFs of a card', () => {
    expect(ofVfs('"one_time_use":"yes"', '"managed":"no"', '2.103')).toEqual([
      expect.stringContaining('0000:20:00.4 is a VF and has one_time_use'),
    ])
  })

  it.each([
    ['', true, 1],
    ['report_in_placement = true', true, 0],
    ['', false, 0],
  ])(
    'with report_in_placement reverted: [pci] %j, a provider that Nova marked: %s',
    (option, isMarked, count) => {
      const cloud = editGpuProviders(t4Cloud(), (provider) => ({
        ...provider,
        name: 'cmp-1_0000:20:00.0',
        traits: isMarked ? ['COMPUTE_MANAGED_PCI_DEVICE'] : [],
      }))
      const input = editHosts(cloud, (inventory) => ({
        ...inventory,
        mdevs: [],
        guests: [],
        novaConfig: novaConf(`[pci]\n${option}\ndevice_spec = {"address":"0000:20:00.0"}`),
      }))
      const found = sentences(input).filter((text) => text.startsWith(CODE))
      expect(found).toEqual(Array(count).fill(expect.stringContaining('report_in_placement is off')))
    },
  )

  it('but does with sets that do not meet, and with a class that stays', () => {
    const sets = '[compute]\ncpu_shared_set = 0-7,^3\ncpu_dedicated_set = 3,8-15\n'
    expect(sentences(editNovaConf(t4Cloud(), `${sets}${TYPE}mdev_class = VGPU`))).toEqual([])
  })
})
