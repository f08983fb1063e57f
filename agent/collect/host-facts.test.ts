import { describe, expect, test } from 'vitest'
import { codesOf, type TreeContents, treeWith } from '@/agent/testing/tree'
import { createCommands } from './commands'
import { collectHostFacts, hostNameOf, NoHostName } from './host-facts'
import { collectNovaConfig } from './nova-config'
import { collectNumaNodes } from './numa-nodes'
import { nvidiaDriverOf } from './nvidia-driver'
import { collectVersions } from './versions'

const nameIn = (contents: TreeContents, given?: string) => {
  const { files, problems } = treeWith(contents)
  const novaConfig = collectNovaConfig({ files, problems, given: ['/etc/nova/nova.conf'] })
  const name = hostNameOf({ files, problems, novaConfig, given })
  return { name, codes: codesOf(problems).filter(([, code]) => code === 'odd-name') }
}
const nova = (text: string) => ({ '/etc/nova/nova.conf': text, '/etc/hostname': 'ip-172-31-12-209\n' })

describe('the name of the host', () => {
  test('is what was given, else [DEFAULT] host, else the kernel’s, else /etc/hostname; in lower case', () => {
    const kernel = { '/proc/sys/kernel/hostname': 'From-Kernel\n' }
    expect(nameIn({ ...nova('[DEFAULT]\nhost = gpu18\n'), ...kernel }, 'Given-01').name).toBe('given-01')
    expect(
      nameIn({ ...nova('[DEFAULT]\nhost = gpu17\nhost = GPU18\n[a]\nhost = x\n'), ...kernel }).name,
    ).toBe('gpu18')
    expect(nameIn({ ...nova('[DEFAULT]\n'), ...kernel }).name).toBe('from-kernel')
    expect(nameIn(nova('[DEFAULT]\n')).name).toBe('ip-172-31-12-209')
  })

  test('one that the console would refuse is a problem, and the next source counts', () => {
    expect(nameIn(nova('[DEFAULT]\nhost = $my_ip\n'))).toEqual({
      name: 'ip-172-31-12-209',
      codes: [['/etc/nova/nova.conf:2', 'odd-name']],
    })
  })

  test('none at all, or a wrong one on the command line, is an error with the way out', () => {
    expect(() => nameIn({ '/etc/nova/nova.conf': '[DEFAULT]\n' })).toThrow(NoHostName)
    expect(() => nameIn(nova(''), 'gpu 18')).toThrow('The host name "gpu 18" is not one')
  })
})

describe('the operating system', () => {
  test.each([
    ['PRETTY_NAME="Ubuntu 18.04.6 LTS"\n', 'Ubuntu 18.04.6 LTS'],
    ["NAME=x\nPRETTY_NAME='Debian'\n", 'Debian'],
    ['PRETTY_NAME=Alpine\n', 'Alpine'],
    ['PRETTY_NAME="a \\"b\\" \\$c"\n', 'a "b" $c'],
    ['NAME=x\n', null],
    ['PRETTY_NAME=\n', null],
  ])('%j', (text, expected) => {
    expect(collectHostFacts(treeWith({ '/etc/os-release': text }).files).osName).toBe(expected)
  })

  test('/usr/lib/os-release when /etc has none, and through the usual link', () => {
    const usr = { '/usr/lib/os-release': 'PRETTY_NAME=Fedora\n' }
    expect(collectHostFacts(treeWith(usr).files).osName).toBe('Fedora')
    expect(
      collectHostFacts(treeWith({ ...usr, '/etc/os-release': { link: '../usr/lib/os-release' } }).files)
        .osName,
    ).toBe('Fedora')
  })

  test('kernel', () => {
    expect(
      collectHostFacts(treeWith({ '/proc/sys/kernel/osrelease': '6.8.0-60-generic\n' }).files).kernel,
    ).toBe('6.8.0-60-generic')
    expect(collectHostFacts(treeWith({}).files).kernel).toBeNull()
  })
})

test.each([
  [
    'NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.63  Wed Aug 4\nGCC version:  gcc version 7.5.0\n',
    '470.63',
  ],
  [
    'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.10  Release Build  (a@b)  Tue\n',
    '550.54.10',
  ],
  ['GCC version:  gcc version 12.3.0\n', null],
])('NVIDIA driver in %j', (text, expected) => {
  expect(nvidiaDriverOf(treeWith({ '/proc/driver/nvidia/version': text }).files)).toBe(expected)
})

test('NVIDIA driver by its module if /proc does not report it', () => {
  expect(nvidiaDriverOf(treeWith({ '/sys/module/nvidia/version': '570.133.10\n' }).files)).toBe('570.133.10')
})

describe('NUMA nodes', () => {
  const node = (id: number, cpus: string, kib: string) => ({
    [`/sys/devices/system/node/node${id}/cpulist`]: `${cpus}\n`,
    [`/sys/devices/system/node/node${id}/meminfo`]: `Node ${id} MemTotal:       ${kib} kB\nNode ${id} MemFree: 1 kB\n`,
  })

  test('by number, in MiB; a node may have no CPUs', () => {
    const { files } = treeWith({
      ...node(10, '', '1048576'),
      ...node(2, '32-63,96-127', '528439296'),
      '/sys/devices/system/node/online': '2,10\n',
      '/sys/devices/system/node/has_cpu': '2\n',
    })
    expect(collectNumaNodes(files)).toEqual([
      { id: 2, cpus: '32-63,96-127', memoryMib: 516_054 },
      { id: 10, cpus: '', memoryMib: 1024 },
    ])
  })

  test('memory that cannot be read is null, and so are nodes that the kernel does not show', () => {
    const { files } = treeWith({ '/sys/devices/system/node/node0/cpulist': '0-3\n' })
    expect(collectNumaNodes(files)).toEqual([{ id: 0, cpus: '0-3', memoryMib: null }])
    expect(collectNumaNodes(treeWith({ '/sys/x': '' }).files)).toBeNull()
  })
})

describe('libvirt and QEMU', () => {
  const versionsIn = (contents: TreeContents) => {
    const { files, problems } = treeWith(contents)
    return collectVersions(files, createCommands({ files, problems, memory: new Map() }))
  }
  const virsh = `Compiled against library: libvirt 9.0.0
Using library: libvirt 9.0.0
Using API: QEMU 9.0.0
Running hypervisor: QEMU 7.2.9
`
  const dpkg = `Package: libvirt-daemon
Status: install ok installed
Version: 8.0.0-1ubuntu7.10

Package: libvirt0
Status: deinstall ok config-files
Version: 1:1.0-1

Package: qemu-system-x86
Status: install ok installed
Source: qemu
Version: 1:6.2+dfsg-2ubuntu6.22
`

  test('by libvirt itself', async () => {
    expect(
      await versionsIn({ '/.sliceboard/commands/virsh-r-version.txt': virsh, '/var/lib/dpkg/status': dpkg }),
    ).toEqual({
      libvirt: '9.0.0',
      qemu: '7.2.9',
    })
  })

  test('by dpkg when virsh is not there or names no hypervisor', async () => {
    expect(await versionsIn({ '/var/lib/dpkg/status': dpkg })).toEqual({ libvirt: '8.0.0', qemu: '6.2' })
    const half = virsh.split('\n').slice(0, 2).join('\n')
    expect(
      await versionsIn({ '/.sliceboard/commands/virsh-r-version.txt': half, '/var/lib/dpkg/status': dpkg }),
    ).toEqual({ libvirt: '9.0.0', qemu: '6.2' })
  })

  test('removed packages do not count; nothing is null', async () => {
    const removed = dpkg.replaceAll('install ok installed', 'deinstall ok config-files')
    expect(await versionsIn({ '/var/lib/dpkg/status': removed })).toEqual({ libvirt: null, qemu: null })
    expect(await versionsIn({})).toEqual({ libvirt: null, qemu: null })
  })
})
