import { shellArguments } from '@/lib/util/encode/shell'
import { yamlDocument } from '@/lib/util/encode/yaml'
import { listText } from '../../wording'
import type { ConfigText, RenderInput } from './config-text'
import type { LayoutGroup } from './mdev-layout'
import { novaSections, sectionMap } from './nova-sections'

const HEAD = { apiVersion: 'lcm.mirantis.com/v1alpha1', kind: 'OpenStackDeployment' }

/** Label of the nodes of one layout. */
const LABEL = 'sliceboard-vgpu'

/** `nvidia-319.nvidia-320`, cut to a valid value of a label, and made unique by a number. */
const labelValue = ({ layout }: LayoutGroup, index: number): string => {
  const types = layout.types.map(({ typeId }) => typeId).join('.')
  return `${types.slice(0, 50).replaceAll(/[^A-Za-z0-9]+$/g, '') || 'none'}-${index + 1}`
}

const hasNoAddresses = ({ layout }: LayoutGroup): boolean =>
  layout.types.every(({ addresses, maxInstances }) => addresses === null && maxInstances === null)

const cloudWide = (group: LayoutGroup, release: number): ConfigText => ({
  title: 'The same for all compute nodes of the cloud',
  path: 'spec:services:compute:nova:values:conf:nova of the OpenStackDeployment',
  language: 'yaml',
  text: yamlDocument({
    ...HEAD,
    spec: {
      services: {
        compute: { nova: { values: { conf: { nova: sectionMap(novaSections(group.layout, release)) } } } },
      },
    },
  }),
  notes: [
    'Use this only if every compute node needs this layout: all its pGPUs must support the type, and nova-compute restarts on each node.',
    'Merge it with "kubectl -n openstack edit osdpl". The controller does not validate values under spec:services.',
  ],
})

/**
 * Node overrides by label. The controller puts `spec:nodes:<label>::<value>:services:compute:nova:nova_compute` into the
 * chart’s `overrides:nova_compute:labels` (rockoon layers.py, helm-toolkit _daemonset_overrides_root.tpl).
 */
const byNode = (groups: readonly LayoutGroup[], release: number): ConfigText => {
  const labelled = groups.map((group, index) => ({ group, value: labelValue(group, index) }))
  const nodes = Object.fromEntries(
    labelled.map(({ group, value }) => [
      `${LABEL}::${value}`,
      {
        services: {
          compute: {
            nova: {
              nova_compute: { values: { conf: { nova: sectionMap(novaSections(group.layout, release)) } } },
            },
          },
        },
      },
    ]),
  )
  return {
    title: `Node overrides for ${listText(groups.flatMap(({ hosts }) => hosts))}`,
    path: 'spec:nodes of the OpenStackDeployment',
    language: 'yaml',
    text: yamlDocument({ ...HEAD, spec: { nodes } }),
    notes: [
      ...labelled.map(
        ({ group, value }) =>
          `Label the nodes first: "kubectl label node ${shellArguments(group.hosts)} ${LABEL}=${value} --overwrite"; check that Nova’s hosts and the nodes have the same names.`,
      ),
      'A node may have only one label of spec:nodes: a node with two gets no nova-compute. If nodes already have such a label, add these values under it.',
      'Merge it with "kubectl -n openstack edit osdpl", then wait until the nova-compute pods of these nodes are recreated.',
    ],
  }
}

/** Cloud-wide where one layout without addresses is all there is, and node overrides, since addresses differ by node. */
export const moskTexts = ({ groups, release }: RenderInput): ConfigText[] => {
  const [only] = groups
  const isUniform = groups.length === 1 && only !== undefined && hasNoAddresses(only)
  return [...(isUniform ? [cloudWide(only, release)] : []), byNode(groups, release)]
}
