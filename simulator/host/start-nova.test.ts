import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { autostart, hostSpec, novaSpec, novaType, RHEL_94, vgpu } from '@/simulator/fixtures/host-parts'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { reconcileHostTree } from '@/simulator/host-tree/reconcile-host-tree'
import { RESTART_TRIGGER } from '@/simulator/host-tree/render-nova-process'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createRandom } from '@/simulator/random/random'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { treeOnDisk } from '@/simulator/testing/tree-on-disk'
import { createLivingHost, type LivingHost } from './living-host'
import { withNovaProcess } from './start-nova'

const PARENT = '0000:31:00.0'
const OTHER = '0000:32:00.0'
const STARTED = Date.parse('2026-11-20T08:00:00Z')
const NOW = Date.parse('2026-11-21T12:00:00Z')
const roots: string[] = []

const t4 = (address: string, vgpus: ReturnType<typeof vgpu>[]) =>
  buildGpu({
    model: 'T4',
    address,
    upstream: ['pci0000:3a', '0000:3a:00.0'],
    numaNode: 0,
    iommuGroup: 30,
    sharing: 'same-type',
    vgpus,
  })

const spec = (options: { version?: string; left?: HostSpec['mdevDefinitions'] } = {}): HostSpec =>
  hostSpec({
    name: 'cmp-1',
    gpus: [t4(PARENT, []), t4(OTHER, [])],
    system: RHEL_94,
    mdevDefinitions: options.left ?? [],
    nova: novaSpec({ version: options.version ?? '29.2.0', types: [novaType('nvidia-319')] }),
  })

const alive = (host: HostSpec): LivingHost => {
  const root = makeTemporaryDirectory('start-nova')
  roots.push(root)
  const running = withNovaProcess(host, STARTED, null)
  writeHostTree(root, running)
  const { uuid } = createRandom(7)
  return createLivingHost({ root, spec: running, now: () => new Date(NOW), newUuid: uuid })
}

afterEach(() => {
  for (const root of roots.splice(0)) removeTree(root)
})

const write = (host: LivingHost, at: string, text: string): void => {
  const file = path.join(host.root, at)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  host.applyWrites()
}

const dropIn = (host: LivingHost, ...lines: string[]): void =>
  write(host, '/etc/nova/nova.conf.d/vgpu.conf', `${lines.join('\n')}\n`)

const restart = (host: LivingHost): void => write(host, RESTART_TRIGGER, '1')
const typesOf = (host: LivingHost): string[] => host.spec().nova.types.map(({ typeId }) => typeId)
const failureOf = (host: LivingHost): string | null | undefined => host.spec().nova.process?.failure
const stateOf = (host: LivingHost): string =>
  readFileSync(path.join(host.root, '.sliceboard/nova-compute/state'), 'utf8').trim()

describe('a file next to nova.conf', () => {
  it('changes nothing until nova-compute is restarted', () => {
    const host = alive(spec())
    dropIn(host, '[devices]', 'enabled_mdev_types = nvidia-320')
    expect(typesOf(host)).toEqual(['nvidia-319'])
    restart(host)
    expect(typesOf(host)).toEqual(['nvidia-320'])
    expect(stateOf(host)).toBe('active since 2026-11-21T12:00:00.000Z')
    rmSync(path.join(host.root, '/etc/nova/nova.conf.d/vgpu.conf'))
    host.applyWrites()
    expect(typesOf(host)).toEqual(['nvidia-320'])
    restart(host)
    expect(typesOf(host)).toEqual(['nvidia-319'])
  })

  it('outlives a restart of the simulator, and the agent reads what Nova reads', async () => {
    const host = alive(spec())
    dropIn(
      host,
      '[devices]',
      'enabled_mdev_types = nvidia-320',
      '[mdev_nvidia-320]',
      `device_addresses = ${PARENT}`,
    )
    restart(host)
    reconcileHostTree(host.root, host.spec())
    const fresh = makeTemporaryDirectory('fresh')
    roots.push(fresh)
    writeHostTree(fresh, host.spec())
    expect(treeOnDisk(host.root)).toEqual(treeOnDisk(fresh))
    const { novaConfig } = await scanHost({ root: host.root })
    expect(novaConfig?.files).toContain('/etc/nova/nova.conf.d/vgpu.conf')
    expect(host.spec().nova.types).toEqual([novaType('nvidia-320', { addresses: [PARENT] })])
  })

  it('with another type for whole cards takes device specs along', () => {
    const host = alive(spec())
    const alias = '{"name": "t4", "vendor_id": "10de", "product_id": "1eb8"}'
    dropIn(host, '[pci]', `alias = ${alias}`)
    restart(host)
    expect(host.spec().nova.sections.pci).toEqual([`alias = ${alias}`])
  })
})

describe('a start that Nova refuses', () => {
  it.each([
    [
      'the same address under two types',
      [
        'enabled_mdev_types = nvidia-319, nvidia-320',
        '[mdev_nvidia-319]',
        `device_addresses = ${PARENT}`,
        '[mdev_nvidia-320]',
        `device_addresses = ${PARENT}`,
      ],
      `InvalidLibvirtMdevConfig: Invalid configuration for mdev-capable devices: duplicate types for PCI ID ${PARENT}`,
    ],
    [
      'a bad address',
      ['enabled_mdev_types = nvidia-320', '[mdev_nvidia-320]', 'device_addresses = 31:00.0'],
      'incorrect PCI address: 31:00.0',
    ],
    [
      'a bad class',
      ['enabled_mdev_types = nvidia-320', '[mdev_nvidia-320]', 'mdev_class = T4'],
      "doesn't match regex",
    ],
    [
      'max_instances of 0',
      ['enabled_mdev_types = nvidia-320', '[mdev_nvidia-320]', 'max_instances = 0'],
      'Should be greater than or equal to 1',
    ],
    ['a line without =', ['enabled_mdev_types = nvidia-320', 'nonsense'], 'ConfigFileParseError'],
    [
      'a device_spec that is no JSON',
      ['enabled_mdev_types = nvidia-320', '[pci]', 'device_spec = nonsense'],
      'Invalid [pci]device_spec config',
    ],
  ])('because of %s', (_, lines, line) => {
    const host = alive(spec())
    dropIn(host, '[devices]', ...lines)
    restart(host)
    expect(failureOf(host)).toContain(line)
    expect(typesOf(host)).toEqual(['nvidia-319'])
    expect(stateOf(host)).toMatch(/^failed at 2026-11-21T12:00:00.000Z: /)
    dropIn(host, '[devices]', 'enabled_mdev_types = nvidia-320')
    restart(host)
    expect(failureOf(host)).toBeNull()
  })

  it('but not of upper case or of a second default, which are taken and never match', () => {
    const host = alive(spec())
    dropIn(
      host,
      '[devices]',
      'enabled_mdev_types = nvidia-319, nvidia-320, nvidia-321',
      '[mdev_nvidia-321]',
      'device_addresses = 0000:AF:00.0',
    )
    restart(host)
    expect(failureOf(host)).toBeNull()
    expect(typesOf(host)).toEqual(['nvidia-319', 'nvidia-321'])
  })
})

describe('definitions of mdevs', () => {
  const left = [autostart(vgpu(PARENT, 'nvidia-319', 0))]

  it('come back at the next start from 30 on, of any type', () => {
    const host = alive(spec({ version: '30.0.1', left }))
    dropIn(host, '[devices]', 'enabled_mdev_types = nvidia-320')
    restart(host)
    expect(failureOf(host)).toBeNull()
    const made = host.spec().gpus[0]?.slicing?.state.vgpus
    expect(made).toMatchObject([{ uuid: left[0]?.uuid, typeId: 'nvidia-319' }])
  })

  it('stay what they are before 30', () => {
    const host = alive(spec({ version: '29.2.0', left }))
    restart(host)
    expect(host.spec().gpus[0]?.slicing?.state.vgpus).toEqual([])
  })

  it('that the driver does not make end nova-compute', () => {
    const gpus = [t4(PARENT, [vgpu(PARENT, 'nvidia-320', 0)]), t4(OTHER, [])]
    const host = alive({
      ...spec({ version: '30.0.1', left: [autostart(vgpu(PARENT, 'nvidia-319', 1))] }),
      gpus,
    })
    restart(host)
    expect(failureOf(host)).toContain('Unable to start mediated device')
  })
})

it('shows when the process was started, and none while it does not run', async () => {
  const host = alive(spec())
  const pidOf = () =>
    readFileSync(
      path.join(host.root, '/sys/fs/cgroup/system.slice/openstack-nova-compute.service/cgroup.procs'),
      'utf8',
    ).trim()
  const startOf = () => {
    const ticks = readFileSync(path.join(host.root, 'proc', pidOf(), 'stat'), 'utf8')
      .split(') ')[1]
      ?.split(' ')[19]
    const btime = /btime (\d+)/.exec(readFileSync(path.join(host.root, 'proc/stat'), 'utf8'))?.[1]
    return Number(btime) * 1000 + Number(ticks) * 10
  }
  expect(startOf()).toBe(STARTED)
  const before = pidOf()
  restart(host)
  expect(startOf()).toBe(NOW)
  expect(pidOf()).not.toBe(before)
  dropIn(host, '[devices]', 'enabled_mdev_types = nvidia-320', '[mdev_nvidia-320]', 'device_addresses = x')
  restart(host)
  expect(pidOf).toThrow('ENOENT')
})

it('is restarted by the command in its tree, which reports how that ended', async () => {
  const host = alive(spec())
  const run = promisify(execFile)
  const restartByCommand = async (): Promise<string> => {
    const ended = run(path.join(host.root, '.sliceboard/restart-nova-compute'), [])
    await vi.waitFor(() => expect(host.applyWrites()).toBeGreaterThan(0), { timeout: 20_000, interval: 20 })
    const { stdout } = await ended
    return stdout
  }
  expect(await restartByCommand()).toContain('active since 2026-11-21')
  dropIn(host, '[devices]', 'enabled_mdev_types = nvidia-320', '[mdev_nvidia-320]', 'device_addresses = x')
  await expect(restartByCommand()).rejects.toMatchObject({
    stdout: expect.stringContaining('incorrect PCI address: x'),
  })
}, 60_000)
