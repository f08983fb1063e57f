import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildServer, hostFacts, readPart } from '@/lib/domain/testing/build-cloud'
import { buildGuest, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { L40S, L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { allSteps } from '@/lib/util/all-steps'
import { stuckServers } from './stuck-servers'

const UUID = uuidOf(555)
const HOST = {
  osName: 'Debian 13',
  kernel: '6.12.0',
  libvirtVersion: '11.3.0',
  qemuVersion: '10.0.3',
  nvidiaDriverVersion: '570.1',
}

/** Two equal hosts; device_spec marks the VFs live_migratable, and the alias does or does not. */
const wayWith = (aliasMember: string) => {
  const conf = [
    '[pci]',
    'report_in_placement = True',
    ...L40S_VFS.map(
      (address) =>
        `device_spec = {"vendor_id":"10de","address":"${address}","managed":"no","resource_class":"CUSTOM_L40S_16Q","live_migratable":"yes"}`,
    ),
    `alias = {"name":"l40s-16q","resource_class":"CUSTOM_L40S_16Q","device_type":"type-VF"${aliasMember}}`,
    '[filter_scheduler]',
    'pci_in_placement = True',
  ].join('\n')
  const base = editHosts(l40sCloud({ typed: 3 }), (inventory) => ({
    ...inventory,
    novaConfig: novaConf(conf),
    host: { ...inventory.host, ...HOST, novaApi: { ...novaConf(conf), files: ['/etc/nova/nova.conf'] } },
  }))
  const [one] = base.hosts
  if (one === undefined) throw new Error('the cloud has a host')
  const first = structuredClone(one.inventory)
  first.guests = [buildGuest({ uuid: UUID, name: 'instance-1', pciDevices: [L40S_VFS[0] ?? ''] })]
  const second = structuredClone(one.inventory)
  second.host.name = 'hyper19'
  const other = (uuid: string) => uuid.replace(/^0000/, 'aaaa')
  const { providers, hypervisors, services } = base.facts
  const input = withFacts(
    { ...base, hosts: [hostFacts(first), hostFacts(second)] },
    {
      versions: { nova: '2.103', placement: '1.39', keystone: '3.14' },
      providers: readPart([
        ...(providers.value ?? []),
        ...(providers.value ?? []).map((provider) => ({
          ...provider,
          name: provider.name.replace('hyper18', 'hyper19'),
          uuid: other(provider.uuid),
          rootUuid: other(provider.rootUuid),
          parentUuid: provider.parentUuid === null ? null : other(provider.parentUuid),
        })),
      ]),
      hypervisors: readPart([
        ...(hypervisors.value ?? []),
        ...(hypervisors.value ?? []).map((entry) => ({
          ...entry,
          id: other(entry.id),
          hypervisorHostname: 'hyper19',
          serviceHost: 'hyper19',
        })),
      ]),
      services: readPart([
        ...(services.value ?? []),
        ...(services.value ?? []).map((service) => ({ ...service, id: 's2', host: 'hyper19' })),
      ]),
      servers: readPart([
        buildServer({
          uuid: UUID,
          host: 'hyper18',
          name: 'render-1',
          extraSpecs: { 'pci_passthrough:alias': 'l40s-16q:1' },
        }),
      ]),
    },
  )
  const fleet = joinFleet(input)
  const joined = fleet.hosts.find(({ host }) => host.name === 'hyper18')
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === L40S)
  if (joined === undefined || entry === undefined) throw new Error('the host has the card')
  return [...allSteps(stuckServers(fleet, [{ joined, targets: [{ entry }] }])).values()][0]?.[0]
}

// Source: nova/conductor/tasks/live_migrate.py _check_can_migrate_pci: the alias must set live_migratable too.
it('no live migration with an alias that does not set live_migratable', () => {
  expect(wayWith('')).toMatchObject({
    way: 'cold',
    because:
      'the alias l40s-16q does not set live_migratable in [pci] alias, and a server keeps the alias that it was created with',
  })
})

it('live migration with an alias that sets live_migratable', () => {
  expect(wayWith(',"live_migratable":"yes"')?.way).toBe('live')
})
