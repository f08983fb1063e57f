import type { HostLayout } from './host-layout'

/** The mdev options of nova.conf, one line each. */
export const layoutText = ({ types }: HostLayout): string =>
  [
    '[devices]',
    `enabled_mdev_types = ${types.map(({ typeId }) => typeId).join(', ')}`,
    ...types.flatMap(({ typeId, addresses, mdevClass, maxInstances }) => {
      const lines = [
        ...(addresses === null ? [] : [`device_addresses = ${addresses.join(',')}`]),
        ...(mdevClass === null ? [] : [`mdev_class = ${mdevClass}`]),
        ...(maxInstances === null ? [] : [`max_instances = ${maxInstances}`]),
      ]
      return lines.length === 0 ? [] : ['', `[mdev_${typeId}]`, ...lines]
    }),
  ].join('\n')
