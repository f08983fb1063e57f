import { yamlDocument } from '@/lib/util/encode/yaml'
import { listText } from '../../wording'
import type { ConfigText, RenderInput } from './config-text'
import { novaSections, sectionMap } from './nova-sections'

/**
 * Values of the chart nova: `conf.overrides.nova_compute.hosts` has one entry per host, which goes before entries by label
 * (openstack-helm, node and label specific configurations).
 */
export const helmTexts = ({ groups, release }: RenderInput): ConfigText[] => {
  const hosts = groups.flatMap((group) => group.hosts)
  const entries = groups.flatMap(({ hosts: names, layout }) =>
    names.map((name) => ({ name, conf: { nova: sectionMap(novaSections(layout, release)) } })),
  )
  return [
    {
      title: `Values of the chart nova for ${listText(hosts)}`,
      path: 'conf:overrides:nova_compute:hosts in the values of the release nova',
      language: 'yaml',
      text: yamlDocument({ conf: { overrides: { nova_compute: { hosts: entries } } } }),
      notes: [
        'Names are those of the Kubernetes nodes, as in the label kubernetes.io/hostname; check that they are the same as Nova’s.',
        'Entries of hosts that are in the list already have to stay in it: Helm replaces the whole list.',
        'Charts whose DaemonSets are made by daemonset_overrides_root know labels alone, under overrides:nova_compute:labels; take the text for MOSK as the pattern.',
        'Apply it by "helm upgrade nova … --values"; Kubernetes then makes the nova-compute pods of these nodes anew.',
      ],
    },
  ]
}
