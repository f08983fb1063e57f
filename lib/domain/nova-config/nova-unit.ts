import type { Inventory, NovaConfig } from '@/lib/schemas/agent/inventory'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellWord } from '@/lib/util/encode/shell'

/** systemd's name of nova-compute where the agent reports none; null: a pod of openstack-helm. Kolla-Ansible before 2023.1 has a container alone. */
const UNITS: Readonly<Record<NovaConfig['deployment'], string | null>> = {
  package: 'nova-compute',
  given: 'nova-compute',
  kolla: 'kolla-nova_compute-container',
  tripleo: 'tripleo_nova_compute',
  rhoso: 'edpm_nova_compute',
  snap: 'snap.openstack-hypervisor.nova-compute',
  'openstack-helm': null,
}

/** Where nova-compute writes elsewhere than into the journal of its unit, seen from the host. */
const LOGS: Partial<Record<NovaConfig['deployment'], Encoded<'shell'>>> = {
  kolla: sh`tail -n 200 /var/log/kolla/nova/nova-compute.log`,
  tripleo: sh`tail -n 200 /var/log/containers/nova/nova-compute.log`,
  rhoso: sh`podman logs --tail 200 nova_compute`,
}

/** RDO and SUSE put the project's name in front. */
const isRpm = ({ osName }: Inventory['host']): boolean =>
  /red hat|centos|rocky|alma|oracle|fedora|suse/i.test(osName ?? '')

/** Without the suffix, which systemctl and journalctl add. */
const reportedUnit = ({ novaUnit }: Inventory['host']): string | null =>
  novaUnit == null ? null : novaUnit.name.replace(/\.service$/, '')

const unitOf = ({ host, novaConfig }: Pick<Inventory, 'host' | 'novaConfig'>): string | null => {
  const unit = UNITS[novaConfig?.deployment ?? 'given']
  if (unit === null) return null
  const reported = reportedUnit(host)
  if (reported !== null) return reported
  return unit === 'nova-compute' && isRpm(host) ? `openstack-${unit}` : unit
}

/** How nova-compute of a host is restarted and checked. `arguments`: what `restart_nova` of the runbook takes after the host. */
type NovaUnitCommands = Readonly<Record<'arguments' | 'restart' | 'start' | 'log', Encoded<'shell'>>>

const podCommands = (host: string): NovaUnitCommands => {
  const pods = sh`-l application=nova,component=compute --field-selector ${shellWord(`spec.nodeName=${host}`)}`
  return {
    arguments: sh`pod`,
    restart: sh`kubectl -n openstack delete pod ${pods}`,
    start: sh`kubectl -n openstack get pod ${pods}`,
    // kubectl logs takes no field selector.
    log: sh`kubectl -n openstack logs $(kubectl -n openstack get pod ${pods} -o name) -c nova-compute --tail=200`,
  }
}

/** A unit of a user's manager, which root reaches as that user (systemctl(1) --user, systemd.journal-fields(7)). */
const userCommands = ({ name, userId }: { name: string; userId: number }): NovaUnitCommands => {
  const unit = shellWord(name)
  const systemctl = sh`sudo -u ${shellWord(`#${userId}`)} ${shellWord(`XDG_RUNTIME_DIR=/run/user/${userId}`)} systemctl --user`
  return {
    arguments: sh`${unit} ${shellWord(String(userId))}`,
    restart: sh`${systemctl} restart ${unit}`,
    start: sh`${systemctl} show ${unit} -p ExecMainStartTimestamp`,
    log: sh`journalctl ${shellWord(`_SYSTEMD_USER_UNIT=${name}.service`)} ${shellWord(`_UID=${userId}`)}`,
  }
}

/** The commands for nova-compute of a host, by the unit that its agent reports, otherwise by the deployment. */
export const novaUnitOf = ({
  host,
  novaConfig,
}: Pick<Inventory, 'host' | 'novaConfig'>): NovaUnitCommands => {
  const name = unitOf({ host, novaConfig })
  if (name === null) return podCommands(host.name)
  const userId = host.novaUnit?.userId ?? null
  if (userId !== null) return userCommands({ name, userId })
  const unit = shellWord(name)
  return {
    arguments: unit,
    restart: sh`systemctl restart ${unit}`,
    start: sh`systemctl show ${unit} -p ExecMainStartTimestamp`,
    log: LOGS[novaConfig?.deployment ?? 'given'] ?? sh`journalctl -u ${unit}`,
  }
}
