import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { scanTree } from '@/agent/testing/scan-fixture'
import { type TreeContents, treeWith } from '@/agent/testing/tree'
import { createScanMemory } from '../scan/scan-host'
import { collectNovaCompute } from './nova-process'

const UNIT = '/sys/fs/cgroup/system.slice/nova-compute.service/cgroup.procs'

/** Field 22 is the start in ticks; the name may hold spaces and brackets. */
const statOf = (pid: number, ticks: number) =>
  `${pid} (nova (x) y) S 1 ${Array.from({ length: 17 }, (_, at) => at).join(' ')} ${ticks} 0 0\n`

const novaAt = (pid: number, ticks: number): TreeContents => ({
  '/proc/stat': 'cpu 1 2 3\nbtime 1795000000\nprocesses 5\n',
  [`/proc/${pid}/cmdline`]: '/usr/bin/python3\0/usr/bin/nova-compute\0--config-file\0/etc/nova/nova.conf\0',
  [`/proc/${pid}/stat`]: statOf(pid, ticks),
})

const find = (contents: TreeContents, mayBeContained = false) =>
  collectNovaCompute(treeWith(contents).files, { mayBeContained, memory: { pid: null } })

test('reports when the unit’s nova-compute was started', () => {
  const contents = { ...novaAt(812, 6_000_012), [UNIT]: '800\n812\n' }
  expect(find(contents)).toEqual({ startedAt: new Date(1_795_060_000_120).toISOString(), version: null })
})

test('finds it in a container among the host’s processes, and there again', () => {
  const { files } = treeWith({ ...novaAt(77, 100), '/proc/5/cmdline': 'bash\0' })
  const memory = { pid: null }
  const startedAt = new Date(1_795_000_001_000).toISOString()
  expect(collectNovaCompute(files, { mayBeContained: true, memory })).toEqual({ startedAt, version: null })
  expect(memory).toEqual({ pid: '77' })
  expect(collectNovaCompute(files, { mayBeContained: true, memory })).toEqual({ startedAt, version: null })
})

test('a package is not looked for among all processes', () => {
  expect(find(novaAt(77, 100))).toBeNull()
})

describe('the version', () => {
  const folder = (path: string): TreeContents => ({ [path]: { folder: 0o755 } })
  const METADATA = '/usr/lib/python3/dist-packages/nova-26.2.2.egg-info'
  const versionIn = (contents: TreeContents, program = '/usr/bin/nova-compute') => {
    const line = `/usr/bin/python3\0${program}\0`
    return find({ ...novaAt(812, 100), '/proc/812/cmdline': line, [UNIT]: '812\n', ...contents })?.version
  }

  test.each([
    ['Debian', METADATA, '26.2.2'],
    ['RDO', '/usr/lib/python3.9/site-packages/nova-31.1.0-py3.9.egg-info', '31.1.0'],
    ['a wheel', '/usr/lib/python3.12/site-packages/nova-33.0.2.dist-info', '33.0.2'],
    ['a development version', '/usr/lib/python3.12/site-packages/nova-33.1.0.dev7.dist-info', '33.1.0'],
    ['the client alone', '/usr/lib/python3/dist-packages/python_novaclient-18.0.0.egg-info', null],
  ])('of %s', (_what, path, version) => {
    expect(versionIn(folder(path))).toBe(version)
  })

  test('is that of the virtual environment that the program lies in', () => {
    const venv = '/openstack/venvs/nova-28.1.0'
    const own = `${venv}/lib/python3.10/site-packages/nova-28.1.0.dist-info`
    expect(versionIn({ ...folder(METADATA), ...folder(own) }, `${venv}/bin/nova-compute`)).toBe('28.1.0')
  })

  test('is unknown where several are installed', () => {
    const both = { ...folder(METADATA), ...folder('/usr/lib/python3/dist-packages/nova-27.0.0.dist-info') }
    expect(versionIn(both)).toBeNull()
  })

  /** Docker's mount of a container's file system, as container and host list it. */
  const MERGED = '/var/lib/docker/overlay2/0a1b/merged'
  const OVERLAY =
    'overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A,upperdir=/var/lib/docker/overlay2/0a1b/diff'
  const inContainer = (program: string, contents: TreeContents) =>
    find(
      {
        ...novaAt(77, 100),
        ...folder(METADATA),
        '/proc/77/cmdline': `${path.dirname(program)}/python3\0${program}\0`,
        '/proc/77/mountinfo': `800 700 0:52 / / rw - ${OVERLAY}\n801 800 0:60 / /proc rw - proc proc rw\n`,
        '/proc/1/mountinfo': `22 1 254:0 / / rw - ext4 /dev/vda rw\n90 22 0:52 / ${MERGED} rw - ${OVERLAY}\n`,
        ...contents,
      },
      true,
    )?.version

  test.each([
    ['Kolla', '/var/lib/kolla/venv', 'lib/python3.12/site-packages/nova-33.0.2.dist-info', '33.0.2'],
    ['RHOSO', '/usr', 'lib/python3.9/site-packages/nova-27.5.2-py3.9.egg-info', '27.5.2'],
  ])('in a container of %s is read at its mount on the host', (_what, prefix, metadata, version) => {
    expect(inContainer(`${prefix}/bin/nova-compute`, folder(`${MERGED}${prefix}/${metadata}`))).toBe(version)
  })

  test('in a container is never that of the host’s packages', () => {
    expect(inContainer('/usr/bin/nova-compute', folder(MERGED))).toBeNull()
    const link = { [`${MERGED}/usr/lib`]: { link: '/usr/lib' } }
    expect(inContainer('/usr/bin/nova-compute', link)).toBeNull()
    expect(
      inContainer('/usr/bin/nova-compute', {
        ...folder(MERGED),
        '/proc/1/mountinfo': '22 1 254:0 / / rw - ext4 /dev/vda rw\n',
      }),
    ).toBeNull()
  })
})

test('is null, not an invented date, when the boot time can’t be read', () => {
  expect(find({ ...novaAt(812, 100), '/proc/stat': 'cpu 1\n', [UNIT]: '812\n' })).toBeNull()
})

test('what a host allows is part of its report, sorted, and absent when unknown', async () => {
  const { root } = treeWith({
    '/proc/sys/kernel/hostname': 'cmp-01\n',
    '/sys/bus/pci/devices': { folder: 0o755 },
  })
  const inventory = await scanTree(root, {
    allowedCommands: ['restart-nova-compute', 'remove-mdev'],
    memory: createScanMemory(),
  })
  expect(inventory.host.allowedCommands).toEqual(['remove-mdev', 'restart-nova-compute'])
  expect(inventory.host.novaCompute).toBeNull()
  expect((await scanTree(root)).host).not.toHaveProperty('allowedCommands')
})
