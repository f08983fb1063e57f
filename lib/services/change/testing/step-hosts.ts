import { PROVIDER_CONFIG_FILE, providerConfigContent } from '@/lib/schemas/agent/provider-config'
import { RHEL_94, vgpu } from '@/simulator/fixtures/host-parts'
import type { GpuSpec } from '@/simulator/host-tree/host-spec'
import { novaConfFiles } from '@/simulator/host-tree/render-nova-conf'
import { mdevProviderName } from '@/simulator/openstack/compute/compute-host'
import type { FleetHost } from '@/simulator/world/fleet-host'

/** Its packages take drop-ins, so that its agent can write nova.conf. */
export const RETYPED = 'cmp-r2-05'
/** Sliced by vendor VFIO, its [pci] in a drop-in of the console. */
export const VFIO = 'cmp-r6-01'

/** With a Nova that takes a provider without room out of Placement; an older one leaves it, and its total with it. */
const still = (host: FleetHost): FleetHost => ({
  ...host,
  spec: { ...host.spec, nova: { ...host.spec.nova, version: '29.2.0' } },
  story: { kind: 'still' },
})

/** Without servers and mdevs, which would not return when a change of the type is reverted. */
export const emptied = (host: FleetHost): FleetHost => ({
  ...host,
  spec: {
    ...host.spec,
    guests: [],
    mdevDefinitions: [],
    gpus: host.spec.gpus.map((gpu) =>
      gpu.slicing === null
        ? gpu
        : { ...gpu, slicing: { ...gpu.slicing, state: { ...gpu.slicing.state, vgpus: [] } } },
    ),
  },
})

/** The first card has one VF with an unused type. */
const oneTyped = (host: FleetHost): FleetHost => ({
  ...host,
  spec: {
    ...host.spec,
    gpus: host.spec.gpus.map((gpu, index) => {
      const [slot] = gpu.slicing?.state.slots ?? []
      if (gpu.slicing === null || slot === undefined || index > 0) return gpu
      const state = { ...gpu.slicing.state, vgpus: [vgpu(slot, 'nvidia-1152')] }
      return { ...gpu, slicing: { ...gpu.slicing, state } }
    }),
  },
})

/** Its first card goes to servers whole, by a file of the console. */
export const WHOLE = 'cmp-r2-06'

const slotsOf = ({ slicing }: GpuSpec): readonly string[] => slicing?.state.slots ?? []

/** nova.conf gives the other cards their type by address, so that the first has none when it comes back. */
const handedOut = (host: FleetHost): FleetHost => {
  const [first, ...others] = host.spec.gpus
  if (first === undefined) return host
  const { slicing, ...card } = first
  const addresses = others.flatMap(slotsOf)
  const types = host.spec.nova.types.map((type) => ({ ...type, addresses }))
  const spec = `device_spec = {"vendor_id": "${card.ids.vendor}", "product_id": "${card.ids.device}", "address": "${card.address}"}`
  const nova = { ...host.spec.nova, types }
  const files = [
    ...novaConfFiles(host.spec.name, nova),
    { path: '/etc/nova/nova.conf.d/99-sliceboard-pci.conf', text: `[pci]\n${spec}\n` },
  ]
  const whole = { ...card, driver: 'vfio-pci', slicing: null, parked: { driver: 'nvidia', slicing } }
  const sriov = card.sriov === null ? null : { ...card.sriov, enabledVfs: 0 }
  return {
    ...host,
    spec: {
      ...host.spec,
      gpus: [{ ...whole, sriov }, ...others],
      nova: { ...nova, sections: { pci: [spec] }, files },
    },
  }
}

/** The second card has the trait of another type, by provider config: it goes, once it has left the file. */
const misnamed = (host: FleetHost): FleetHost => {
  const { nova, gpus, ...rest } = host.spec
  const provider = mdevProviderName(host.spec, gpus[1]?.address ?? '')
  const providerTraits = [{ provider, traits: ['CUSTOM_GRID_T4_8C'] }]
  const file = {
    path: `/etc/nova/provider_config/${PROVIDER_CONFIG_FILE}`,
    text: providerConfigContent(providerTraits),
  }
  const files = [...(nova.files ?? []), file]
  return { ...host, spec: { ...rest, gpus, nova: { ...nova, providerTraits, files } } }
}

/** A host with SR-IOV, of which the demo has some. */
const SRIOV = 'cmp-r4-01'
/** One with a card that is whole, its VFs off, and two whose vGPUs live on VFs; packages that take drop-ins. */
export const WITH_VFS = 'cmp-r4-03'
const MAX_VFS = 2

/** As many VFs as show what happens to them. */
const withFewVfs = (gpu: GpuSpec): GpuSpec => {
  const { slicing, sriov } = gpu
  if (slicing === null || sriov === null) return gpu
  const slots = slicing.state.slots.slice(0, MAX_VFS)
  return {
    ...gpu,
    sriov: { ...sriov, totalVfs: MAX_VFS, enabledVfs: MAX_VFS },
    slicing: { ...slicing, state: { ...slicing.state, slots } },
  }
}

const onVfs = (host: FleetHost): FleetHost => ({
  ...host,
  spec: {
    ...host.spec,
    name: WITH_VFS,
    system: RHEL_94,
    gpus: host.spec.gpus.slice(0, 3).map(withFewVfs),
    nova: {
      ...host.spec.nova,
      types: host.spec.nova.types.map((type) => ({ ...type, maxInstances: null })),
    },
  },
})

/** The hosts of the demo on which every kind of change can be completed and reverted. */
export const stepHosts = (fleet: readonly FleetHost[]): FleetHost[] => [
  ...fleet
    .slice(0, 4)
    .map(still)
    .map((host) => (host.spec.name === VFIO ? oneTyped(emptied(host)) : host)),
  ...fleet
    .filter(({ spec }) => spec.name === RETYPED)
    .map(still)
    .map(emptied),
  ...fleet
    .filter(({ spec }) => spec.name === WHOLE)
    .map(still)
    .map(emptied)
    .map(handedOut)
    .map(misnamed),
  ...fleet
    .filter(({ spec }) => spec.name === SRIOV)
    .map(still)
    .map(emptied)
    .map(onVfs)
    .map(handedOut),
]
