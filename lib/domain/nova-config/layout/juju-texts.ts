import { yamlDocument } from '@/lib/util/encode/yaml'
import { listText } from '../../wording'
import type { ConfigText, RenderInput } from './config-text'
import type { LayoutGroup, LayoutType, MdevLayout } from './mdev-layout'

const APPLICATION = 'nova-compute-nvidia-vgpu'

/** The charm knows lists of addresses alone, so a default is spelt out where the parents are known. */
const addressesOf = ({ types, parents }: MdevLayout, type: LayoutType): readonly string[] => {
  if (type.addresses !== null) return type.addresses
  const named = new Set(types.flatMap(({ addresses }) => addresses ?? []))
  return (parents ?? []).filter((address) => !named.has(address))
}

/** What `vgpu-device-mappings` can't say. */
const lostOf = ({ types, parents }: MdevLayout): string[] => {
  const bound = types.filter(({ maxInstances }) => maxInstances !== null)
  const classed = types.filter(({ mdevClass }) => mdevClass !== null)
  const isUnknown = parents === undefined && types.some(({ addresses }) => addresses === null)
  return [
    ...bound.map(
      ({ typeId, maxInstances }) =>
        `The charm has no max_instances: the limit of ${maxInstances} for ${typeId} is lost, and Placement offers one vGPU for each parent.`,
    ),
    ...classed.map(
      ({ typeId, mdevClass }) =>
        `The charm has no mdev_class: ${typeId} is reported as VGPU and not as ${mdevClass}.`,
    ),
    ...(isUnknown
      ? ['The charm has no default type: put the addresses of the remaining parents into the empty list.']
      : []),
  ]
}

const textOf = ({ hosts, layout }: LayoutGroup, isOnly: boolean): ConfigText => {
  const mappings = Object.fromEntries(
    layout.types.map((type) => [type.typeId, [...addressesOf(layout, type)]]),
  )
  return {
    title: `vgpu-device-mappings of ${listText(hosts)}`,
    path: 'vgpu-device-mappings.yaml',
    language: 'yaml',
    text: yamlDocument(mappings),
    notes: [
      `Set it with "juju config ${APPLICATION} vgpu-device-mappings=@vgpu-device-mappings.yaml".`,
      isOnly
        ? `The option applies to all units of the application: check that ${APPLICATION} is related to these hosts only.`
        : `These hosts need a separate application, because the option applies to all units. Deploy ${APPLICATION} once per layout, each related to a nova-compute application of these hosts only.`,
      ...lostOf(layout),
      'Check that the charm restarted nova-compute.',
    ],
  }
}

/** One value of the charm's option per layout (charm-nova-compute-nvidia-vgpu config.yaml). */
export const jujuTexts = ({ groups }: RenderInput): ConfigText[] =>
  groups.map((group) => textOf(group, groups.length === 1))
