import { ASPEED_BMC, hostSpec, NETWORK_CARD } from '@/simulator/fixtures/host-parts'
import type { Vgpu } from '@/simulator/gpu-rules/gpu-state'
import type { VendorPlan } from '@/simulator/host/choose-device'
import type { GpuSpec, HostSpec, NovaTypeSpec } from '@/simulator/host-tree/host-spec'
import type { Connection, FleetHost, Story } from '@/simulator/world/fleet-host'
import type { ProjectName } from '@/simulator/world/projects'

export const STILL: Story = { kind: 'still' }

export const churn = (
  targetUse: number,
  options: { canReboot?: boolean; canHaveTornXml?: boolean } = {},
): Story => ({
  kind: 'churn',
  targetUse,
  canReboot: options.canReboot ?? false,
  canHaveTornXml: options.canHaveTornXml ?? false,
})

export const retype = (targetUse: number, others: NovaTypeSpec[]): Story => ({
  kind: 'retype',
  targetUse,
  others,
  everyMs: 360_000,
})

type FleetHostOptions = Partial<HostSpec> &
  Pick<HostSpec, 'name' | 'gpus'> & {
    plan?: VendorPlan
    projects: ProjectName[]
    story: Story
    connection?: Connection
  }

export const fleetHost = ({ plan, projects, story, connection, ...spec }: FleetHostOptions): FleetHost => ({
  spec: hostSpec({ otherDevices: [ASPEED_BMC, NETWORK_CARD], ...spec }),
  plan: plan ?? {},
  projects,
  story,
  connection: connection ?? { kind: 'always' },
})

/** Slots of a host's cards, for `device_addresses`. */
export const slotsOf = (gpus: GpuSpec[]): string[] => gpus.flatMap((gpu) => gpu.slicing?.state.slots ?? [])

/** One type on every card. */
export const planFor = (gpus: GpuSpec[], typeId: string): VendorPlan =>
  Object.fromEntries(gpus.map((gpu) => [gpu.address, typeId]))

/** vGPUs that were made before the story begins. */
export const withVgpus = (gpus: GpuSpec[], vgpus: Vgpu[]): GpuSpec[] =>
  gpus.map((gpu) => {
    if (gpu.slicing === null) return gpu
    const { state } = gpu.slicing
    const own = vgpus.filter((vgpu) => state.slots.includes(vgpu.slot))
    return own.length === 0 ? gpu : { ...gpu, slicing: { ...gpu.slicing, state: { ...state, vgpus: own } } }
  })
