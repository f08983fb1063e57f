import type { ExtraEntry, GpuSpec, HostSpec, PciDeviceSpec } from './host-spec'
import { renderCommands } from './render-commands'
import { renderGuests, renderMdevDefinitions } from './render-guests'
import { renderLibvirt } from './render-libvirt'
import { renderNovaConf } from './render-nova-conf'
import { renderNovaProcess } from './render-nova-process'
import { loadedDrivers, renderDrivers, renderPciDevice, renderSriov, renderSriovScript } from './render-pci'
import { renderSlicing } from './render-slicing'
import { renderSystem } from './render-system'
import { addDirectory, type Tree } from './tree'

/** A part of the tree that can be rendered alone. Equal inputs (by identity) give the same entries. */
export type TreeSection = { key: string; inputs: readonly unknown[]; render: () => Tree }

const rendered = (fill: (tree: Tree) => void): Tree => {
  const tree: Tree = new Map()
  fill(tree)
  return tree
}

const renderGpu = (gpu: GpuSpec): Tree =>
  rendered((tree) => {
    if (gpu.slicing?.isVirtual !== true) renderPciDevice(tree, gpu)
    renderSriov(tree, gpu)
    renderSlicing(tree, gpu)
  })

/** What is there as long as the module is loaded, with or without an mdev. */
const renderMdevBus = (hasMdevs: boolean): Tree =>
  rendered((tree) => {
    if (hasMdevs) addDirectory(tree, '/sys/bus/mdev/devices')
  })

const hasMdevParents = (spec: HostSpec): boolean =>
  spec.gpus.some(
    ({ slicing, vfSlicing, parked }) =>
      (slicing?.interface === 'mdev' && slicing.state.slots.length > 0) ||
      vfSlicing?.interface === 'mdev' ||
      parked?.slicing?.interface === 'mdev',
  )

/** Where the simulator performs what the script requests. */
const hasSriovScript = ({ nova, gpus }: HostSpec): boolean =>
  nova.process !== null && gpus.some(({ sriov }) => (sriov?.totalVfs ?? 0) > 0)

const renderOthers = (devices: PciDeviceSpec[]): Tree =>
  rendered((tree) => {
    for (const device of devices) renderPciDevice(tree, device)
  })

/** A host's tree in parts, so that a change re-renders only what it touched. */
export const hostTreeSections = (spec: HostSpec): TreeSection[] => [
  {
    key: 'system',
    inputs: [spec.name, spec.system, spec.numaNodes, ...spec.gpus.map((gpu) => gpu.driver)],
    render: () => rendered((tree) => renderSystem(tree, spec)),
  },
  { key: 'mdev-bus', inputs: [hasMdevParents(spec)], render: () => renderMdevBus(hasMdevParents(spec)) },
  {
    key: 'pci-drivers',
    inputs: loadedDrivers(spec),
    render: () => rendered((tree) => renderDrivers(tree, loadedDrivers(spec))),
  },
  {
    key: 'sriov-manage',
    inputs: [hasSriovScript(spec)],
    render: () => rendered((tree) => hasSriovScript(spec) && renderSriovScript(tree)),
  },
  { key: 'other-devices', inputs: [spec.otherDevices], render: () => renderOthers(spec.otherDevices) },
  ...spec.gpus.map((gpu) => ({ key: `gpu ${gpu.address}`, inputs: [gpu], render: () => renderGpu(gpu) })),
  {
    key: 'guests',
    inputs: [spec.guests, spec.nova.deployment],
    render: () => rendered((tree) => renderGuests(tree, spec)),
  },
  {
    key: 'libvirt',
    inputs: [spec.nova.deployment],
    render: () => rendered((tree) => renderLibvirt(tree, spec.nova.deployment)),
  },
  {
    key: 'mdevctl',
    inputs: [spec.mdevDefinitions, spec.nova.deployment],
    render: () => rendered((tree) => renderMdevDefinitions(tree, spec)),
  },
  {
    key: 'nova',
    inputs: [spec.name, spec.nova, spec.system.osId],
    render: () => rendered((tree) => renderNovaConf(tree, spec)),
  },
  {
    key: 'nova-process',
    inputs: [spec.nova.process, spec.nova.deployment, spec.system.osId],
    render: () => rendered((tree) => renderNovaProcess(tree, spec)),
  },
  {
    key: 'commands',
    inputs: [
      spec.system,
      spec.nova.version,
      spec.gpus,
      spec.guests,
      spec.hasCommandOutput,
      spec.measuredAtMs,
    ],
    render: () => rendered((tree) => renderCommands(tree, spec)),
  },
]

const applyExtras = (tree: Tree, extras: ExtraEntry[]): void => {
  for (const extra of extras) {
    if (extra.kind === 'removed') tree.delete(extra.path)
    else if (extra.kind === 'link') tree.set(extra.path, { kind: 'link', target: extra.target })
    else if (extra.kind === 'directory') tree.set(extra.path, { kind: 'directory', mode: extra.mode })
    else tree.set(extra.path, { kind: 'file', content: extra.content, mode: extra.mode })
  }
}

/** The whole tree of a host: pure, so a fixture is a value. */
export const renderHostTree = (spec: HostSpec): Tree => {
  const tree: Tree = new Map()
  for (const section of hostTreeSections(spec)) {
    for (const [path, entry] of section.render()) tree.set(path, entry)
  }
  applyExtras(tree, spec.extras)
  return tree
}
