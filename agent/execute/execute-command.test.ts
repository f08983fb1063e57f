import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import { writeContents } from '@/agent/testing/tree'
import { type AgentCommand, COMMAND_NAMES, type CommandName } from '@/lib/schemas/agent/command'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { vendorVfioHost } from '@/simulator/fixtures/vendor-vfio-host'
import { createLivingHost, type LivingHost } from '@/simulator/host/living-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createCommandHost, sha256 } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

const SLOT = '0000:af:00.0'
const SPARE = 'c0ffee00-0000-4000-8000-000000000001'

/** A V100 with a running and a shut-off guest, and one unattached mdev, defined with autostart. */
const withSpare = (deployment: HostSpec['nova']['deployment'] = 'package'): HostSpec => {
  const [gpu] = kollaHost.gpus
  if (gpu?.slicing == null) throw new Error('the fixture lost its GPU')
  const vgpus = [
    ...gpu.slicing.state.vgpus,
    { uuid: SPARE, typeId: 'nvidia-105', slot: SLOT, iommuGroup: 900 },
  ]
  const slicing = { ...gpu.slicing, state: { ...gpu.slicing.state, vgpus } }
  const definition = { uuid: SPARE, parent: SLOT, typeId: 'nvidia-105', start: 'auto' as const }
  const nova = { ...kollaHost.nova, deployment }
  return { ...kollaHost, nova, gpus: [{ ...gpu, slicing }], mdevDefinitions: [definition] }
}

const open = (
  spec: HostSpec,
  { allow = COMMAND_NAMES, programMs }: { allow?: readonly CommandName[]; programMs?: number } = {},
) => {
  const root = temporaryRoot()
  writeHostTree(root, spec)
  const living = createLivingHost({ root, spec, now: () => new Date(0), newUuid: () => SPARE })
  const settings = { ...DEFAULT_COMMANDS, allow, restartNovaCompute: ['/.sliceboard/restart'] }
  const host = createCommandHost({
    root,
    settings,
    patienceMs: 0,
    ...(programMs === undefined ? {} : { programMs }),
    pause: async () => {
      living.applyWrites()
    },
  })
  return { root, living, run: (command: AgentCommand) => executeCommand(host, command) }
}

const at = (root: string, file: string): string => path.join(root, file)
const DEFINITION = `/etc/mdevctl.d/${SLOT}/${SPARE}`
const uuidsOf = (living: LivingHost): string[] =>
  living.spec().gpus.flatMap(({ slicing }) => slicing?.state.vgpus.map(({ uuid }) => uuid) ?? [])

const remove = (over: Partial<Extract<AgentCommand, { name: 'remove-mdev' }>> = {}): AgentCommand => ({
  name: 'remove-mdev',
  uuid: SPARE,
  typeId: 'nvidia-105',
  parentAddress: SLOT,
  ...over,
})

describe('remove-mdev', () => {
  test('destroys and undefines an unattached mdev, reports how, and returns the definition', async () => {
    const { root, living, run } = open(withSpare())
    const definition = readFileSync(at(root, DEFINITION), 'utf8')
    expect(await run(remove())).toEqual({
      outcome: 'done',
      message: `mdev ${SPARE} was removed; ${DEFINITION} was removed, as there is no mdevctl here.`,
      output: '',
      previous: definition,
    })
    expect(uuidsOf(living)).not.toContain(SPARE)
    expect(existsSync(at(root, DEFINITION))).toBe(false)
    expect(await run(remove())).toMatchObject({ outcome: 'done', message: `mdev ${SPARE} was gone already.` })
  })

  test('and create-mdev brings both back as they were', async () => {
    const { root, living, run } = open(withSpare())
    const before = readFileSync(at(root, DEFINITION), 'utf8')
    const { previous } = await run(remove())
    const restore: AgentCommand = {
      name: 'create-mdev',
      uuid: SPARE,
      typeId: 'nvidia-105',
      parentAddress: SLOT,
      isActive: true,
      definition: previous ?? null,
    }
    expect(await run(restore)).toMatchObject({ outcome: 'done' })
    expect(uuidsOf(living)).toContain(SPARE)
    expect(readFileSync(at(root, DEFINITION), 'utf8')).toBe(before)
    expect(await run(restore)).toMatchObject({ outcome: 'done' })
  })

  test('undefines what is not active', async () => {
    const spec = withSpare()
    const { root, run } = open({ ...spec, gpus: kollaHost.gpus })
    expect(await run(remove())).toMatchObject({
      outcome: 'done',
      message: expect.stringContaining('was not active'),
    })
    expect(existsSync(at(root, DEFINITION))).toBe(false)
  })

  const [running, shutoff] = kollaHost.guests.map(({ mdevs }) => mdevs[0] ?? '')
  test.each([
    ['another type', remove({ typeId: 'nvidia-106' }), 'has the type nvidia-105'],
    ['another parent', remove({ parentAddress: '0000:b0:00.0' }), `has the parent ${SLOT}`],
    ['a running guest', remove({ uuid: running ?? '' }), 'in its live and persistent XML'],
    ['a shut-off guest', remove({ uuid: shutoff ?? '' }), 'in its persistent XML'],
  ])('refuses %s and touches nothing', async (_what, command, words) => {
    const { root, living, run } = open(withSpare())
    const before = uuidsOf(living)
    expect(await run(command)).toMatchObject({ outcome: 'refused', message: expect.stringContaining(words) })
    living.applyWrites()
    expect(uuidsOf(living)).toEqual(before)
    expect(existsSync(at(root, DEFINITION))).toBe(true)
  })

  test('refuses while any guest’s XML can’t be read: it could name the mdev', async () => {
    const { root, living, run } = open(withSpare())
    writeFileSync(at(root, '/etc/libvirt/qemu/instance-broken.xml'), '<domain><uuid>half')
    expect(await run(remove())).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('Not all guests of this host could be read'),
    })
    expect(uuidsOf(living)).toContain(SPARE)
  })

  test('refuses what libvirt has defined in its container, seen or out of sight', async () => {
    const seen = open(withSpare('kolla'))
    expect(await seen.run(remove())).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('/merged/etc/mdevctl.d'),
    })
    const hidden = open(withSpare('kolla'))
    rmSync(at(hidden.root, '/run/libvirtd.pid'))
    expect(await hidden.run(remove())).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('the defined mdevs are unknown'),
    })
    expect(
      [...uuidsOf(seen.living), ...uuidsOf(hidden.living)].filter((uuid) => uuid === SPARE),
    ).toHaveLength(2)
  })

  test('refuses an mdev that another parent defines too', async () => {
    const { root, run } = open(withSpare())
    mkdirSync(at(root, '/etc/mdevctl.d/0000:b0:00.0'))
    writeFileSync(at(root, `/etc/mdevctl.d/0000:b0:00.0/${SPARE}`), '{"mdev_type":"nvidia-105"}')
    expect(await run(remove())).toMatchObject({ outcome: 'refused' })
  })

  test('reports a failure when the kernel keeps the mdev', async () => {
    const { root, living, run } = open(withSpare())
    // The write is never applied: the wait ends first.
    living.applyWrites = () => 0
    expect(await run(remove())).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('the mdev still exists'),
    })
    expect(existsSync(at(root, DEFINITION))).toBe(true)
  })
})

test('a command that agent.toml does not name is refused', async () => {
  const { living, run } = open(withSpare(), { allow: ['restart-nova-compute'] })
  expect(await run(remove())).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('does not allow remove-mdev'),
  })
  expect(uuidsOf(living)).toContain(SPARE)
})

describe('create-mdev', () => {
  const command: AgentCommand = {
    name: 'create-mdev',
    uuid: SPARE,
    typeId: 'nvidia-105',
    parentAddress: SLOT,
    isActive: true,
    definition: null,
  }
  test.each([
    ['a type that the parent does not offer', { typeId: 'nvidia-999' }, 'offers no type'],
    ['a definition of another type', { definition: '{"mdev_type":"nvidia-106"}' }, 'is not of the type'],
    ['no JSON', { definition: 'x' }, 'is not JSON'],
  ])('refuses %s', async (_what, over, words) => {
    const { run } = open(kollaHost)
    expect(await run({ ...command, ...over })).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining(words),
    })
  })
})

describe('write-nova-config', () => {
  const FILE = '/etc/nova/nova.conf.d/99-sliceboard-mdev.conf'
  const OLD = '[devices]\nenabled_mdev_types = nvidia-222\n'
  const NEW = '[devices]\nenabled_mdev_types = nvidia-223\n\n[mdev_nvidia-223]\nmax_instances = 4\n'
  const write = (content: string | null, was: string | null): AgentCommand => ({
    name: 'write-nova-config',
    file: '99-sliceboard-mdev.conf',
    content,
    was,
  })
  const prepared = (held: string | null = OLD) => {
    const opened = open(t4SeedHost)
    mkdirSync(at(opened.root, '/etc/nova/nova.conf.d'), { recursive: true })
    if (held !== null) writeFileSync(at(opened.root, FILE), held)
    return opened
  }

  test('replaces the file and gives back what it held; the same again changes nothing', async () => {
    const { root, run } = prepared()
    expect(await run(write(NEW, sha256(OLD)))).toMatchObject({ outcome: 'done', previous: OLD })
    expect(readFileSync(at(root, FILE), 'utf8')).toBe(NEW)
    expect(await run(write(NEW, sha256(OLD)))).toMatchObject({ outcome: 'done', previous: NEW })
  })

  test('writes a new one, and takes it away', async () => {
    const { root, run } = prepared(null)
    expect(await run(write(NEW, null))).toMatchObject({ outcome: 'done', previous: null })
    expect(await run(write(null, sha256(NEW)))).toMatchObject({ outcome: 'done', previous: NEW })
    expect(existsSync(at(root, FILE))).toBe(false)
  })

  const CPUS = '[DEFAULT]\nvcpu_pin_set = \n\n[compute]\ncpu_shared_set = 0-20\ncpu_dedicated_set = 21-22\n'

  test('writes CPU sets and reservations, and of those sections nothing else', async () => {
    const { root, run } = prepared()
    expect(await run(write(CPUS, sha256(OLD)))).toMatchObject({ outcome: 'done' })
    const foreign = `${CPUS}[DEFAULT]\ntransport_url = rabbit://nova:hunter2@mq\n`
    expect(await run(write(foreign, sha256(CPUS)))).toMatchObject({
      outcome: 'refused',
      message: expect.stringMatching(/^The new content sets an option of \[DEFAULT\] in line 8/),
    })
    expect(readFileSync(at(root, FILE), 'utf8')).toBe(CPUS)
  })

  const SECRET = '[keystone_authtoken]\npassword = hunter2\n'
  test.each([
    ['a file that was changed', OLD, NEW, sha256('else'), 'differs from its state at planning'],
    ['a file that was created', OLD, NEW, null, 'differs from its state at planning'],
    ['a file that was deleted', null, NEW, sha256(OLD), 'the file does not exist'],
    ['other sections in the new content', OLD, `${NEW}${SECRET}`, sha256(OLD), '[keystone_authtoken]'],
    ['an empty foreign section', OLD, `${NEW}[database]\n`, sha256(OLD), '[database]'],
    ['other sections in the file', SECRET, NEW, sha256(SECRET), '[keystone_authtoken]'],
    ['what is no nova.conf', OLD, 'enabled_mdev_types = x\n', sha256(OLD), "can't be read as nova.conf"],
    ['another option of its sections', OLD, '[pci]\nhunter2 = 1\n', sha256(OLD), 'may not be written'],
    [
      'a value that continues in the next line',
      OLD,
      '[devices]\nenabled_mdev_types = nvidia-222\n  hunter2\n',
      sha256(OLD),
      'a malformed value in line 2: [devices] enabled_mdev_types must be a comma-separated list',
    ],
    [
      'a value that names another option',
      OLD,
      '[pci]\nalias = {"name": "$hunter2"}\n',
      sha256(OLD),
      '"name" has not',
    ],
    ['a type id that is a path', OLD, '[mdev_../x]\nmax_instances = 1\n', sha256(OLD), 'may not be written'],
    [
      'a CPU set that is none',
      OLD,
      '[compute]\ncpu_shared_set = 0-3; hunter2\n',
      sha256(OLD),
      'cpu_shared_set must be a list of CPUs',
    ],
    ['control characters', OLD, '# hunter2\u001b[2J\n[pci]\n', sha256(OLD), 'control characters'],
    [
      'a file with a value that could not be written back',
      '[pci]\nalias = hunter2\n',
      NEW,
      sha256('[pci]\nalias = hunter2\n'),
      'must be a JSON object',
    ],
  ])('refuses %s, without its words', async (_what, held, content, was, words) => {
    const { root, run } = prepared(held)
    const result = await run(write(content, was))
    expect(result).toMatchObject({ outcome: 'refused', message: expect.stringContaining(words) })
    expect(JSON.stringify(result)).not.toContain('hunter2')
    expect(existsSync(at(root, FILE)) ? readFileSync(at(root, FILE), 'utf8') : null).toBe(held)
  })

  test('follows no link out of the tree', async () => {
    const { root, run } = prepared(null)
    const outside = path.join(temporaryRoot(), 'outside.conf')
    writeFileSync(outside, OLD)
    const { symlinkSync } = await import('node:fs')
    symlinkSync(outside, at(root, FILE))
    expect(await run(write(NEW, sha256(OLD)))).toMatchObject({ outcome: 'refused' })
    expect(readFileSync(outside, 'utf8')).toBe(OLD)
  })
})

describe('set-vfio-type', () => {
  const held = vendorVfioHost.guests[0]?.pciDevices[0] ?? ''
  const [card] = vendorVfioHost.gpus
  const free =
    card?.slicing?.state.vgpus
      .map(({ slot }) => slot)
      .find((slot) => !vendorVfioHost.guests.some(({ pciDevices }) => pciDevices.includes(slot))) ?? ''
  const set = (address: string, typeNumber: number, was = 1152): AgentCommand => ({
    name: 'set-vfio-type',
    address,
    typeNumber,
    was,
  })

  test('removes a vGPU and restores it', async () => {
    const { run } = open(vendorVfioHost)
    expect(await run(set(free, 0))).toMatchObject({ outcome: 'done', previous: '1152' })
    expect(await run(set(free, 1152, 0))).toMatchObject({ outcome: 'done' })
    expect(await run(set(free, 1152, 0))).toMatchObject({ message: expect.stringContaining('already') })
  })

  test.each([
    ['a VF that a guest holds', set(held, 0), 'is attached to the guest'],
    ['another type than the plan saw', set(free, 0, 1156), 'the plan saw 1156'],
    ['a device without vGPU files', set('0000:5e:00.0', 0), 'has no current_vgpu_type'],
  ])('refuses %s', async (_what, command, words) => {
    const { run } = open(vendorVfioHost)
    expect(await run(command)).toMatchObject({ outcome: 'refused', message: expect.stringContaining(words) })
  })
})

describe('command lines in a tree', () => {
  const restart: AgentCommand = { name: 'restart-nova-compute' }
  const script = (root: string, text: string) => {
    mkdirSync(at(root, '/.sliceboard'), { recursive: true })
    writeFileSync(at(root, '/.sliceboard/restart'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }

  test('run the tree’s own program, with its output', async () => {
    const { root, run } = open(kollaHost)
    script(root, 'echo active')
    expect(await run(restart)).toEqual({
      outcome: 'done',
      message: '"/.sliceboard/restart" was run.',
      output: 'active\n',
    })
    script(root, 'echo no such unit >&2; exit 5')
    expect(await run(restart)).toEqual({
      outcome: 'failed',
      message: '"/.sliceboard/restart" ended with 5.',
      output: 'no such unit\n',
    })
  })

  test('are ended after their time, and a restart names what to check', async () => {
    const { root, run } = open(kollaHost, { programMs: 500 })
    script(root, 'echo stopping; exec sleep 60')
    expect(await run(restart)).toEqual({
      outcome: 'failed',
      message:
        '"/.sliceboard/restart" gave no answer within 0.5 s. The restart may still be in progress. Check the state and the log of nova-compute on this host: from Nova 33 on it waits 160 s for its tasks before it ends ([DEFAULT] manager_shutdown_timeout).',
      output: 'stopping\n',
    })
  })

  test('never run one of this machine', async () => {
    const { run } = open(vendorVfioHost)
    expect(await run({ name: 'run-sriov-manage', address: '0000:41:00.0', enable: true })).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('There is no program'),
    })
  })

  test('run-sriov-manage refuses to take VFs that a guest holds', async () => {
    const { run } = open(vendorVfioHost)
    expect(await run({ name: 'run-sriov-manage', address: '0000:41:00.0', enable: false })).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('is attached to the guest'),
    })
  })
})

describe('restart-nova-compute without a command line in agent.toml', () => {
  const restartIn = (group: string | null) => {
    const root = temporaryRoot()
    const host = createCommandHost({ root, settings: { ...DEFAULT_COMMANDS, allow: COMMAND_NAMES } })
    if (group !== null)
      writeContents(root, {
        [`/sys/fs/cgroup/${group}/cgroup.procs`]: '7\n',
        '/proc/7/cmdline': 'python3\0/usr/bin/nova-compute\0',
      })
    const run = async (words: readonly string[]) => words.join(' ')
    return executeCommand({ ...host, run }, { name: 'restart-nova-compute' })
  }

  test.each([
    ['system.slice/nova-compute@1.service', 'systemctl restart nova-compute@1.service'],
    ['system.slice/openstack-nova-compute.service', 'systemctl restart openstack-nova-compute.service'],
    [null, 'systemctl restart nova-compute'],
  ])('restarts the unit that runs it (%s)', async (group, line) => {
    expect(await restartIn(group)).toMatchObject({ outcome: 'done', output: line })
  })

  test('refuses a unit of a user', async () => {
    expect(
      await restartIn('user.slice/user-1000.slice/user@1000.service/app.slice/n-cpu.service'),
    ).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('n-cpu.service of the user 1000'),
    })
  })
})
