import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { novaUnitOf } from './nova-unit'

type Deployment = NonNullable<Inventory['novaConfig']>['deployment']

const unitOn = (deployment: Deployment, osName: string) => {
  const fleet = joinFleet(
    editHosts(t4Cloud(), ({ host, novaConfig, ...rest }) => ({
      ...rest,
      host: { ...host, osName },
      novaConfig: novaConfig === null ? null : { ...novaConfig, deployment },
    })),
  )
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('no host')
  const { restart, log } = novaUnitOf(joined)
  return { restart: restart.replace(joined.host.name, 'HOST'), log: log.replace(joined.host.name, 'HOST') }
}

it.each<[Deployment, string, string]>([
  ['package', 'Ubuntu 24.04.2 LTS', 'systemctl restart nova-compute'],
  ['package', 'Red Hat Enterprise Linux 9.4 (Plow)', 'systemctl restart openstack-nova-compute'],
  ['kolla', 'Rocky Linux 9.4', 'systemctl restart kolla-nova_compute-container'],
  ['rhoso', 'Red Hat Enterprise Linux 9.4 (Plow)', 'systemctl restart edpm_nova_compute'],
  [
    'openstack-helm',
    'Ubuntu 22.04.5 LTS',
    'kubectl -n openstack delete pod -l application=nova,component=compute --field-selector spec.nodeName=HOST',
  ],
])('nova-compute of %s on %s is restarted by "%s"', (deployment, osName, restart) => {
  expect(unitOn(deployment, osName).restart).toBe(restart)
})

it.each<[Deployment, string, string]>([
  ['package', 'Ubuntu 24.04.2 LTS', 'journalctl -u nova-compute'],
  ['package', 'Red Hat Enterprise Linux 9.4 (Plow)', 'journalctl -u openstack-nova-compute'],
  ['kolla', 'Rocky Linux 9.4', 'tail -n 200 /var/log/kolla/nova/nova-compute.log'],
  ['rhoso', 'Red Hat Enterprise Linux 9.4 (Plow)', 'podman logs --tail 200 nova_compute'],
  [
    'openstack-helm',
    'Ubuntu 22.04.5 LTS',
    'kubectl -n openstack logs $(kubectl -n openstack get pod -l application=nova,component=compute --field-selector spec.nodeName=HOST -o name) -c nova-compute --tail=200',
  ],
])('the log of nova-compute of %s on %s is read by "%s"', (deployment, osName, log) => {
  expect(unitOn(deployment, osName).log).toBe(log)
})
