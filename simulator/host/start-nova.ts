import { readCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import { effectiveOptions } from '@/lib/domain/nova-config/effective-options'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { makeMdev } from './change-vgpus'
import { gpuOfVgpu } from './host-lookup'
import { loadedTypes, novaRefusal } from './nova-refusal'
import { loadedProviderTraits, providerConfigRefusal } from './provider-config'
import type { NovaConfigRead } from './read-nova-config'

const FIRST_PID = 2400

const releaseOf = ({ nova }: HostSpec): number => Number.parseInt(nova.version, 10)

/** Of /proc: a start that comes later is seen as later, even on a stopped clock. */
const TICK_MS = 10

/** A host whose nova-compute has just ended with this line in its log, or runs (null). */
export const withNovaProcess = (spec: HostSpec, nowMs: number, failure: string | null): HostSpec => {
  const { process } = spec.nova
  const pid = (process?.pid ?? FIRST_PID) + 1
  const startedAtMs = process === null ? nowMs : Math.max(nowMs, process.startedAtMs + TICK_MS)
  return { ...spec, nova: { ...spec.nova, process: { pid, startedAtMs, failure } } }
}

const PCI_OPTIONS = new Set(['device_spec', 'alias', 'report_in_placement'])

const pciLines = (config: NovaConfig): string[] =>
  effectiveOptions(config).flatMap(({ option, present, isEffective }) =>
    isEffective && present.section === 'pci' && PCI_OPTIONS.has(present.name)
      ? [`${present.name} = ${option.value}`]
      : [],
  )

/** As the files say it; without a change of the files they say what nova-compute has already. */
const withLoadedConfig = (spec: HostSpec, config: NovaConfig): HostSpec => {
  if (spec.nova.files === null) return spec
  const { pci: _, ...others } = spec.nova.sections
  const pci = pciLines(config)
  const sections = pci.length === 0 ? others : { ...others, pci }
  const types = loadedTypes(config, releaseOf(spec))
  return {
    ...spec,
    nova: {
      ...spec.nova,
      sections,
      types,
      cpu: readCpuOptions(config),
      providerTraits: loadedProviderTraits(config),
    },
  }
}

type Mdevs = { spec: HostSpec; failure: string | null }

/**
 * From 30.0.0 on every definition that is not active is started, of any type, and outside any try: one that can't be
 * started ends nova-compute (driver.py _start_inactive_mediated_devices).
 */
const withDefinedMdevs = (spec: HostSpec): Mdevs => {
  if (releaseOf(spec) < 30) return { spec, failure: null }
  let current = spec
  for (const { uuid, parent, typeId } of spec.mdevDefinitions) {
    if (gpuOfVgpu(current, uuid) !== null) continue
    const outcome = makeMdev(current, { slot: parent, typeId, uuid })
    if (outcome.isDone) current = outcome.spec
    else {
      const failure = `libvirt.libvirtError: internal error: Unable to start mediated device: no ${typeId} left on ${parent}`
      return { spec: current, failure }
    }
  }
  return { spec: current, failure: null }
}

/** Up to 31 Nova asks libvirt for the mdevs of all guests and does not outlive one that is gone. */
const missingMdev = (spec: HostSpec): string | null => {
  if (releaseOf(spec) > 31) return null
  const missing = spec.guests.flatMap(({ mdevs }) => mdevs).find((uuid) => gpuOfVgpu(spec, uuid) === null)
  if (missing === undefined) return null
  return `libvirt.libvirtError: Node device not found: no node device with matching name 'mdev_${missing.replaceAll('-', '_')}'`
}

const refusalOf = (spec: HostSpec, { config, errors }: NovaConfigRead): string | null => {
  const [error] = errors
  if (config === null) return 'oslo_config.cfg.ConfigFilesNotFoundError: Failed to find some config files'
  if (error !== undefined) return `oslo_config.cfg.ConfigFileParseError: ${error}`
  return novaRefusal(config, releaseOf(spec)) ?? providerConfigRefusal(config)
}

/**
 * A start of nova-compute: it reads nova.conf, refuses what it can't work with, and starts the mdevs that are defined.
 * `read` null: as it did before, nothing was written since. `nova.process.failure` of the outcome is its last line, null when it runs.
 */
export const startedNova = (spec: HostSpec, read: NovaConfigRead | null, nowMs: number): HostSpec => {
  const refusal = read === null ? null : refusalOf(spec, read)
  if (refusal !== null) return withNovaProcess(spec, nowMs, refusal)
  const config = read?.config ?? null
  const mdevs = withDefinedMdevs(config === null ? spec : withLoadedConfig(spec, config))
  return withNovaProcess(mdevs.spec, nowMs, mdevs.failure ?? missingMdev(mdevs.spec))
}
