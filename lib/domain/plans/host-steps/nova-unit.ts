import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Inventory, NovaConfig } from '@/lib/schemas/agent/inventory'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellWord } from '@/lib/util/encode/shell'

/** systemd's name of nova-compute; null: a pod of openstack-helm. Kolla-Ansible before 2023.1 has a container alone. */
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

const unitOf = ({ host, novaConfig }: Inventory): string | null => {
  const unit = UNITS[novaConfig?.deployment ?? 'given']
  return unit === 'nova-compute' && isRpm(host) ? `openstack-${unit}` : unit
}

/** How an operator restarts and checks nova-compute of a host. `unit`: the argument of `restart_nova` in the runbook. */
export const novaUnitOf = ({ host: { inventory, name } }: Pick<JoinedHost, 'host'>) => {
  const unit = unitOf(inventory)
  const pods = sh`-l application=nova,component=compute --field-selector ${shellWord(`spec.nodeName=${name}`)}`
  return unit === null
    ? {
        unit: 'pod',
        restart: sh`kubectl -n openstack delete pod ${pods}`,
        start: sh`kubectl -n openstack get pod ${pods}`,
        // kubectl logs takes no field selector.
        log: sh`kubectl -n openstack logs $(kubectl -n openstack get pod ${pods} -o name) -c nova-compute --tail=200`,
      }
    : {
        unit,
        restart: sh`systemctl restart ${shellWord(unit)}`,
        start: sh`systemctl show ${shellWord(unit)} -p ExecMainStartTimestamp`,
        log: LOGS[inventory.novaConfig?.deployment ?? 'given'] ?? sh`journalctl -u ${shellWord(unit)}`,
      }
}
