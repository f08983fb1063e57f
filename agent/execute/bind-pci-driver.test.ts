import { readlinkSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import type { AgentCommand, CommandName } from '@/lib/schemas/agent/command'
import { a40Host } from '@/simulator/fixtures/a40-host'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { rtxPassthroughHost } from '@/simulator/fixtures/rtx-passthrough-host'
import { createLivingHost } from '@/simulator/host/living-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

const open = (spec: HostSpec, allow: readonly CommandName[] = ['bind-pci-driver']) => {
  const root = temporaryRoot()
  writeHostTree(root, spec)
  const living = createLivingHost({ root, spec, now: () => new Date(0), newUuid: () => '' })
  const host = createCommandHost({
    root,
    settings: { ...DEFAULT_COMMANDS, allow },
    patienceMs: 0,
    pause: async () => {
      living.applyWrites()
    },
  })
  const driverOf = (address: string): string =>
    path.basename(readlinkSync(path.join(root, `/sys/bus/pci/devices/${address}/driver`)))
  return { root, living, driverOf, run: (command: AgentCommand) => executeCommand(host, command) }
}

const SOUND = '0000:b3:00.1'
const K40C = '0000:17:00.0'

const bind = (over: Partial<Extract<AgentCommand, { name: 'bind-pci-driver' }>> = {}): AgentCommand => ({
  name: 'bind-pci-driver',
  address: K40C,
  driver: 'vfio-pci',
  was: 'nouveau',
  ...over,
})

test('a card goes to vfio-pci and back, and a second time nothing is touched', async () => {
  const { driverOf, run } = open(rtxPassthroughHost)
  expect(await run(bind())).toEqual({
    outcome: 'done',
    message: `${K40C} went from nouveau to vfio-pci.`,
    output: '',
  })
  expect(driverOf(K40C)).toBe('vfio-pci')
  expect(await run(bind())).toMatchObject({
    outcome: 'done',
    message: `${K40C} is bound to vfio-pci already.`,
  })
  expect(await run(bind({ driver: 'nouveau', was: 'vfio-pci' }))).toMatchObject({ outcome: 'done' })
  expect(driverOf(K40C)).toBe('nouveau')
})

test('the sound of a card goes along; the network card of the host is not to be had', async () => {
  const { driverOf, run } = open(rtxPassthroughHost)
  expect(await run(bind({ address: SOUND, was: 'snd_hda_intel' }))).toMatchObject({ outcome: 'done' })
  expect(driverOf(SOUND)).toBe('vfio-pci')
  expect(await run(bind({ address: '0000:5e:00.0', was: 'mlx5_core' }))).toEqual({
    outcome: 'refused',
    message: '0000:5e:00.0 is no GPU and no function of one.',
    output: '',
  })
  expect(driverOf('0000:5e:00.0')).toBe('mlx5_core')
})

test.each([
  ['of another driver than the plan saw', rtxPassthroughHost, bind({ was: 'nvidia' }), /the plan saw nvidia/],
  [
    'that a guest names',
    rtxPassthroughHost,
    bind({ address: '0000:65:00.0', driver: 'nouveau', was: 'vfio-pci' }),
    /attached to the guest instance-00000b21/,
  ],
  [
    'that carries an mdev',
    { ...kollaHost, guests: [] },
    bind({ address: '0000:af:00.0', was: 'nvidia' }),
    /carries the mdev/,
  ],
  [
    'whose VFs are on',
    { ...a40Host, guests: [] },
    bind({ address: a40Host.gpus[0]?.address ?? '', was: 'nvidia' }),
    /has virtual functions/,
  ],
  [
    'for a driver that the kernel does not have',
    rtxPassthroughHost,
    bind({ driver: 'e1000e' }),
    /no PCI driver e1000e: load it with "modprobe e1000e"/,
  ],
  [
    'for a driver that is a path',
    rtxPassthroughHost,
    bind({ driver: '../../x' }),
    /malformed: driver must be/,
  ],
  ['that is not there', rtxPassthroughHost, bind({ address: '0000:01:00.0' }), /no PCI device/],
])('a card %s is refused', async (_, spec, command, message) => {
  const { run } = open(spec)
  expect(await run(command)).toMatchObject({ outcome: 'refused', message: expect.stringMatching(message) })
})

test('a driver that does not take the card is a failure with that reason', async () => {
  const { root, run } = open(rtxPassthroughHost)
  rmSync(path.join(root, '/sys/bus/pci/drivers_probe'))
  expect(await run(bind())).toMatchObject({ outcome: 'failed' })
})

test('a host that does not allow it refuses', async () => {
  const { run, driverOf } = open(rtxPassthroughHost, [])
  expect(await run(bind())).toMatchObject({ outcome: 'refused' })
  expect(driverOf(K40C)).toBe('nouveau')
})
