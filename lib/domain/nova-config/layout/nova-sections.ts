import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { novaConf, novaConfItem, novaConfName, novaConfValue } from '@/lib/util/encode/nova-conf'
import { releaseHas } from '../nova-releases'
import type { MdevLayout } from './mdev-layout'

/** One section of nova.conf with its options, in order. */
export type NovaSection = {
  name: Encoded<'nova-conf'>
  options: readonly (readonly [name: Encoded<'nova-conf'>, value: Encoded<'nova-conf'>])[]
}

/** The mdev options of a layout, under the names that the release knows: `enabled_vgpu_types`, `[vgpu_*]` before Xena. */
export const novaSections = ({ types }: MdevLayout, release: number): NovaSection[] => {
  const isOld = !releaseHas(release, 'mdevOptionNames')
  const list = joinEncoded(
    types.map(({ typeId }) => novaConfItem(typeId)),
    ',',
  )
  const devices: NovaSection = {
    name: novaConf`devices`,
    options: [[isOld ? novaConf`enabled_vgpu_types` : novaConf`enabled_mdev_types`, list]],
  }
  const own = types.map(
    ({ typeId, addresses, mdevClass, maxInstances }): NovaSection => ({
      name: novaConf`${isOld ? novaConf`vgpu` : novaConf`mdev`}_${novaConfName(typeId)}`,
      options: [
        ...(addresses === null
          ? []
          : [[novaConf`device_addresses`, joinEncoded(addresses.map(novaConfItem), ',')] as const]),
        ...(mdevClass === null ? [] : [[novaConf`mdev_class`, novaConfValue(mdevClass)] as const]),
        ...(maxInstances === null ? [] : [[novaConf`max_instances`, novaConf`${maxInstances}`] as const]),
      ],
    }),
  )
  return [devices, ...own.filter(({ options }) => options.length > 0)]
}

/** Sections as lines of nova.conf, with a line feed at the end. */
export const iniText = (sections: readonly NovaSection[]): Encoded<'nova-conf'> =>
  joinEncoded(
    sections.map(({ name, options }) =>
      joinEncoded(
        [
          novaConf`[${name}]`,
          ...options.map(([option, value]) => novaConf`${option} = ${value}`),
          novaConf``,
        ],
        '\n',
      ),
    ),
    '\n',
  )

/** Sections as a map of maps, as charts and roles take them. */
export const sectionMap = (
  sections: readonly NovaSection[],
): Record<string, Record<string, Encoded<'nova-conf'>>> =>
  Object.fromEntries(sections.map(({ name, options }) => [name, Object.fromEntries(options)]))
