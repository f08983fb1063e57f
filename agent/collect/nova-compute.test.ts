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

const find = (contents: TreeContents, isContainer = false) =>
  collectNovaCompute(treeWith(contents).files, { isContainer, memory: { pid: null } })

test('reports when the unit’s nova-compute was started', () => {
  const contents = { ...novaAt(812, 6_000_012), [UNIT]: '800\n812\n' }
  expect(find(contents)).toEqual({ startedAt: new Date(1_795_060_000_120).toISOString(), version: null })
})

test('finds it in a container among the host’s processes, and there again', () => {
  const { files } = treeWith({ ...novaAt(77, 100), '/proc/5/cmdline': 'bash\0' })
  const memory = { pid: null }
  const startedAt = new Date(1_795_000_001_000).toISOString()
  expect(collectNovaCompute(files, { isContainer: true, memory })).toEqual({ startedAt, version: null })
  expect(memory).toEqual({ pid: '77' })
  expect(collectNovaCompute(files, { isContainer: true, memory })).toEqual({ startedAt, version: null })
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

  test('is unknown where several are installed, and in a container', () => {
    const both = { ...folder(METADATA), ...folder('/usr/lib/python3/dist-packages/nova-27.0.0.dist-info') }
    expect(versionIn(both)).toBeNull()
    expect(find({ ...novaAt(77, 100), ...folder(METADATA) }, true)?.version).toBeNull()
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
