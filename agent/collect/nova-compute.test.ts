import { expect, test } from 'vitest'
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

test('tells when the unit’s nova-compute was started', () => {
  const contents = { ...novaAt(812, 6_000_012), [UNIT]: '800\n812\n' }
  expect(find(contents)).toEqual({ startedAt: new Date(1_795_060_000_120).toISOString() })
})

test('finds it in a container among the host’s processes, and there again', () => {
  const { files } = treeWith({ ...novaAt(77, 100), '/proc/5/cmdline': 'bash\0' })
  const memory = { pid: null }
  const startedAt = new Date(1_795_000_001_000).toISOString()
  expect(collectNovaCompute(files, { isContainer: true, memory })).toEqual({ startedAt })
  expect(memory).toEqual({ pid: '77' })
  expect(collectNovaCompute(files, { isContainer: true, memory })).toEqual({ startedAt })
})

test('a package is not looked for among all processes', () => {
  expect(find(novaAt(77, 100))).toBeNull()
})

test('is null, not a date of its own, when the boot time can’t be read', () => {
  expect(find({ ...novaAt(812, 100), '/proc/stat': 'cpu 1\n', [UNIT]: '812\n' })).toBeNull()
})

test('what a host allows is part of its report, sorted, and absent when nobody says', async () => {
  const { root } = treeWith({
    '/proc/sys/kernel/hostname': 'cmp-01\n',
    '/sys/bus/pci/devices': { folder: 0o755 },
  })
  const told = await scanTree(root, {
    allowedCommands: ['restart-nova-compute', 'remove-mdev'],
    memory: createScanMemory(),
  })
  expect(told.host.allowedCommands).toEqual(['remove-mdev', 'restart-nova-compute'])
  expect(told.host.novaCompute).toBeNull()
  expect((await scanTree(root)).host).not.toHaveProperty('allowedCommands')
})
