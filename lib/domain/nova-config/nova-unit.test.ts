import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { novaUnitOf } from './nova-unit'

type Deployment = NonNullable<Inventory['novaConfig']>['deployment']

const unitOn = (deployment: Deployment, osName: string, novaUnit?: Inventory['host']['novaUnit']) => {
  const fleet = joinFleet(
    editHosts(t4Cloud(), ({ host, novaConfig, ...rest }) => ({
      ...rest,
      host: { ...host, osName, ...(novaUnit === undefined ? {} : { novaUnit }) },
      novaConfig: novaConfig === null ? null : { ...novaConfig, deployment },
    })),
  )
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('no host')
  const { restart, log, start } = novaUnitOf(joined.host.inventory)
  const plain = (command: string) => command.replace(joined.host.name, 'HOST')
  return { restart: plain(restart), log: plain(log), start: plain(start) }
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

it.each<[Deployment, string, string, string]>([
  ['package', 'nova-compute@1.service', 'nova-compute@1', 'journalctl -u nova-compute@1'],
  [
    'given',
    'openstack-nova-compute.service',
    'openstack-nova-compute',
    'journalctl -u openstack-nova-compute',
  ],
  [
    'kolla',
    'site-nova_compute-container.service',
    'site-nova_compute-container',
    'tail -n 200 /var/log/kolla/nova/nova-compute.log',
  ],
])('the unit that an agent reports is used: %s, %s', (deployment, name, unit, log) => {
  expect(unitOn(deployment, 'Ubuntu 24.04.2 LTS', { name, userId: null })).toEqual({
    restart: `systemctl restart ${unit}`,
    start: `systemctl show ${unit} -p ExecMainStartTimestamp`,
    log,
  })
})

it('a unit of a user is restarted as that user', () => {
  expect(unitOn('package', 'Ubuntu 24.04.2 LTS', { name: 'n-cpu.service', userId: 1000 })).toEqual({
    restart: "sudo -u '#1000' XDG_RUNTIME_DIR=/run/user/1000 systemctl --user restart n-cpu",
    start:
      "sudo -u '#1000' XDG_RUNTIME_DIR=/run/user/1000 systemctl --user show n-cpu -p ExecMainStartTimestamp",
    log: 'journalctl _SYSTEMD_USER_UNIT=n-cpu.service _UID=1000',
  })
})
