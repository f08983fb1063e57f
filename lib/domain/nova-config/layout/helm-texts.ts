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
        'Use the names of the Kubernetes nodes, as in the label kubernetes.io/hostname. Check that Nova uses the same names.',
        'Keep existing entries of other hosts in the list: Helm replaces the whole list.',
        'Charts that create DaemonSets with daemonset_overrides_root support only labels, under overrides:nova_compute:labels. Use the text for MOSK as an example.',
        'Apply it with "helm upgrade nova … --values". Kubernetes then recreates the nova-compute pods of these nodes.',
      ],
    },
  ]
}
