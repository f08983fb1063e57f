import { describe, expect, test } from 'vitest'
import { type TreeContents, treeWith } from '@/agent/testing/tree'
import { holdersOf } from './device-holders'

const MDEV = '00000000-0000-4000-8000-000000000101'
const VF = '0000:d8:00.5'

const processOf = (pid: number, words: string[], files: string[] = []): TreeContents => ({
  [`/proc/${pid}/cmdline`]: `${words.join('\0')}\0`,
  ...Object.fromEntries(files.map((link, fd) => [`/proc/${pid}/fd/${fd}`, { link }])),
})

const SYSFS: TreeContents = {
  [`/sys/bus/mdev/devices/${MDEV}/iommu_group`]: { link: '../../../kernel/iommu_groups/21' },
  [`/sys/bus/pci/devices/${VF}/iommu_group`]: { link: '../../../kernel/iommu_groups/33' },
  [`/sys/bus/pci/devices/${VF}/vfio-dev/vfio4/dev`]: '511:4\n',
}

const holders = (tree: TreeContents, devices = [MDEV, VF]) =>
  holdersOf(devices, treeWith({ ...SYSFS, ...tree }).files).map(
    ({ device, seenBy, pid, guestName }) => `${device} ${seenBy} ${pid} ${guestName}`,
  )

describe('a device on a command line', () => {
  test.each([
    // qm showcmd of Proxmox VE with hostpci0: …,mdev=nvidia-525
    [
      'Proxmox',
      [
        '/usr/bin/kvm',
        '-name',
        'win10,debug-threads=on',
        '-device',
        `vfio-pci,sysfsdev=/sys/bus/mdev/devices/${MDEV},id=hostpci0.0`,
      ],
      `${MDEV} command-line 41 win10`,
    ],
    [
      'a VF without its domain',
      ['qemu-system-x86_64', '-name', 'guest=a10', '-device', 'vfio-pci,host=d8:00.5,id=hostdev0'],
      `${VF} command-line 41 a10`,
    ],
    // libvirt 7.9 and newer, as in the virt-launcher pod of KubeVirt
    [
      'JSON',
      [
        'qemu-kvm',
        '-name',
        'guest=default_vm,debug-threads=on',
        '-device',
        `{"driver":"vfio-pci","host":"${VF}","id":"ua-gpu"}`,
      ],
      `${VF} command-line 41 default_vm`,
    ],
    [
      'cloud-hypervisor',
      ['cloud-hypervisor', '--device', `id=gpu,path=/sys/bus/pci/devices/${VF}/`],
      `${VF} command-line 41 null`,
    ],
    [
      'crosvm',
      ['crosvm', 'run', '--vfio', `/sys/bus/mdev/devices/${MDEV},iommu=viommu`],
      `${MDEV} command-line 41 null`,
    ],
  ])('%s', (_name, words, expected) => {
    expect(holders(processOf(41, words))).toEqual([expected])
  })

  test('has the name of its guest in UTF-8', () => {
    const words = ['/usr/bin/kvm', '-name', 'guest=büro', '-device', `vfio-pci,host=${VF}`]
    expect(holders(processOf(41, words))).toEqual([`${VF} command-line 41 büro`])
  })

  test('is no use where a tool only names it', () => {
    expect(holders(processOf(41, ['mdevctl', 'start', '-u', MDEV]))).toEqual([])
    expect(holders(processOf(41, ['cat', `/sys/bus/mdev/devices/${MDEV}/mdev_type/name`]))).toEqual([])
  })
})

describe('a device whose VFIO file is open', () => {
  test.each([
    ['by its IOMMU group, as LXD gives devices in a file', '/dev/vfio/21', MDEV],
    ['by its own file (iommufd)', '/dev/vfio/devices/vfio4', VF],
  ])('%s', (_name, file, device) => {
    const words = [
      '/snap/lxd/current/bin/qemu-system-x86_64',
      '-name',
      'c1',
      '-readconfig',
      '/var/c1/qemu.conf',
    ]
    expect(holders(processOf(7, words, ['/dev/null', file]))).toEqual([`${device} open-file 7 c1`])
  })

  test('is not looked for in further files of a process after one that cannot be read', () => {
    const { files } = treeWith({
      ...SYSFS,
      ...processOf(7, ['qemu'], ['/dev/null', '/dev/vfio/21', '/dev/vfio/33']),
    })
    const readLinks: string[] = []
    const linkTarget = (path: string) => {
      readLinks.push(path)
      return null
    }
    expect(holdersOf([MDEV, VF], { ...files, linkTarget })).toEqual([])
    expect(readLinks).toEqual(['/proc/7/fd/0'])
  })

  test('is another one with another number', () => {
    expect(
      holders(processOf(7, ['qemu'], ['/dev/null', '/dev/vfio/vfio', '/dev/pts/21', '/dev/vfio/22'])),
    ).toEqual([])
  })
})

test('kernel threads, ended processes and other devices are nothing', () => {
  const tree: TreeContents = {
    '/proc/2/cmdline': '',
    '/proc/3/fd': { folder: 0o755 },
    '/proc/self/cmdline': 'kvm\0',
  }
  expect(holders({ ...tree, ...processOf(9, ['kvm', '-device', 'vfio-pci,host=0000:01:00.0']) })).toEqual([])
  expect(holders(processOf(9, ['kvm', '-device', `vfio-pci,host=${VF}`]), [MDEV])).toEqual([])
})

test('of a command line only name and uuid leave the host', () => {
  const { files } = treeWith({
    ...SYSFS,
    ...processOf(5, [
      '/usr/bin/kvm',
      '-uuid',
      '8F3B2CDE-1111-4222-8333-444455556666',
      '-object',
      'secret,id=s,data=hunter2',
      '-device',
      `vfio-pci,host=${VF}`,
    ]),
  })
  expect(holdersOf([VF], files)).toEqual([
    {
      device: VF,
      seenBy: 'command-line',
      pid: 5,
      program: 'kvm',
      guestName: null,
      guestUuid: '8f3b2cde-1111-4222-8333-444455556666',
    },
  ])
})
