import type { DeviceChoice } from '@/simulator/host/choose-device'
import type { GpuSpec, GuestSpec } from '@/simulator/host-tree/host-spec'
import type { Random } from '@/simulator/random/random'
import { newServerName, type Project } from './projects'

/** `NVIDIA A40-4Q` is `a40-4q`; a whole card is named by its model. */
const deviceLabel = (choice: DeviceChoice): string => {
  if (choice.kind === 'whole') return `gpu.${wholeCardLabel(choice.gpu)}`
  const { typeId } = choice
  const name = choice.gpu.slicing.types.find((type) => type.typeId === typeId)?.name ?? typeId
  return `vgpu.${name.slice(name.lastIndexOf(' ') + 1).toLowerCase()}`
}

const WHOLE_CARDS: Record<string, string> = {
  '10de:1024': 'k40c',
  '10de:1e30': 'rtx6000',
  '10de:2331': 'h100',
  '1002:740f': 'mi210',
  '1002:745e': 'w7800',
}

const wholeCardLabel = (gpu: GpuSpec): string => WHOLE_CARDS[`${gpu.ids.vendor}:${gpu.ids.device}`] ?? 'whole'

/** Bigger slices come with more CPU and memory. */
const sizeOf = (choice: DeviceChoice): { vcpus: number; memoryMib: number } => {
  if (choice.kind === 'whole') return { vcpus: 32, memoryMib: 131_072 }
  const type = choice.gpu.slicing.state.types.find(({ typeId }) => typeId === choice.typeId)
  const gib = Math.max(1, (type?.framebufferMib ?? 1024) / 1024)
  const vcpus = Math.min(32, Math.max(2, 2 ** Math.ceil(Math.log2(gib))))
  return { vcpus, memoryMib: vcpus * 4096 }
}

/** Name and size of the flavor that gives a device. */
export const flavorOfDevice = (choice: DeviceChoice): { name: string; vcpus: number; memoryMib: number } => ({
  name: deviceLabel(choice),
  ...sizeOf(choice),
})

export type NewGuest = {
  choice: DeviceChoice
  project: Project
  takenNames: Set<string>
  /** Counts up over the whole cloud. */
  instanceNumber: number
  createdAt: Date
  random: Random
}

/** A server's guest as Nova would define it, its devices still to be given. */
export const newGuest = ({
  choice,
  project,
  takenNames,
  instanceNumber,
  createdAt,
  random,
}: NewGuest): GuestSpec => {
  const user = random.pick(project.users)
  return {
    uuid: random.uuid(),
    name: `instance-${instanceNumber.toString(16).padStart(8, '0')}`,
    state: 'running',
    ...sizeOf(choice),
    mdevs: [],
    pciDevices: [],
    nova: {
      namespace: '1.1',
      serverName: newServerName(takenNames, project, random),
      flavorName: deviceLabel(choice),
      projectId: project.id,
      projectName: project.name,
      userId: user?.id ?? '',
      userName: user?.name ?? '',
      createdAt: createdAt.toISOString().slice(0, 19).replace('T', ' '),
    },
  }
}
