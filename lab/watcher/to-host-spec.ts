import { guestStateFiles } from '@/simulator/host-tree/guest-paths'
import type { ExtraEntry, GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { RESTART_SCRIPT_PATH, RESTART_TRIGGER } from '@/simulator/host-tree/render-nova-process'
import { buildCards } from './build-cards'
import type { LabHost } from './host-file'
import { addressOfDevice, type Hypervisor } from './hypervisor-file'
import { type LabRelease, SYSTEMS } from './releases'

type Guest = Hypervisor['guests'][number]

const guestOf = ({ uuid, name, isRunning, vcpus, memoryMib, mdevs, pciDevices }: Guest): GuestSpec => ({
  uuid,
  name,
  state: isRunning ? 'running' : 'shutoff',
  vcpus,
  memoryMib,
  mdevs,
  pciDevices,
  nova: null,
})

const statusOf = ({ xml }: Guest): string =>
  `<domstatus state='running' reason='booted' pid='4711'>\n${xml}\n</domstatus>\n`

/** The guests' files hold what Nova itself wrote, in place of the simulator's own XML. */
const guestFiles = (guests: Guest[]): ExtraEntry[] => {
  const { live, persistent } = guestStateFiles('package')
  return guests.flatMap((guest): ExtraEntry[] => [
    { kind: 'file', path: `${persistent}/${guest.name}.xml`, content: `${guest.xml}\n`, mode: 0o600 },
    ...(guest.isRunning
      ? [{ kind: 'file' as const, path: `${live}/${guest.name}.xml`, content: statusOf(guest), mode: 0o600 }]
      : []),
  ])
}

const numaNodes = ({ cpus, memoryMib }: LabHost): HostSpec['numaNodes'] => [
  { id: 0, cpus: `0-${cpus / 2 - 1}`, memoryMib: memoryMib / 2 },
  { id: 1, cpus: `${cpus / 2}-${cpus - 1}`, memoryMib: memoryMib / 2 },
]

export type LabHostFacts = {
  name: string
  release: LabRelease
  /** As installed. */
  novaVersion: string
  host: LabHost
  hypervisor: Hypervisor
  /** Files of /etc/nova, unchanged: edits there must persist. */
  novaFiles: { path: string; text: string }[]
  /** Restarts the host's nova-compute; null where there is none. */
  restartScript: string | null
}

/** In place of the simulator's own, which would only play a restart. */
const restartFiles = (script: string | null): ExtraEntry[] => [
  { kind: 'removed', path: RESTART_TRIGGER },
  // There while nova-compute is down too: a writer of a drop-in needs its folder.
  { kind: 'directory', path: '/etc/nova/nova.conf.d', mode: 0o755 },
  ...(script === null
    ? []
    : [{ kind: 'file' as const, path: RESTART_SCRIPT_PATH, content: script, mode: 0o755 }]),
]

/** A lab host as the simulator's tree writer wants it. */
export const toHostSpec = ({
  name,
  release,
  novaVersion,
  host,
  hypervisor,
  novaFiles,
  restartScript,
}: LabHostFacts): HostSpec => ({
  name,
  system: SYSTEMS[release],
  numaNodes: numaNodes(host),
  gpus: buildCards(host, hypervisor),
  otherDevices: [],
  mdevDefinitions: hypervisor.mdevs
    .filter(({ persistent }) => persistent)
    .map(({ uuid, parent, type_id: typeId, autostart }) => ({
      uuid,
      parent: addressOfDevice(parent),
      typeId,
      start: autostart ? 'auto' : 'manual',
    })),
  guests: hypervisor.guests.map(guestOf),
  nova: {
    deployment: 'package',
    version: novaVersion,
    optionNames: 'new',
    types: [],
    sections: {},
    files: novaFiles,
    process: null,
  },
  hasCommandOutput: true,
  extras: [...guestFiles(hypervisor.guests), ...restartFiles(restartScript)],
})
