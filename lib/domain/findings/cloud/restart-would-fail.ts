import { expectedParents, isPciInPlacement } from '@/lib/domain/cloud/expected-providers'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { listedFunctions } from '@/lib/domain/cloud/vf-promise'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import type { DeviceSpec } from '@/lib/domain/nova-config/device-spec'
import { effectiveOptions, optionSource } from '@/lib/domain/nova-config/effective-options'
import { vfIds } from '@/lib/domain/nova-config/listed-functions'
import { readMigrationOptions } from '@/lib/domain/nova-config/migration-options'
import { rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { pciClass } from '@/lib/domain/nova-config/pci-names'
import { MANAGED_PCI, specTraits } from '@/lib/domain/nova-config/spec-traits'
import { listText } from '@/lib/domain/wording'
import type { NovaOption } from '@/lib/schemas/agent/inventory'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { sh, shellWord } from '@/lib/util/encode/shell'
import type { Finding } from '../finding'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'restart-would-fail' as const

const base = (joined: JoinedHost) => ({
  code: CODE,
  severity: 'error' as const,
  subject: { kind: 'host' as const, host: joined.host.name },
  consequence: 'nova-compute does not start at its next restart or at a reboot of the host.',
  sourceToCorrect: 'nova.conf' as const,
})

/** At start a class that changed while allocated turns into PlacementPciException (nova/compute/resource_tracker.py). */
const changedClass = (joined: JoinedHost, fleet: Fleet): Finding[] => {
  const changes = joined.pgpus.flatMap(({ pgpu, providers }) =>
    (expectedParents(joined, pgpu.address) ?? []).flatMap((parent) => {
      const entry = providers.find(({ kind, address }) => kind === 'mdev' && address === parent.address)
      const old = Object.entries(entry?.provider.inventories ?? {}).find(
        ([name, { used }]) => name !== parent.resourceClass && used > 0,
      )
      return old === undefined || entry === undefined
        ? []
        : [
            {
              name: entry.provider.name,
              was: old[0],
              used: old[1].used,
              becomes: parent.resourceClass,
              type: parent.typeId,
            },
          ]
    }),
  )
  const [first] = changes
  if (first === undefined) return []
  return [
    makeFinding({
      ...base(joined),
      part: 'class',
      sentence: `mdev_class changes ${first.was} to ${first.becomes} while ${first.was} is allocated`,
      nextStep: `First migrate or delete the servers that hold ${first.was}, or set mdev_class = ${first.was} for ${first.type} again.`,
      evidence: [
        hostReports(joined, 'nova.conf', `[mdev_${first.type}] configures ${first.becomes}`),
        cloudReports(fleet, 'providers', `${listText(changes.map(({ name }) => name))}: ${first.was} in use`),
      ],
    }),
  ]
}

/**
 * From Nova 30 on every inactive defined mdev is started at start, and a failure is not caught (nova/virt/libvirt/driver.py
 * _start_inactive_mediated_devices).
 */
const unstartable = (joined: JoinedHost): Finding[] => {
  const stuck = joined.pgpus.flatMap(({ pgpu, functions }) =>
    (joined.host.inventory.mdevs ?? []).filter((mdev) => {
      if (mdev.isActive || mdev.definition === null || !functions.includes(mdev.parent)) return false
      const type = pgpu.supportedTypes?.find((entry) => entry.typeId === mdev.definition?.typeId)
      return pgpu.supportedTypes !== null && (type === undefined || type.creatable === 0)
    }),
  )
  if (stuck.length === 0) return []
  const [first] = stuck
  return [
    makeFinding({
      ...base(joined),
      part: 'mdev',
      sentence: `${stuck.length === 1 ? 'a defined mdev' : `${stuck.length} defined mdevs`} cannot be started, and nova-compute (2024.2 and newer) tries to`,
      nextStep: 'Undefine the mdevs that cannot be created on their card.',
      command: sh`virsh nodedev-undefine ${shellWord(`mdev_${first?.uuid.replaceAll('-', '_')}_${first?.parent.replace(/[:.]/g, '_')}`)}`,
      sourceToCorrect: 'hardware',
      evidence: [
        hostReports(joined, 'hardware', listText(stuck.map((mdev) => mdev.definition?.path ?? mdev.uuid))),
        hostReports(
          joined,
          'hardware',
          `no free capacity for ${first?.definition?.typeId} on ${first?.parent}`,
        ),
      ],
    }),
  ]
}

/** PCI in Placement takes one class per PF, and a PF or its VFs (nova/compute/pci_placement_translator.py). */
const pciRule = (joined: JoinedHost, { pgpu }: JoinedPgpu): string | null => {
  const range = joined.nova?.range ?? null
  const listed = listedFunctions(joined, pgpu)
  const functions = listed.filter(({ isVf }) => isVf)
  // The full address of a PF also matches its VFs: only a separate line assigns VFs in addition to it.
  const whole = listed.find(({ isVf }) => !isVf)
  if (whole !== undefined && functions.some(({ spec }) => spec.source !== whole.spec.source))
    return `device_spec assigns ${pgpu.address} and its VFs`
  const kindsOf = (text: (spec: DeviceSpec) => string): string[] => [
    ...new Set(functions.map(({ spec }) => text(spec))),
  ]
  const classes = kindsOf((spec) => pciClass(spec.resource_class, vfIds(pgpu)) ?? 'the default class')
  if (classes.length > 1) return `VFs of ${pgpu.address} have the classes ${listText(classes)}`
  const traits = kindsOf(
    ({ one_time_use: _, ...spec }) =>
      specTraits(spec, range)
        .filter((trait) => trait !== MANAGED_PCI)
        .join(' and ') || 'none',
  )
  if (traits.length > 1) return `VFs of ${pgpu.address} have different traits: ${listText(traits)}`
  const single = functions.find(({ spec }) => spec.one_time_use !== undefined)
  return single !== undefined && rangeHas(range, 'oneTimeUse') !== false
    ? `${single.address} is a VF and has one_time_use, which only whole cards may have`
    : null
}

const pciOptions = (joined: JoinedHost): Finding[] => {
  if (isPciInPlacement(joined) !== true) return []
  const rules = joined.pgpus.map((entry) => pciRule(joined, entry)).filter((rule) => rule !== null)
  const [first] = rules
  if (first === undefined) return []
  return [
    makeFinding({
      ...base(joined),
      part: 'pci',
      sentence: `${first}; nova-compute does not start with report_in_placement`,
      nextStep:
        'Give all VFs of a card the same resource_class, traits and live_migratable, and assign either the card or its VFs. Remove one_time_use from VFs.',
      evidence: rules.map((rule) => hostReports(joined, 'nova.conf', rule)),
    }),
  ]
}

/**
 * Once enabled, it cannot be disabled (nova/compute/pci_placement_translator.py ensure_tracking_was_not_enabled_before).
 */
const pciTakenBack = (joined: JoinedHost, fleet: Fleet): Finding[] => {
  if (isPciInPlacement(joined) !== false) return []
  const names = joined.pgpus.flatMap(({ providers }) =>
    providers
      .filter(({ kind, provider }) => kind === 'pci' && provider.traits?.includes(MANAGED_PCI) === true)
      .map(({ provider }) => provider.name),
  )
  if (names.length === 0) return []
  return [
    makeFinding({
      ...base(joined),
      part: 'pci-off',
      sentence: 'report_in_placement is off, and Placement still has the PCI devices that it reported',
      nextStep:
        'Set report_in_placement = True again. To disable it, first remove the devices from device_spec and restart nova-compute, which then removes their providers.',
      command: novaConf`[pci]\nreport_in_placement = True`,
      evidence: [
        hostReports(joined, 'nova.conf', '[pci] has no report_in_placement = True'),
        cloudReports(fleet, 'providers', `${listText(names)} with ${MANAGED_PCI}`),
      ],
    }),
  ]
}

const cpuRule = (
  find: (section: string, name: string) => NovaOption | undefined,
): [NovaOption, string] | null => {
  const shared = find('compute', 'cpu_shared_set')
  const dedicated = find('compute', 'cpu_dedicated_set')
  const reserved = find('DEFAULT', 'reserved_host_cpus')
  const pinned = find('DEFAULT', 'vcpu_pin_set')
  if (shared !== undefined && dedicated !== undefined) {
    const held = parseCpuSet(shared.value)
    if ([...parseCpuSet(dedicated.value)].some((cpu) => held.has(cpu)))
      return [dedicated, 'cpu_shared_set and cpu_dedicated_set overlap']
  }
  if (reserved !== undefined && Number(reserved.value) > 0 && (shared ?? dedicated) !== undefined)
    return [reserved, 'reserved_host_cpus is set together with cpu_shared_set or cpu_dedicated_set']
  return pinned !== undefined && dedicated !== undefined
    ? [pinned, 'vcpu_pin_set is set together with cpu_dedicated_set']
    : null
}

/** Source: nova/virt/libvirt/driver.py, nova/conf/compute.py. */
const cpuOptions = (joined: JoinedHost): Finding[] => {
  const config = joined.host.inventory.novaConfig
  const options = config === null ? [] : effectiveOptions(config).filter((entry) => entry.isEffective)
  const broken = cpuRule(
    (section, name) =>
      options.find(
        // To Nova an empty value is none: it is how a later file takes an option back.
        ({ present, option }) =>
          present.section === section && present.name === name && option.value.trim() !== '',
      )?.option,
  )
  if (broken === null) return []
  const [option, rule] = broken
  return [
    makeFinding({
      ...base(joined),
      part: 'cpu',
      sentence: `${rule}; nova-compute does not start`,
      nextStep: 'Use only one of these ways to reserve CPUs, and list each CPU in one set only.',
      evidence: [
        hostReports(joined, 'nova.conf', `${optionSource(option)}: ${option.name} = ${option.value}`),
      ],
    }),
  ]
}

/** At start nova-compute logs every option, so a value that oslo.config refuses ends it (oslo_service/service.py). */
const migrationOptions = (joined: JoinedHost): Finding[] => {
  const config = joined.host.inventory.novaConfig
  const refused = (config === null ? [] : readMigrationOptions(config)).flatMap(({ value, option, min }) =>
    value === null && option !== null ? [{ option, min }] : [],
  )
  const [first] = refused
  if (first === undefined) return []
  return [
    makeFinding({
      ...base(joined),
      part: 'migration',
      sentence: `${first.option.name} = ${first.option.value} is invalid; nova-compute does not start`,
      nextStep: `Write a whole number of at least ${first.min}, or remove the line.`,
      evidence: refused.map(({ option }) =>
        hostReports(joined, 'nova.conf', `${optionSource(option)}: ${option.name} = ${option.value}`),
      ),
    }),
  ]
}

/** What would keep nova-compute from starting again, beyond what a host's own configuration detectors say. */
export const restartWouldFail: JoinedHostDetector = {
  code: CODE,
  title: 'nova-compute will fail to restart',
  reference: {
    severities: ['error'],
    sources: ['nova.conf', 'hardware'],
    detection:
      'nova.conf, mdev definitions and Placement: a setting or a defined mdev makes nova-compute stop when it starts.',
    consequence: 'nova-compute does not start at its next restart or at a reboot of the host.',
    nextStep:
      'Follow the finding: restore or correct the option, restore the resource class, or undefine the mdevs that cannot be started.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) => [
    ...changedClass(joined, fleet),
    ...unstartable(joined),
    ...cpuOptions(joined),
    ...migrationOptions(joined),
    ...pciOptions(joined),
    ...pciTakenBack(joined, fleet),
  ],
}
