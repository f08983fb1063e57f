import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Inventory, NovaConfig } from '@/lib/schemas/agent/inventory'

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
const LOGS: Partial<Record<NovaConfig['deployment'], string>> = {
  kolla: 'tail -n 200 /var/log/kolla/nova/nova-compute.log',
  tripleo: 'tail -n 200 /var/log/containers/nova/nova-compute.log',
  rhoso: 'podman logs --tail 200 nova_compute',
}

/** RDO and SUSE put the project's name in front. */
const isRpm = ({ osName }: Inventory['host']): boolean =>
  /red hat|centos|rocky|alma|oracle|fedora|suse/i.test(osName ?? '')

const unitOf = ({ host, novaConfig }: Inventory): string | null => {
  const unit = UNITS[novaConfig?.deployment ?? 'given']
  return unit === 'nova-compute' && isRpm(host) ? `openstack-${unit}` : unit
}

/** How nova-compute of a host is restarted and looked at by hand. `unit`: what `restart_nova` of the runbook takes. */
export const novaUnitOf = ({ host: { inventory, name } }: Pick<JoinedHost, 'host'>) => {
  const unit = unitOf(inventory)
  const pods = `-l application=nova,component=compute --field-selector spec.nodeName=${name}`
  return unit === null
    ? {
        unit: 'pod',
        restart: `kubectl -n openstack delete pod ${pods}`,
        start: `kubectl -n openstack get pod ${pods}`,
        // kubectl logs takes no field selector.
        log: `kubectl -n openstack logs $(kubectl -n openstack get pod ${pods} -o name) -c nova-compute --tail=200`,
      }
    : {
        unit,
        restart: `systemctl restart ${unit}`,
        start: `systemctl show ${unit} -p ExecMainStartTimestamp`,
        log: LOGS[inventory.novaConfig?.deployment ?? 'given'] ?? `journalctl -u ${unit}`,
      }
}
