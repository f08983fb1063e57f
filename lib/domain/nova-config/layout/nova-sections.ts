import { CLASS_RELEASE } from './check-layout'
import type { MdevLayout } from './mdev-layout'

/** One section of nova.conf with its options, in order. */
export type NovaSection = { name: string; options: readonly (readonly [name: string, value: string])[] }

/** The mdev options of a layout, under the names that the release knows: `enabled_vgpu_types`, `[vgpu_*]` before Xena. */
export const novaSections = ({ types }: MdevLayout, release: number): NovaSection[] => {
  const isOld = release < CLASS_RELEASE
  const list = types.map(({ typeId }) => typeId).join(',')
  const devices: NovaSection = {
    name: 'devices',
    options: [[isOld ? 'enabled_vgpu_types' : 'enabled_mdev_types', list]],
  }
  const own = types.map(
    ({ typeId, addresses, mdevClass, maxInstances }): NovaSection => ({
      name: `${isOld ? 'vgpu' : 'mdev'}_${typeId}`,
      options: [
        ...(addresses === null ? [] : [['device_addresses', addresses.join(',')] as const]),
        ...(mdevClass === null ? [] : [['mdev_class', mdevClass] as const]),
        ...(maxInstances === null ? [] : [['max_instances', String(maxInstances)] as const]),
      ],
    }),
  )
  return [devices, ...own.filter(({ options }) => options.length > 0)]
}

/** Sections as lines of nova.conf, with a line feed at the end. */
export const iniText = (sections: readonly NovaSection[]): string =>
  sections
    .map(({ name, options }) =>
      [`[${name}]`, ...options.map(([option, value]) => `${option} = ${value}`), ''].join('\n'),
    )
    .join('\n')

/** Sections as a map of maps, as charts and roles take them. */
export const sectionMap = (sections: readonly NovaSection[]): Record<string, Record<string, string>> =>
  Object.fromEntries(sections.map(({ name, options }) => [name, Object.fromEntries(options)]))
