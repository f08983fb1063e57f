import { allowsCommand } from '@/lib/domain/host/allows-command'
import { CPU_OPTIONS } from '@/lib/domain/nova-config/cpu-options'
import { lostOptions } from '@/lib/domain/nova-config/layout/drop-in-order'
import { type Encoded, encodedLines } from '@/lib/util/encode/encoded'
import { http, httpPart } from '@/lib/util/encode/http'
import { heredoc, sh, shellWord } from '@/lib/util/encode/shell'
import { novaStartOf } from '../host-steps/host-steps'
import type { CpuDraft } from './cpu-draft'
import { CPU_DROP_IN, cpuOptionsText, cpuSwitchText, ownCpuText, wantedCpuText } from './cpu-texts'
import type { ReservationStep } from './tasks'

const NAMES = new Set<string>(Object.values(CPU_OPTIONS).map(([section, name]) => `${section} ${name}`))

/** Why the agent's file would count for nothing: a later file sets one of the options. Null: it counts. */
export const lostCpuDropIn = (config: Parameters<typeof lostOptions>[0]): string | null => {
  const lost = lostOptions(config, {
    file: CPU_DROP_IN,
    isMeant: ({ section, name }) =>
      NAMES.has(`${section === 'DEFAULT' ? section : section.toLowerCase()} ${name}`),
  })
  return lost === null ? null : `${lost.because} ${lost.wayOut}`
}

const editCommand = (host: string, text: Encoded<'nova-conf'>): Encoded<'shell'> =>
  heredoc(sh`edit_nova_conf ${shellWord(host)}`, text)

/** The CPU sets stand in nova.conf. */
export const writeCpuStep = (draft: CpuDraft): ReservationStep => {
  const { joined, before, after } = draft
  const { inventory, name: host } = joined.host
  const config = inventory.novaConfig
  const mayWrite = allowsCommand(inventory, 'write-nova-config')
  const lost = config === null || !mayWrite ? null : lostCpuDropIn(config)
  return {
    id: `write-config/${host}`,
    title: `Write the CPU sets to nova.conf of ${host}`,
    doer: mayWrite && lost === null ? 'agent' : 'operator',
    calls: encodedLines(cpuSwitchText(before, after)),
    command: editCommand(host, cpuSwitchText(before, after)),
    undoCommand: editCommand(host, cpuSwitchText(after, before)),
    sees: [`nova.conf has ${cpuOptionsText(before).replaceAll(/\n+/g, ' ') || 'no CPU set'}.`, lost ?? []]
      .flat()
      .join(' '),
    precondition: 'nova.conf is unchanged since planning.',
    check: "The host's report has these sets, and neither vcpu_pin_set nor reserved_host_cpus.",
    undo: 'Restores nova.conf to its state at planning. nova-compute is then restarted to read it.',
    task: {
      kind: 'write-cpu-config',
      host,
      before,
      after,
      ownBefore: config === null ? null : ownCpuText(config),
      ownAfter: config === null ? null : wantedCpuText(config, after),
      file: CPU_DROP_IN,
      startedAt: novaStartOf(draft),
    },
  }
}

/** Placement has the inventory that the new sets make. */
export const verifyHeadroomStep = ({ joined, splitAfter }: CpuDraft): ReservationStep => {
  const host = joined.host.name
  const rootName = joined.root.value?.name ?? host
  const [vcpu, pcpu] = [splitAfter.shared.size, splitAfter.dedicated.size]
  return {
    id: `verify-room/${host}`,
    title: `Placement shows VCPU ${vcpu} and PCPU ${pcpu} for ${host}`,
    doer: 'console',
    calls: [
      http`GET /resource_providers?name=${httpPart(rootName)}`,
      http`GET /resource_providers/<uuid>/inventories`,
    ],
    command: sh`expect_total VCPU ${vcpu} ${shellWord(rootName)}\nexpect_total PCPU ${pcpu} ${shellWord(rootName)}`,
    undoCommand: sh`:`,
    sees: `Each CPU of cpu_shared_set is one VCPU before the ratio, each of cpu_dedicated_set one PCPU.`,
    precondition:
      'nova-compute has read its configuration; it writes to Placement at its start and every minute.',
    check: `The compute node ${rootName} has VCPU total ${vcpu}, PCPU total ${pcpu} and ${splitAfter.reservedMemoryMib} MiB reserved.`,
    undo: 'None: the step only checks.',
    task: {
      kind: 'verify-room',
      host,
      rootName,
      vcpu,
      pcpu,
      reservedMemoryMib: splitAfter.reservedMemoryMib,
    },
  }
}
