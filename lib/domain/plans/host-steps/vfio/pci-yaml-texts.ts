import { entryText, type PciEntry } from '@/lib/domain/cloud/pci-layout'
import type { ConfigText } from '@/lib/domain/nova-config/layout/config-text'
import { sectionMap } from '@/lib/domain/nova-config/layout/nova-sections'
import { sh, shellOption, shellWord } from '@/lib/util/encode/shell'
import { yamlDocument } from '@/lib/util/encode/yaml'
import type { PciChange } from './pci-change'

/** helm-toolkit writes an option of several values from `type: multistring` (helm-toolkit _to_oslo_conf.tpl). */
const multi = (entries: readonly PciEntry[]) => ({
  type: 'multistring',
  values: entries.map(({ entry }) => entryText(entry)),
})

/** `[pci]` as charts take it. */
const chartPci = ({ after }: PciChange) => ({
  ...(after.isInPlacement ? { report_in_placement: 'True' } : {}),
  device_spec: multi(after.specs),
  ...(after.aliases.length === 0 ? {} : { alias: multi(after.aliases) }),
})

/** Values of the chart nova for one host. */
export const helmPciText = (change: PciChange): ConfigText => {
  const host = change.joined.host.name
  const entry = { name: host, conf: { nova: { pci: chartPci(change) } } }
  return {
    title: `Values of the chart nova for ${host}`,
    path: 'conf:overrides:nova_compute:hosts in the values of the release nova',
    language: 'yaml',
    text: yamlDocument({ conf: { overrides: { nova_compute: { hosts: [entry] } } } }),
    notes: ['Keep existing entries of other hosts in the list: Helm replaces the whole list.'],
  }
}

const MOSK_HEAD = { apiVersion: 'lcm.mirantis.com/v1alpha1', kind: 'OpenStackDeployment' }

/** What a value of a Kubernetes label may hold. */
const labelOf = (host: string): string => `pci-${host.slice(0, 50).replaceAll(/[^A-Za-z0-9.-]/g, '-')}`

/** Node overrides below a label of the node's own, since addresses differ by node (lib/domain/nova-config/layout/mosk-texts). */
export const moskPciText = (change: PciChange): ConfigText => {
  const host = change.joined.host.name
  const label = labelOf(host)
  const nova = { ...sectionMap(change.sections ?? []), pci: chartPci(change) }
  const compute = { nova: { nova_compute: { values: { conf: { nova } } } } }
  return {
    title: `Node override for ${host}`,
    path: 'spec:nodes of the OpenStackDeployment',
    language: 'yaml',
    text: yamlDocument({
      ...MOSK_HEAD,
      spec: { nodes: { [`sliceboard-vgpu::${label}`]: { services: { compute } } } },
    }),
    notes: [
      `Label the node first: "kubectl label node ${shellWord(host)} sliceboard-vgpu=${label} --overwrite"; check that Nova’s host and the node have the same name.`,
      'A node may have only one label of spec:nodes. If it already has one, add these values under that label.',
      'Merge it with "kubectl -n openstack edit osdpl", then wait until the nova-compute pod of this node is recreated.',
    ],
  }
}

/**
 * The role os_nova writes a line of device_spec for each entry of `nova_device_spec`, and an alias for each text of
 * `nova_pci_alias` (openstack-ansible-os_nova templates/nova.conf.j2).
 */
export const ansiblePciText = ({ joined, after, sections = [] }: PciChange): ConfigText => {
  const host = joined.host.name
  const overrides = {
    ...sectionMap(sections),
    ...(after.isInPlacement ? { pci: { report_in_placement: 'True' } } : {}),
  }
  return {
    title: `Variables of ${host}`,
    path: `/etc/openstack_deploy/host_vars/${host}.yml`,
    language: 'yaml',
    text: yamlDocument({
      ...(Object.keys(overrides).length === 0 ? {} : { nova_nova_conf_overrides: overrides }),
      nova_device_spec: after.specs.map(({ entry }) => entryText(entry)),
      ...(after.aliases.length === 0
        ? {}
        : { nova_pci_alias: after.aliases.map(({ entry }) => entryText(entry)) }),
    }),
    notes: [
      'Releases of os_nova without nova_device_spec have nova_pci_passthrough_whitelist instead.',
      'Values in user_variables.yml take precedence over host variables.',
      `Roll it out with "openstack-ansible os-nova-install.yml --tags nova-config ${shellOption(sh`--limit`, host)}", and check that nova-compute was restarted.`,
    ],
  }
}

const API_NOTES = [
  'Keep the existing aliases. Nova refuses servers of a flavor with an alias until nova-api has the alias and was restarted.',
]

/** New aliases for the hosts of Nova's API. */
export const apiYamlTexts = (
  deployment: 'mosk' | 'openstack-ansible',
  aliases: readonly PciEntry[],
): ConfigText[] => {
  if (aliases.length === 0) return []
  const title = "The alias on the hosts of Nova's API"
  const nova = { values: { conf: { nova: { pci: { alias: multi(aliases) } } } } }
  return deployment === 'mosk'
    ? [
        {
          title,
          path: 'spec:services:compute:nova:values:conf:nova of the OpenStackDeployment',
          language: 'yaml',
          text: yamlDocument({ ...MOSK_HEAD, spec: { services: { compute: { nova } } } }),
          notes: API_NOTES,
        },
      ]
    : [
        {
          title,
          path: '/etc/openstack_deploy/group_vars/nova_api_os_compute.yml',
          language: 'yaml',
          text: yamlDocument({ nova_pci_alias: aliases.map(({ entry }) => entryText(entry)) }),
          notes: API_NOTES,
        },
      ]
}
